import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { call, signIn, tenants } from '#test/e2e/target.ts';
import { isFocused } from '#test/support/console-page.ts';
import { storeCopy } from '#test/support/console-plant.ts';
import { expectFocus } from '#test/support/expect-focus.ts';
import { serveConsole } from '#test/support/serve-console.ts';

describe.skipIf(inject('chromium') === null)('signing in again in the middle of something, in Chromium', () => {
	const served = serveConsole({ DEMO_PLANT: 'on' });
	const { target } = served;
	let token: string;
	beforeAll(async () => {
		token = await signIn(target, 'a');
	});

	const open = async (route: string) => {
		const { page, faults } = await served.open({ route });
		// Chromium itself reports each refused request.
		onTestFinished(() => expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]));
		return page;
	};
	/** Lets `act` meet a service that refuses the token, and signs in again. */
	const interrupt = async (page: Page, act: () => Promise<void>) => {
		const isApi = ({ pathname }: URL) => !/^\/(console|loginSso|openIdProviders)/.test(pathname);
		await page.route(isApi, (route) => route.fulfill({ status: 401, json: { message: 'Unauthorized' } }));
		await act();
		await page.getByRole('heading', { name: 'Signed out: sign in again, what you typed is kept' }).waitFor();
		// The plant stays on the screen, and nothing of it can be used.
		expect(await page.locator('#content').isVisible()).toBe(true);
		expect(await page.locator('[inert] .app.lost #content').count()).toBe(1);
		await page.unroute(isApi);
		await page.getByLabel('Access key').fill(tenants.a.tokenApp);
		await page.getByRole('button', { name: 'Sign in', exact: true }).click();
		await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor({ state: 'detached' });
		await expectFocus(page);
	};
	/** Lets the next poll begin, as if somebody came back to the tab. */
	const poll = (page: Page) => page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`).then(() => undefined);
	const stored = async (path: string) => (await call(target, 'GET', path, { token })).body.data;
	/** Returns the newest of a name. */
	const named = async (path: string, field: 'name' | 'title', name: string) =>
		(await stored(path)).findLast((row: Readonly<Record<string, unknown>>) => row[field] === name);

	test('keeps a formula that is half typed, with the caret in it', async () => {
		const id = await storeCopy(target, 24);
		const page = await open(`/variables/${id}`);
		const formula = page.locator('textarea');
		await page.locator('.result .value').waitFor();
		const name = page.getByLabel('Name', { exact: true });
		await name.fill('Twice the tank');
		await formula.fill('({Raw tank level} * 2 +');
		await interrupt(page, () => poll(page));
		expect(await name.inputValue()).toBe('Twice the tank');
		expect(await formula.inputValue()).toBe('({Raw tank level} * 2 +');
		await expect.poll(() => formula.evaluate(isFocused)).toBe(true);
		await page.keyboard.type(' 1)');
		await page.locator('.result .value b', { hasText: /^\d/ }).waitFor();
		await page.keyboard.press('Control+s');
		await expect
			.poll(() => named('/getVarsTsdb', 'name', 'Twice the tank'))
			.toMatchObject({ id, version: 2, equation: expect.arrayContaining([{ type: 'number', value: '2' }]) });
	});

	test('reads the period of a report to which somebody went back while signed out', async () => {
		const page = await open('/report');
		const isRead = page.locator('.report-table:not(.changing *) .sum .n');
		const title = page.locator('.report-period h2');
		await expect.poll(() => isRead.count()).toBeGreaterThan(10);
		const present = await title.innerText();
		await page.getByRole('button', { name: 'The period before' }).click();
		await expect.poll(() => title.innerText()).not.toBe(present);
		const before = await title.innerText();
		await expect.poll(() => isRead.count()).toBeGreaterThan(10);
		await page.getByRole('button', { name: 'The next period' }).click();
		await expect.poll(() => title.innerText()).toBe(present);
		await expect.poll(() => isRead.count()).toBeGreaterThan(10);
		await interrupt(page, async () => {
			await poll(page);
			await page.getByRole('heading', { name: 'Signed out: sign in again' }).waitFor();
			await page.evaluate('history.back()');
			await page.locator('.report-box.changing').waitFor();
		});
		await expect.poll(() => title.innerText()).toBe(before);
		await expect.poll(() => isRead.count()).toBeGreaterThan(10);
	});

	test.each([
		['light', 1440],
		['dark', 320],
	] as const)('the form stands over values that stay, with nothing that axe-core finds: %s, %i px', async (theme, width) => {
		const { page, violations } = await served.open({ theme, size: { width, height: 800 } });
		await page.locator('.tile').first().waitFor();
		await page.route(/getAlarms|multipleDataTsdb/, (route) => route.fulfill({ status: 401, json: { message: 'Unauthorized' } }));
		await poll(page);
		const form = page.locator('.sign-in.over');
		await form.waitFor();
		expect(await page.locator('[inert] .app.lost .tile').first().isVisible()).toBe(true);
		const box = await form.boundingBox();
		expect((box?.width ?? 0) * (box?.height ?? 0)).toBeLessThan(0.75 * width * 800);
		expect(await violations()).toEqual([]);
	});

	test('keeps the changes of the panel, and the form that is open', async () => {
		const [first, second] = (await stored('/bombs')).pumps.map(({ name }: { readonly name: string }) => name);
		const spare = `Spare pump ${Date.now()}`;
		const page = await open('/station/edit');
		await page.getByLabel('Title').fill('Works');
		await page.getByRole('button', { name: `Move ${first} down` }).click();
		await page.getByRole('row').filter({ hasText: second }).click();
		await page.getByLabel('Name').fill(spare);
		await interrupt(page, () => page.getByRole('button', { name: 'Save panel' }).click());
		expect(await page.getByLabel('Name').inputValue()).toBe(spare);
		expect(await page.getByLabel('Title').inputValue()).toBe('Works');
		await page.getByRole('button', { name: 'Save panel' }).click();
		await page.getByRole('heading', { name: 'Works' }).waitFor();
		const { pumps } = await stored('/bombs');
		expect(pumps.slice(0, 2).map(({ name }: { readonly name: string }) => name)).toEqual([spare, first]);
	});

	test('keeps an item of a diagram where it was moved to', async () => {
		const page = await open('/diagram');
		await page.getByRole('radio', { name: 'Edit' }).check();
		const place = () =>
			Promise.all(['x', 'y'].map(async (label) => Number(await page.getByLabel(label, { exact: true }).inputValue())));
		await page.locator('.editing button', { hasText: 'Raw tank' }).first().click();
		const [before = 0] = await place();
		await page.keyboard.press('Shift+ArrowRight');
		await page.keyboard.press('ArrowDown');
		await expect.poll(async () => (await place())[0]).toBeGreaterThan(before + 0.09);
		const moved = await place();
		await interrupt(page, () => poll(page));
		expect(await place()).toEqual(moved);
		await page.getByRole('button', { name: 'Save diagram' }).click();
		await page.getByText('not saved yet').waitFor({ state: 'detached' });
		const [x, y] = moved;
		expect((await named('/getDiagrams', 'title', 'Plant overview')).items[0]).toMatchObject({ x, y });
	});

	test('keeps the range and the variables of a trend, and the title in its open dialog', async () => {
		const page = await open('/trend?ids=4&range=1h');
		await page.locator('.legend .name', { hasText: 'Raw tank level' }).waitFor();
		await page.getByRole('combobox', { name: 'Add a variable' }).fill('Treated tank');
		await page.getByRole('option', { name: /^Treated tank level/ }).click();
		await page.locator('.segmented label').filter({ hasText: '6 h' }).click();
		await page.locator('.legend .name', { hasText: 'Treated tank level' }).waitFor();
		const address = page.url();
		await page.getByRole('button', { name: 'Save as a chart' }).click();
		const dialog = page.getByRole('dialog', { name: 'Save as a chart' });
		await dialog.getByLabel('Title').fill('Two tanks');
		await interrupt(page, () => page.keyboard.press('Enter'));
		expect(await dialog.getByLabel('Title').inputValue()).toBe('Two tanks');
		await expect.poll(() => dialog.getByLabel('Title').evaluate(isFocused)).toBe(true);
		await dialog.getByText('Not saved').waitFor();
		expect(page.url()).toBe(address);
		await dialog.getByRole('button', { name: 'Save', exact: true }).click();
		await dialog.waitFor({ state: 'detached' });
		expect((await named('/getCharts', 'title', 'Two tanks')).series).toEqual([{ varId: 4 }, { varId: 10 }]);
		await page.locator('.legend .name', { hasText: 'Treated tank level' }).waitFor();
		expect(new URLSearchParams(page.url().split('?')[1]).get('range')).toBe('6h');
	});

	test('keeps a new alarm with everything that is typed of it', async () => {
		const page = await open('/alarms/new');
		await page.getByLabel('Name').fill('Raw tank full');
		await page.getByRole('combobox', { name: 'Variable' }).fill('raw tank');
		await page
			.getByRole('option', { name: /^Raw tank level/ })
			.first()
			.click();
		await page.getByLabel('Condition').selectOption('>=');
		await page.getByLabel('Threshold').fill('4.5');
		await page.getByLabel('Message: what to do').fill('Stop the intake.');
		await page.locator('.segmented label').filter({ hasText: 'Critical' }).click();
		await interrupt(page, () => page.getByRole('button', { name: 'Save', exact: true }).click());
		expect(await page.getByLabel('Threshold').inputValue()).toBe('4.5');
		await page.getByRole('button', { name: 'Save', exact: true }).click();
		await page.getByRole('heading', { level: 2, name: 'Raw tank full' }).waitFor();
		expect(await named('/getAlarms', 'name', 'Raw tank full')).toMatchObject({
			...{ varId: 4, condition: '>=', threshold: 4.5, severity: 'critical', message: 'Stop the intake.' },
		});
	});
});
