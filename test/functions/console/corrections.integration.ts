import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { call, callOk, signIn } from '#test/e2e/target.ts';
import { type ConsoleOptions, twoLooks } from '#test/support/console-page.ts';
import { storeCopy } from '#test/support/console-plant.ts';
import { serveConsole } from '#test/support/serve-console.ts';

describe.skipIf(inject('chromium') === null)('totals and corrections, in Chromium', () => {
	const served = serveConsole({ DEMO_PLANT: 'on' });
	const { target } = served;

	const open = async (options: ConsoleOptions) => {
		const shown = await served.open(options);
		onTestFinished(() => expect([shown.faults, [...shown.origins]]).toEqual([[], [target.baseUrl]]));
		await shown.page.waitForLoadState('networkidle');
		return shown;
	};
	const correctionsOf = async (varId: number) => {
		const token = await signIn(target, 'a');
		return (await call(target, 'GET', `/getCorrections?varId=${varId}`, { token })).body.data;
	};

	test('by mouse: a volume with its bounds, what is shown marked as invalid, its days, and a band', async () => {
		const id = await storeCopy(target, 16);
		const { page } = await open({ route: `/trend?ids=${id}&range=1h` });
		await page.getByRole('button', { name: 'Totals of Network tank level' }).click();
		const dialog = page.getByRole('dialog');
		await dialog.getByText('Data available').waitFor();
		await dialog.getByText('Where data is missing, the true number may be').waitFor();
		const mean = await dialog.locator('.value b').innerText();
		expect(Number(mean)).toBeGreaterThan(1);
		await dialog.getByRole('combobox', { name: 'What is counted' }).selectOption('Least value');
		await expect.poll(() => dialog.locator('.value b').innerText()).not.toBe(mean);
		await dialog.getByRole('combobox', { name: 'What is counted' }).selectOption('Mean by time');

		await dialog.getByRole('button', { name: 'Mark what is shown as invalid…' }).click();
		await page.getByRole('heading', { name: 'Correct Network tank level' }).waitFor();
		await page.getByRole('button', { name: 'Save', exact: true }).click();
		await page.getByText('Say why, for everybody who reads the totals.').waitFor();
		await page.getByRole('button', { name: 'Show the days' }).click();
		await page.getByRole('table', { name: 'Days, without and with the correction' }).waitFor();
		await page.getByLabel('Reason').fill('Level sensor calibrated');
		await page.getByRole('button', { name: 'Save', exact: true }).click();
		await dialog.waitFor({ state: 'detached' });
		await page.locator('.correction-band[title*="Level sensor calibrated"]').first().waitFor();
		expect(await correctionsOf(id)).toMatchObject([{ type: 'exclude', reason: 'Level sensor calibrated' }]);
		// What is excluded is no longer known.
		await page.getByRole('button', { name: 'Totals of Network tank level' }).click();
		await dialog.getByText('Corrections counted').waitFor();
	});

	test('by keyboard: a totalizer that rolls over counts on with its size, and is a fault without', async () => {
		// It rolls over every other day.
		const { page, focusByKey } = await open({ route: '/trend?ids=42&range=7d' });
		await focusByKey(page.getByRole('button', { name: 'Totals of Pumped volume' }));
		await page.keyboard.press('Enter');
		const dialog = page.getByRole('dialog');
		await focusByKey(dialog.getByRole('combobox', { name: 'What is counted' }));
		for (const key of 'Tot') await page.keyboard.press(key);
		await dialog.getByText('that is no advance').first().waitFor();
		await dialog.getByRole('button', { name: 'Meter replaced…' }).first().waitFor();
		await focusByKey(dialog.getByLabel('Begins again at 0 at'));
		await page.keyboard.type('10000');
		await expect.poll(() => dialog.getByText('that is no advance').count()).toBe(0);
		await expect
			.poll(async () => Number((await dialog.locator('.value b').innerText()).replaceAll(/\s/g, '')))
			.toBeGreaterThan(1000);
		// The bounds are equal when the pumps stood still at both ends of the week, or when samples are exactly there.
		await dialog.getByText(/^([\d\s.]+ to [\d\s.]+|exact)$/).waitFor();
	});

	test('run hours and starts of a state', async () => {
		const { page } = await open({ route: '/trend?ids=11&range=24h' });
		await page
			.getByRole('button', { name: /^Totals of/ })
			.first()
			.click();
		const dialog = page.getByRole('dialog');
		await dialog.getByRole('radio', { name: 'Run hours' }).waitFor();
		await dialog.locator('.value').getByText('h', { exact: true }).waitFor();
		await dialog.getByRole('radio', { name: 'Starts' }).check();
		await expect.poll(() => dialog.locator('.value b').innerText()).toMatch(/^\d+$/);
	});

	test('a variable that reads windows says that its samples count for an hour at most', async () => {
		const { page } = await open({ route: '/trend?ids=20&range=6h' });
		await page.getByRole('button', { name: 'Totals of Raw tank level, 24 h' }).click();
		await page.getByText('Each sample counts for an hour at most').waitFor();
		await page.getByRole('button', { name: 'Mark what is shown as invalid…' }).click();
		await page.getByRole('button', { name: 'Show the days' }).click();
		await page.getByRole('table', { name: 'Days, without and with the correction' }).waitFor();
		await page.getByText('Each sample counts for an hour at most').waitFor();
	});

	test('the corrections of a variable are listed, and deleted after a question', async () => {
		const id = await storeCopy(target, 13);
		const [from, to] = [Date.now() - 7_200_000, Date.now() - 3_600_000];
		const correction = { id: 0, varId: id, type: 'exclude', from, to, reason: 'Flow meter cleaned' };
		await callOk(target, 'POST', '/saveCorrection', { token: await signIn(target, 'a'), body: correction });
		const { page } = await open({ route: `/variables/${id}` });
		const list = page.getByRole('region', { name: 'Corrections' });
		await list.getByText('Flow meter cleaned').waitFor();
		await list.getByRole('button', { name: 'Correct Distribution flow' }).click();
		await page.getByRole('radio', { name: 'Meter replaced' }).check();
		await page.getByLabel('Last reading of the old meter').fill('12,5');
		await page.keyboard.press('Escape');
		await list.getByRole('button', { name: /Flow meter cleaned/ }).click();
		await page.getByText('Totals are again what they were without it.').waitFor();
		await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
		await list.getByText('None. Totals count what was measured.').waitFor();
		expect(await correctionsOf(id)).toEqual([]);
	});

	test.each(twoLooks)('have nothing that axe-core finds, in %s, %s, %i px wide', async (language, theme, width) => {
		const { page, expectAccessible } = await open({
			language,
			theme,
			size: { width, height: 900 },
			route: '/trend?ids=42&range=1h',
		});
		await page
			.getByRole('button', { name: /^(Totals of|Totales de)/ })
			.first()
			.click();
		await page.getByRole('button', { name: /Mark what is shown|Marcar lo mostrado/ }).waitFor();
		await page.getByText(/Data available|Datos disponibles/).waitFor();
		await expectAccessible();
		await page.getByRole('button', { name: /Mark what is shown|Marcar lo mostrado/ }).click();
		await page.getByRole('heading', { name: /^(Correct|Corregir) / }).waitFor();
		await expectAccessible();
	});
});
