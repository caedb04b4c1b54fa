import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { call, signIn } from '#test/e2e/target.ts';
import { type ConsoleOptions, looks } from '#test/support/console-page.ts';
import { serveConsoleForEach } from '#test/support/serve-console.ts';

/** The lines that Telegraf writes of a Modbus line with three devices, of which one has no name. */
const lines = (now: number): string =>
	['1,name=north', '2,name=south', '10']
		.map((device, index) => `modbus,host=gw,slave_id=${device} level=${index + 1.5} ${now}`)
		.join('\n');

const tags = (page: Page) => page.getByRole('group', { name: 'Tags' });
const tagRow = (page: Page, name: string) => page.getByRole('group', { name, exact: true });
const result = (page: Page) => page.getByRole('region', { name: 'Result of what is typed' });

describe.skipIf(inject('chromium') === null)('the tags of a query, in Chromium', () => {
	const served = serveConsoleForEach();
	beforeEach(() => served.target.feed('plant_a', lines(Date.now())));

	/** Opens the editor of a new variable that reads the topic of all devices. */
	const open = async (options: ConsoleOptions = {}) => {
		const opened = await served.open({ route: '/variables/new', ...options });
		const { page } = opened;
		const isSpanish = options.language === 'es';
		for (const [label, text] of isSpanish
			? [
					['Nombre', 'Nivel'],
					['Proceso', 'pozos'],
					['Topic', 'modbus'],
					['Campo', 'level'],
				]
			: [
					['Name', 'Level'],
					['Process', 'wells'],
					['Topic', 'modbus'],
					['Field', 'level'],
				])
			await page.getByLabel(label ?? '', { exact: true }).fill(text ?? '');
		return opened;
	};
	const stored = async () => {
		const [variable] = (await call(served.target, 'GET', '/getVarsTsdb', { token: await signIn(served.target, 'a') })).body.data;
		return Object.values<{ readonly calc_tags?: unknown }>(variable.varsTsdb)[0]?.calc_tags;
	};

	test('are asked for where several sources write, and one of them is chosen', async () => {
		const { page, faults } = await open();
		await result(page).getByText('several sources in one window').waitFor();
		await tags(page).getByText('3 sources write here: choose one.').waitFor();
		expect(
			await tags(page)
				.locator('datalist')
				.first()
				.locator('option')
				.evaluateAll((all) => all.map((each) => each.getAttribute('value'))),
		).toEqual([...['name=,slave_id=10', 'name=north,slave_id=1', 'name=south,slave_id=2']]);
		await page.getByLabel('Choose a source').fill('name=south,slave_id=2');
		await result(page).locator('.value').filter({ hasText: '2.5' }).waitFor();
		await tags(page).getByText('These tags choose one source.').waitFor();
		await page.keyboard.press('Control+s');
		await page.getByText('Saved as version 1').waitFor();
		expect(await stored()).toEqual({ name: 'south', slave_id: '2' });
		// The tag of the device is enough.
		await tagRow(page, 'name').getByRole('button', { name: 'Remove name' }).click();
		await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Add a tag');
		await page.keyboard.press('Control+s');
		await page.getByText('Saved as version 2').waitFor();
		expect(await stored()).toEqual({ slave_id: '2' });
		await tagRow(page, 'slave_id').getByRole('button', { name: 'Remove slave_id' }).click();
		await page.keyboard.press('Control+s');
		await page.getByText('Saved as version 3').waitFor();
		expect([await stored(), faults]).toEqual([undefined, []]);
	});

	test('are typed by keyboard, with the errors of the service at their fields', async () => {
		const { page, faults, focusByKey } = await open();
		await tags(page).getByText('3 sources write here').waitFor();
		await focusByKey(tagRow(page, 'New tag').getByLabel('Tag', { exact: true }));
		await page.keyboard.type('_field');
		await tags(page).getByText('InfluxDB').last().waitFor();
		expect(await tags(page).getByLabel('Tag', { exact: true }).getAttribute('aria-invalid')).toBe('true');
		await page.keyboard.press('Control+a');
		await page.keyboard.type('slave_id');
		await page.keyboard.press('Tab');
		expect(await tagRow(page, 'slave_id').locator('datalist').last().locator('option').count()).toBe(3);
		await page.keyboard.type('10');
		await result(page).locator('.value').filter({ hasText: '3.5' }).waitFor();
		await focusByKey(page.getByRole('button', { name: 'Add a tag' }));
		await page.keyboard.press('Enter');
		await page.keyboard.type('slave_id');
		await tags(page).getByText('Another row has this tag, too.').waitFor();
		await page.keyboard.press('Control+a');
		await page.keyboard.type('host');
		await page.keyboard.press('Tab');
		await page.keyboard.type('other');
		await tags(page).getByText('No source has these tags.').waitFor();
		await page.keyboard.press('Control+a');
		await page.keyboard.type('gw');
		await page.keyboard.press('Control+s');
		await page.getByText('Saved as version 1').waitFor();
		expect([await stored(), faults]).toEqual([{ host: 'gw', slave_id: '10' }, []]);
	});

	test.each(looks)('are accessible and fit: %s, %s, %i px', async (language, theme, width) => {
		const { page, expectAccessible } = await open({ language, theme, size: { width, height: 800 } });
		const group = page.getByRole('group', { name: language === 'es' ? 'Etiquetas' : 'Tags', exact: true });
		await group.locator('.tag-row input').first().fill('_field');
		await group.locator('.field-error').waitFor();
		await expectAccessible();
	});
});
