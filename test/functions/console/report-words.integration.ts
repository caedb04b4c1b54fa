import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { callOk, signIn } from '#test/e2e/target.ts';
import type { ConsoleOptions } from '#test/support/console-page.ts';
import { dateAgo } from '#test/support/local-date.ts';
import { serveConsole } from '#test/support/serve-console.ts';

/** A sheet of A4 without its margins, in pixels of CSS. */
const sheet = { width: 703, height: 1032 };

describe.skipIf(inject('chromium') === null)('the words of reports and totals, in Chromium', () => {
	const served = serveConsole({ DEMO_PLANT: 'on' });
	const { target } = served;

	/** Stores a report of a flow in a zone: its mean, least and greatest value. Returns its id. */
	const storeReport = async (timeZone: string): Promise<number> => {
		const token = await signIn(target, 'a');
		const lines = (['mean', 'min', 'max'] as const).map((counted) => ({
			key: counted,
			name: `Flow ${counted}`,
			unit: 'm³/h',
			function: counted,
			varId: 13,
			decimals: 1,
		}));
		const body = { id: 0, title: `Flow in ${timeZone}`, timeZone, dayStart: '00:00', lines };
		return (await callOk(target, 'POST', '/saveReport', { token, body })).data.id;
	};
	const open = async (options: ConsoleOptions) => {
		const shown = await served.open(options);
		await shown.page.locator(':is(.report-table .sum, .report-card):visible').first().waitFor();
		return shown;
	};
	const csvOf = async (page: Page, delimiter: string): Promise<string[][]> => {
		const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
		return parse(await readFile(await download.path(), 'utf8'), { bom: true, delimiter });
	};
	/** Draws the report for paper. */
	const print = async (page: Page): Promise<void> => {
		await page.setViewportSize(sheet);
		await page.emulateMedia({ media: 'print' });
		await page.evaluate("dispatchEvent(new Event('beforeprint'))");
		await page.locator('.sheet').first().waitFor();
	};
	/** Answers with numbers of which all but a thousandth of the time is known, and one side only of least and greatest values. */
	const leaveASideUnknown = async (page: Page): Promise<void> => {
		const oneSided = (key: string, value: number) => ({ low: key === 'min' ? null : value, high: key === 'max' ? null : value });
		await page.route('**/readReport', async (route) => {
			const response = await route.fetch();
			const json = await response.json();
			for (const line of json.data.lines.filter(({ key }: { key: string }) => key !== 'mean')) {
				line.values = line.values.map(() => 3.2);
				for (const field of ['low', 'high'] as const) line[field] = line.values.map(() => oneSided(line.key, 3.2)[field]);
				line.known = line.values.map(() => 0.999);
				line.total = { ...line.total, value: 3.2, known: 0.999, ...oneSided(line.key, 3.2) };
			}
			await route.fulfill({ response, json });
		});
	};

	test.each([
		['Europe/Madrid', '2025-10-26', 'en', ['02–03 CEST', '02–03 CET'], '2025-10-26T02:00:00+02:00', 25],
		['Europe/Madrid', '2026-03-29', 'es', ['01–02 CET', '03–04 CEST'], '2026-03-29T01:00:00+01:00', 23],
		['America/New_York', '2025-11-02', 'es', ['01–02 UTC-4', '01–02 UTC-5'], '2025-11-02T01:00:00-04:00', 25],
		['Australia/Lord_Howe', '2026-04-05', 'en', ['01–02 UTC+11', '01:30–02:30 UTC+10:30'], '2026-04-05T01:00:00+11:00', 25],
	] as const)('in %s, the hours of %s are told apart, in %s: on the screen, on paper and in CSV', async (...situation) => {
		const [zone, date, language, [first, second], start, count] = situation;
		const id = await storeReport(zone);
		const { page } = await open({ route: `/report/${id}?view=day&date=${date}`, language });
		const names = await page.locator('.report-table tbody th').allInnerTexts();
		expect(names).toHaveLength(count);
		expect(new Set(names).size).toBe(count);
		expect(names.slice(names.indexOf(first)).slice(0, 2)).toEqual([first, second]);
		const csv = await csvOf(page, language === 'es' ? ';' : ',');
		const hours = csv.slice(1, 1 + count);
		expect(hours.map((row) => row[8]?.split(',')[0])).toEqual(names);
		expect(hours.find((row) => row[8]?.startsWith(first))?.[1]).toBe(start);
		await print(page);
		expect(await page.locator('.sheet tbody:last-of-type th').allInnerTexts()).toEqual(names);
		expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
	});

	test.each([
		['en', '3.2', 'or less', 'or more', ' m³/h or less', ' m³/h or more'],
		['es', '3,2', 'o menos', 'o más', ' m³/h o menos', ' m³/h o más'],
	] as const)('in %s, a least or greatest value of almost all of a day has its one bound', async (language, number, ...words) => {
		const [less, more, lessAlone, moreAlone] = words;
		const id = await storeReport('Europe/Madrid');
		const shown = await served.openEmpty({ language });
		const { page } = shown;
		await leaveASideUnknown(page);
		await page.goto(`${target.baseUrl}/console#/report/${id}?view=day&date=${dateAgo(2)}`);
		const cells = page.locator('.report-table .sum [data-cell]');
		await cells.first().waitFor();
		const wordsOf = async (cell: number) => (await cells.nth(cell).innerText()).split(/\s*\n\s*/);
		expect([await wordsOf(1), await wordsOf(2)]).toEqual([
			[number, less],
			[number, more],
		]);
		await cells.nth(1).click();
		await page.locator('.report-popover').getByText(`${number}${lessAlone}.`).waitFor();
		await page.locator('.report-popover').getByText('99.9 %').or(page.getByText('99,9 %')).first().waitFor();
		await page.keyboard.press('Escape');
		const csv = await csvOf(page, language === 'es' ? ';' : ',');
		const numbersOf = (name: string) => csv.find(([line]) => line === name)?.slice(4, 8);
		const known = language === 'es' ? '0,999' : '0.999';
		expect([numbersOf('Flow min'), numbersOf('Flow max')]).toEqual([
			[number, '', number, known],
			[number, number, '', known],
		]);
		await page.setViewportSize({ width: 320, height: 900 });
		for (const [name, alone] of [
			['Flow min', lessAlone],
			['Flow max', moreAlone],
		] as const)
			expect(await page.locator('.report-card', { hasText: name }).innerText()).toContain(`${number}${alone}`);
		await print(page);
		const notes = await page.locator('.sheet-notes').innerText();
		expect(notes).toContain(`Flow min: ${number}${lessAlone}`);
		expect(notes).toContain(`Flow max: ${number}${moreAlone}`);
	});

	test.each([
		['en', 'unreadable', 'What is stored of this day cannot be read', 'Seal now'],
		['es', 'ilegible', 'No se puede leer lo guardado de este día', 'Sellar ahora'],
	] as const)(
		'in %s, a day that cannot be read is named in its row, on paper and in CSV, and can be sealed',
		async (...situation) => {
			const [language, state, sentence, seal] = situation;
			const id = await storeReport('Europe/Madrid');
			const { page } = await served.openEmpty({ language });
			await page.route('**/readReport', async (route) => {
				const response = await route.fetch();
				const json = await response.json();
				json.data.states[0] = 'unreadable';
				for (const line of json.data.lines) {
					for (const field of ['values', 'low', 'high']) line[field][0] = null;
					line.known[0] = 0;
					line.total = { value: null, known: 0, low: null, high: null };
					line.faults = [{ code: 'stored_row_invalid', window: 0 }, { code: 'stored_row_invalid' }];
				}
				await route.fulfill({ response, json });
			});
			await page.goto(`${target.baseUrl}/console#/report/${id}?view=month&date=${dateAgo(40).slice(0, 7)}-01`);
			const row = page.locator('.report-table tbody:not(.sums) tr').first();
			await row.locator('.day-state').getByText(state, { exact: true }).waitFor();
			await page.locator('.report-table .sum .day-state').getByText(state, { exact: true }).waitFor();
			const csv = await csvOf(page, language === 'es' ? ';' : ',');
			expect(csv[1]?.slice(4, 10)).toEqual(['', '', '', '0', expect.anything(), state]);
			await row.locator('.day-state').click();
			const dialog = page.getByRole('dialog');
			await dialog.getByText(sentence).waitFor();
			await dialog.getByRole('button', { name: seal }).waitFor();
			await page.keyboard.press('Escape');
			await print(page);
			expect(await page.locator('.sheet').first().innerText()).toContain(state);
		},
	);

	test('the totals of a trend say the one bound that is known', async () => {
		const { page } = await served.open({ route: '/trend?ids=13&range=1h' });
		const bounds = page.locator('.facts').getByText(/^(≤|≥|not known|exact)/);
		let total = {};
		await page.route('**/totals', async (route) => {
			const response = await route.fetch();
			const json = await response.json();
			Object.assign(json.data.lines[0].total, { value: 3.2, known: 0.999 }, total);
			await route.fulfill({ response, json });
		});
		for (const [low, high, words] of [
			[null, 3.2, '≤ 3.20'],
			[3.2, null, '≥ 3.20'],
			[null, null, 'not known'],
			[3.2, 3.2, 'exact'],
		] as const) {
			total = { low, high };
			await page.getByRole('button', { name: /^Totals of/ }).click();
			await bounds.waitFor();
			expect(await bounds.innerText()).toBe(words);
			await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
		}
	});
});
