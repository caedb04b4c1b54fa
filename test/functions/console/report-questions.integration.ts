import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { call, callOk, signIn } from '#test/e2e/target.ts';
import { type ConsoleOptions, wideLooks } from '#test/support/console-page.ts';
import { dateAgo } from '#test/support/local-date.ts';
import { serveConsole } from '#test/support/serve-console.ts';

/** The buttons of a new line, and what of it they fill in. */
const questions: readonly (readonly [name: string, what: string, fields: Readonly<Record<string, string>>])[] = [
	['Within limits?', 'within', { Unit: '%' }],
	['Outside: how long at most?', 'longest', { Unit: 'h' }],
	['Outside: how often?', 'excursions', { 'Outside for at least, in seconds': '900' }],
	['Readings at fixed times', 'readings', { 'A reading every, in seconds': '14400' }],
	['Night flow of a zone', 'leastMean', { 'Least mean over, in seconds': '3600', From: '02:00', To: '05:00' }],
	['Balance of a zone', 'formula', {}],
	['A number that we enter', 'entered', {}],
];

describe.skipIf(inject('chromium') === null)('what a report is asked for, in Chromium', () => {
	const served = serveConsole({ DEMO_PLANT: 'on' });
	const { target } = served;
	const open = (options: ConsoleOptions) => served.open(options);
	const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
	const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
	const reports = async () => (await call(target, 'GET', '/getReports', { token: await signIn(target, 'a') })).body.data;
	/** The last day of the last month: each of its nights is over, and so is its month. */
	const lastMonth = () => dateAgo(Number(dateAgo(0).slice(-2)));
	const quality = async () => (await reports()).find(({ title }: { readonly title: string }) => title === 'Quality and losses');

	test('a new line begins with the questions that people have, by mouse and by keyboard', async () => {
		const { page, faults, violations, focusByKey } = await open({ route: '/report/new' });
		for (const [index, [name, what, fields]] of questions.entries()) {
			await button(page, 'Add a line').click();
			if (index % 2 === 0) await button(page, name).click();
			else {
				await focusByKey(button(page, name), 'Shift+Tab');
				await page.keyboard.press('Enter');
			}
			await expect.poll(() => field(page, 'What it counts').inputValue()).toBe(what);
			for (const [label, value] of Object.entries(fields)) expect(await field(page, label).inputValue()).toBe(value);
			// The questions are those of a line that nobody has filled in.
			expect(await button(page, name).count()).toBe(0);
		}
		expect(await violations()).toEqual([]);
		expect(faults).toEqual([]);
	});

	test.each(wideLooks)('the demo’s report of quality and losses tells each number, in %s, %s', async (language, theme) => {
		const { id } = await quality();
		const { page, faults, violations } = await open({ route: `/report/${id}?view=month&date=${lastMonth()}`, language, theme });
		await page.locator('.report-table tbody tr td .n').first().waitFor();
		// Each number stands in the column of its line, also beside a cell without one.
		const [heads, numbers] = await page.evaluate<number[][]>(`[
			document.querySelectorAll('.report-table tr.names th'),
			document.querySelector('.report-table tbody tr').querySelectorAll('td'),
		].map((cells) => [...cells].map((cell) => Math.round(cell.getBoundingClientRect().right)))`);
		expect(numbers).toEqual(heads);
		await page.locator('.report-table tr.sum [data-cell]').first().click();
		const popover = page.getByRole('dialog');
		await popover.getByText(language === 'es' ? /horas conocidas/ : /known hours/).waitFor();
		await page.keyboard.press('Escape');
		expect(await violations()).toEqual([]);
		expect(faults).toEqual([]);
	});

	test('a rise of twice the spread of the reference is proposed', async () => {
		const { page, faults } = await open({ route: '/report/new' });
		await button(page, 'Add a line').click();
		await button(page, 'Night flow of a zone').click();
		await page.getByRole('combobox', { name: 'Variable' }).fill('Network demand');
		await page.getByRole('option', { name: 'Network demand, mean of 1 h' }).first().click();
		await field(page, 'First night').fill(dateAgo(30));
		await field(page, 'Nights, 7 to 56').fill('21');
		// The past of the demo plant has a sample each half hour.
		await field(page, 'A sample counts for, in seconds').fill('1800');
		await page.getByRole('button', { name: /^Twice the spread: / }).click();
		expect(Number(await field(page, 'More than').inputValue())).toBeGreaterThan(0);
		expect(await field(page, 'In nights one after another').inputValue()).toBe('3');
		expect(faults).toEqual([]);
	});

	test('each number says what its line tells of it: by keyboard from line to line', async () => {
		const { id, lines } = await quality();
		const { page, faults, violations, focusByKey } = await open({ route: `/report/${id}?view=month&date=${lastMonth()}` });
		const sums = page.locator('.report-table tr.sum td');
		const popover = page.getByRole('dialog');
		await sums.first().waitFor();
		await focusByKey(page.locator('.report-table tr.sum [data-cell]').first());
		const told: readonly (readonly [key: string, words: RegExp])[] = [
			['within', /\d of [\d\u202f.]+ known hours/],
			['longest', /Reached at|may be longer|All of it is known/],
			['night', /Median of \d+ of \d+ nights\.[\s\S]*(above|below) the reference\.[\s\S]*twice the spread of the reference\./],
			['balance', /Measured, not with the meters’ error\./],
		];
		for (const [key, words] of told) {
			const name = lines.find((line: { readonly key: string }) => line.key === key).name;
			for (let press = 0; press < lines.length; press += 1) {
				await page.keyboard.press('Enter');
				await popover.waitFor();
				if ((await popover.getAttribute('aria-label'))?.startsWith(name)) break;
				await page.keyboard.press('Escape');
				await page.keyboard.press('ArrowRight');
			}
			await popover.getByText(/./).first().waitFor();
			await expect.poll(() => popover.innerText()).toMatch(words);
			expect(await violations()).toEqual([]);
			await page.keyboard.press('Escape');
		}
		const rise = page.locator('.report-table tr').filter({ hasText: 'Above the reference' });
		expect(await rise.innerText()).toMatch(/[+−]?\d[\d.]*\s[+−]?\d+\u202f%/);
		expect(faults).toEqual([]);
	});

	test.each(wideLooks)('on paper the report tells it, too, in %s, %s', async (language, theme) => {
		const { id } = await quality();
		const { page, faults } = await open({ route: `/report/${id}?view=month&date=${lastMonth()}`, language, theme });
		await page.locator('.report-table tbody td .n').first().waitFor();
		await page.emulateMedia({ media: 'print' });
		await page.evaluate("dispatchEvent(new Event('beforeprint'))");
		const sheet = page.locator('.sheet').first();
		await sheet.waitFor();
		const words = {
			en: [/Above the reference/, /Night flow: Median of/, /Measured, not with/, /known hours/],
			es: [/Sobre la referencia/, /Night flow: Mediana de/, /Medido, sin el error/, /horas conocidas/],
		};
		for (const word of words[language === 'es' ? 'es' : 'en']) await expect.poll(() => sheet.innerText()).toMatch(word);
		// A4 upright within its margins: no column is cut off.
		await page.setViewportSize({ width: 703, height: 1032 });
		expect(await sheet.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
		expect(faults).toEqual([]);
	});

	test('an engineer enters the number of a month with its reason, sees it with a pencil, changes and deletes it', async () => {
		const { id, lines } = await quality();
		const entered = lines.findIndex((line: { readonly function: string }) => line.function === 'entered');
		const { page, faults, violations } = await open({ route: `/report/${id}?view=year&date=${lastMonth()}` });
		const cells = page.locator(`.report-table tbody tr td:nth-child(${entered + 2})`);
		const shown = (number: string) => cells.filter({ hasText: number }).filter({ hasText: '✎' });
		const entries = async () =>
			(await callOk(target, 'GET', `/getEntries?reportId=${id}`, { token: await signIn(target, 'a') })).data;
		const popover = page.getByRole('dialog', { name: /^Authorised/ });
		const enter = popover.getByRole('button', { name: 'Enter the number' });
		const empty = cells.filter({ hasText: 'Enter the number' }).first();
		await empty.waitFor();
		// The total of a year is that of its months: no number of its own would displace them.
		const total = page.locator(`.report-table tr.sum td:nth-child(${entered + 2})`);
		expect(await total.getAttribute('data-cell')).toBeNull();
		const before = await entries();
		await page.route('**/getEntries*', (route) => route.abort('connectionrefused'), { times: 3 });
		await empty.click();
		// While it is not known what is stored, nothing is typed over it.
		await popover.getByText('The entered numbers could not be read.').waitFor();
		expect(await enter.count()).toBe(0);
		await page.unroute('**/getEntries*');
		await popover.getByRole('button', { name: 'Try again' }).click();
		await enter.click();
		await popover.getByText('Write the number.').waitFor();
		await popover.getByText('Say where it comes from, for everybody who reads the report.').waitFor();
		await popover.getByLabel(/^Number in/).fill('1234');
		await popover.getByLabel('Where it comes from').fill('Read from the bills');
		expect(await violations()).toEqual([]);
		await enter.click();
		await shown('1\u202f234').waitFor();
		expect((await entries()).at(-1)).toMatchObject({
			reportId: id,
			key: lines[entered].key,
			value: 1234,
			reason: 'Read from the bills',
		});
		// Chosen again, it shows who entered it, and is changed in place.
		await shown('1\u202f234').click();
		await popover.getByText(/Entered by .*Read from the bills/).waitFor();
		await popover.getByLabel(/^Number in/).fill('1235');
		await enter.click();
		await shown('1\u202f235').waitFor();
		expect(await entries()).toHaveLength(before.length + 1);
		await shown('1\u202f235').click();
		await popover.getByRole('button', { name: 'Delete' }).click();
		await page
			.getByRole('dialog', { name: 'Delete Read from the bills?' })
			.getByRole('button', { name: 'Delete', exact: true })
			.click();
		await expect.poll(entries).toEqual(before);
		await expect.poll(() => shown('1\u202f235').count()).toBe(0);
		expect(faults.filter((fault) => !/getEntries|ERR_CONNECTION_REFUSED/.test(String(fault)))).toEqual([]);
	});

	test('where the days are sealed, a number that was entered or deleted later is told and not shown', async () => {
		const { id, lines } = await quality();
		const entered = lines.findIndex((line: { readonly function: string }) => line.function === 'entered');
		const token = await signIn(target, 'a');
		const year = Number(dateAgo(0).slice(0, 4)) - 1;
		const [from, to] = [`${year}-05-01`, `${year}-05-31`];
		const entry = { id: 0, reportId: id, key: lines[entered].key, from, to, value: 1250, reason: 'Letter' };
		await callOk(target, 'POST', '/saveEntry', { token, body: entry });
		await callOk(target, 'POST', '/sealReportDays', { token, body: { id, from, to, reason: 'Audit' } });
		const { page, faults } = await open({ route: `/report/${id}?view=year&date=${from}` });
		const cell = page.locator(`.report-table tbody tr:nth-child(5) td:nth-child(${entered + 2})`);
		const popover = page.getByRole('dialog', { name: /^Authorised/ });
		await cell.filter({ hasText: '1\u202f250' }).click();
		await popover.getByText(/^Entered by .*Letter$/).waitFor();
		await popover.getByLabel(/^Number in/).fill('1400');
		await popover.getByRole('button', { name: 'Enter the number' }).click();
		await page.getByText('The days are sealed: their number stays until they are sealed anew.').waitFor({ state: 'attached' });
		await cell.filter({ hasText: '1\u202f250' }).click();
		await popover.getByText(/^Entered by .*1400 m³ Letter$/).waitFor();
		await popover.getByText('That was entered after the days were sealed. Seal them anew, and it counts.').waitFor();
		// A month of changed days is told once.
		await popover.getByText(`31 days from`).waitFor();
		await popover.getByRole('button', { name: 'Delete' }).click();
		const question = page.getByRole('dialog', { name: 'Delete Letter?' });
		await question.getByText('The days are sealed: the report keeps the number until they are sealed anew.').waitFor();
		await question.getByRole('button', { name: 'Delete', exact: true }).click();
		await question.waitFor({ state: 'detached' });
		await cell.filter({ hasText: '1\u202f250' }).click();
		await popover.getByText('The entry of this number was deleted after the days were sealed.').waitFor();
		expect(faults).toEqual([]);
	});

	test('a viewer reads who entered a number and why, and is offered no form', async () => {
		const { id, lines } = await quality();
		const entered = lines.findIndex((line: { readonly function: string }) => line.function === 'entered');
		const entry = {
			id: 0,
			reportId: id,
			key: lines[entered].key,
			from: '2026-01-01',
			to: '2026-01-31',
			value: 7,
			reason: 'Bills',
		};
		await callOk(target, 'POST', '/saveEntry', { token: await signIn(target, 'a'), body: entry });
		const { page, faults } = await open({ tenant: 'viewer', route: `/report/${id}?view=year&date=2026-06-01` });
		const cells = page.locator(`.report-table tbody tr td:nth-child(${entered + 2})`);
		await cells.filter({ hasText: '✎' }).first().click();
		const popover = page.getByRole('dialog');
		await popover.getByText(/^Entered by .* Bills$/).waitFor();
		expect(await popover.getByRole('button', { name: 'Enter the number' }).count()).toBe(0);
		expect(await cells.filter({ hasText: '+' }).count()).toBe(0);
		expect(faults).toEqual([]);
	});
});
