import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { call, callOk, signIn } from '#test/e2e/target.ts';
import { attributesOf } from '#test/support/attributes-of.ts';
import { type ConsoleOptions, type ConsolePage, isFocused, wideLooks } from '#test/support/console-page.ts';
import { storeStagedPlant } from '#test/support/console-plant.ts';
import { expectFocus } from '#test/support/expect-focus.ts';
import { serveConsole, serveConsoleForEach } from '#test/support/serve-console.ts';

/** A line of every function: what is chosen, what is typed, by the labels of the fields, and what is stored then. */
const lines: readonly {
	readonly name: string;
	readonly what: string;
	readonly variable?: string;
	readonly fields?: Readonly<Record<string, string>>;
	/** A button that fills in what the variable offers. */
	readonly offer?: string;
	readonly stored: object;
}[] = [
	{
		name: 'Taken',
		what: 'Sum over time',
		variable: 'Intake flow',
		offer: 'm³/h: per hour, in m³',
		fields: { 'At least': '0', 'At most': '450', Decimals: '0', Group: 'Water' },
		stored: { function: 'total', varId: 1, per: 'h', range: [0, 450], unit: 'm³', decimals: 0, group: 'Water' },
	},
	{
		name: 'Night flow',
		what: 'Time-weighted mean',
		variable: 'Distribution flow',
		fields: { From: '02:00', To: '04:00', 'A sample counts for, in seconds': '1800' },
		stored: { function: 'mean', varId: 13, between: ['02:00', '04:00'], holdSeconds: 1800, unit: 'm³/h', group: 'Water' },
	},
	{
		name: 'Least flow',
		what: 'Lowest',
		variable: 'Distribution flow',
		fields: { Decimals: '3' },
		stored: { function: 'min', varId: 13, unit: 'm³/h', decimals: 3, group: 'Water' },
	},
	{
		name: 'Greatest flow',
		what: 'Highest',
		variable: 'Distribution flow',
		fields: { Unit: 'm3/h' },
		stored: { function: 'max', varId: 13, unit: 'm3/h', group: 'Water' },
	},
	{
		name: 'Hours',
		what: 'Run time',
		variable: 'Distribution flow',
		fields: { 'On above': '0' },
		stored: { function: 'onTime', varId: 13, above: 0, unit: 'h', group: 'Water' },
	},
	{
		name: 'Starts',
		what: 'Number of starts',
		variable: 'Distribution flow',
		fields: { 'On above': '10.5' },
		stored: { function: 'starts', varId: 13, above: 10.5, unit: '', decimals: 0, group: 'Water' },
	},
	{
		name: 'Pumped',
		what: 'Counter',
		variable: 'Pumped volume',
		fields: { 'Rolls over to 0 at': '10000', 'Falls by noise, at most': '0' },
		stored: { function: 'increase', varId: 42, counter: { size: 10_000, dip: 0 }, unit: 'm³', group: 'Water' },
	},
	{
		name: 'Lost',
		what: 'Formula',
		fields: { Formula: '{Taken} - {Pumped}', Unit: 'm³' },
		stored: { function: 'formula', unit: 'm³', group: 'Water' },
	},
	{
		name: 'Critical alarms',
		what: 'Alarms raised',
		fields: { Group: 'Alarms' },
		stored: { function: 'raised', unit: '', decimals: 0, group: 'Alarms' },
	},
	{
		name: 'Good',
		what: 'Within limits',
		variable: 'Distribution flow',
		fields: { 'Not less than': '0', 'Not more than': '300.5' },
		stored: { function: 'within', varId: 13, limits: [0, 300.5], unit: '%', group: 'Alarms' },
	},
	{
		name: 'Longest',
		what: 'Longest excursion',
		variable: 'Distribution flow',
		fields: { 'Not more than': '300' },
		stored: { function: 'longest', varId: 13, limits: [null, 300], unit: 'h', group: 'Alarms' },
	},
	{
		name: 'Grabs',
		what: 'Readings',
		variable: 'Distribution flow',
		fields: { 'Not less than': '1', 'A reading every, in seconds': '14400' },
		stored: { function: 'readings', varId: 13, limits: [1, null], every: 14_400, unit: '', decimals: 0, group: 'Alarms' },
	},
	{
		name: 'Often',
		what: 'Excursions',
		variable: 'Distribution flow',
		fields: { 'Not more than': '300', 'Outside for at least, in seconds': '900' },
		stored: { function: 'excursions', varId: 13, limits: [null, 300], forSeconds: 900, unit: '', decimals: 0, group: 'Alarms' },
	},
	{
		name: 'Stored',
		what: 'Change of a level',
		variable: 'Network tank level',
		fields: { 'And, in its unit': '0.01' },
		stored: { function: 'change', error: [0, 0.01], unit: 'm', group: 'Alarms' },
	},
	{
		name: 'Least',
		what: 'Night flow',
		variable: 'Distribution flow',
		fields: {
			...{
				'Least mean over, in seconds': '3600',
				'First night': '2026-09-01',
				'Nights, 7 to 56': '28',
				'More than': '6',
			},
			...{ 'In nights one after another': '3', From: '02:00', To: '05:00' },
		},
		stored: {
			...{ function: 'leastMean', varId: 13, over: 3600, between: ['02:00', '05:00'], unit: 'm³/h', group: 'Alarms' },
			...{ reference: { from: '2026-09-01', nights: 28 }, watch: { rise: 6, nights: 3 } },
		},
	},
	{
		name: 'Authorised',
		what: 'Entered',
		fields: { Unit: 'm³' },
		stored: { function: 'entered', unit: 'm³', group: 'Alarms' },
	},
];

/** What the fields of a report hold at first. */
const begun = { timeZone: 'Europe/Madrid', dayStart: '00:00', send: false, version: 1 };

describe.skipIf(inject('chromium') === null)('the editor of reports, in Chromium', () => {
	const served = serveConsole({ DEMO_PLANT: 'on' });
	const { target } = served;

	const open = (options: ConsoleOptions) => served.open({ route: '/report/new', ...options });
	const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
	const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
	const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
	const stored = async () => (await call(target, 'GET', '/getReports', { token: await signIn(target, 'a') })).body.data;
	const titled = async (title: string) =>
		(await stored()).findLast((report: { readonly title: string }) => report.title === title);
	const store = async (title: string, id = 0) => {
		const volume = { key: 'volume', name: 'Volume', unit: 'm³', function: 'total', varId: 1, per: 'h' };
		const half = { key: 'half', name: 'Half', unit: 'm³', function: 'formula', equation: tokens };
		const body = { id, title, timeZone: 'Europe/Madrid', lines: [volume, half] };
		return (await callOk(target, 'POST', '/saveReport', { token: await signIn(target, 'a'), body })).data.id;
	};
	const tokens = [
		{ type: 'variable', value: 'volume' },
		{ type: 'operator', value: '/' },
		{ type: 'number', value: '2' },
	];
	const expectStored = async (title: string) => {
		await expect.poll(async () => (await titled(title))?.lines.length).toBe(lines.length);
		const { lines: saved, ...report } = await titled(title);
		expect(report).toMatchObject(begun);
		expect(saved).toMatchObject(lines.map(({ name, stored: line }) => ({ key: name, name, ...line })));
		expect(saved[7].equation.map(({ value }: { readonly value: string }) => value)).toEqual(['Taken', '-', 'Pumped']);
		// What the function does not take is not stored, and neither is what was left empty.
		expect(Object.keys(saved[8]).sort()).toEqual(['decimals', 'function', 'group', 'key', 'name', 'unit']);
	};

	test('makes a report with a line of every function by mouse, and shows what each counted yesterday', async () => {
		const { page, faults, violations } = await open({});
		await field(page, 'Title').fill('By mouse');
		for (const { name, what, variable, offer, fields = {} } of lines) {
			await button(page, 'Add a line').click();
			await field(page, 'Name').fill(name);
			await field(page, 'What it counts').selectOption(what);
			if (variable !== undefined) {
				await page.getByRole('combobox', { name: 'Variable' }).fill(variable);
				await page.getByRole('option', { name: variable }).first().click();
			}
			if (offer !== undefined) await button(page, offer).click();
			for (const [label, text] of Object.entries(fields)) await field(page, label).fill(text);
		}
		await row(page, 'Lost').getByText(/\d m³/).waitFor();
		expect(await row(page, 'Taken').locator('td').nth(3).innerText()).toMatch(/^\d[\d\u202f]* m³$/);
		await row(page, 'Night flow').first().click();
		await page
			.getByRole('region', { name: 'Night flow' })
			.getByText(/% known|nothing known/)
			.waitFor();
		expect(await violations()).toEqual([]);
		await button(page, 'Save report').click();
		await page.waitForURL(/#\/report\/\d+$/);
		await expectFocus(page);
		await expectStored('By mouse');
		expect(faults).toEqual([]);
	});

	test('makes the same report by keyboard alone', async () => {
		const opened = await open({});
		const { page, faults, focusByKey } = opened;
		await focusByKey(field(page, 'Title'));
		await page.keyboard.type('By keyboard');
		for (const line of lines) await addByKeyboard(opened, line);
		// A row moves with the focus, and back.
		await focusByKey(page.locator('.report-lines tr[tabindex="0"]'), 'Shift+Tab');
		await page.keyboard.press('End');
		await page.keyboard.press('Alt+ArrowUp');
		await page.getByText('Authorised is now number 15').waitFor();
		await page.keyboard.press('Alt+ArrowDown');
		await page.getByText('Authorised is now number 16').waitFor();
		await page.keyboard.press('Control+s');
		await page.waitForURL(/#\/report\/\d+$/);
		await expectFocus(page);
		await expectStored('By keyboard');
		expect(faults).toEqual([]);
	}, 120_000);

	const addByKeyboard = async (
		{ page, focusByKey }: ConsolePage,
		{ name, what, variable, offer, fields = {} }: (typeof lines)[number],
	): Promise<void> => {
		await focusByKey(button(page, 'Add a line'), 'Shift+Tab');
		await page.keyboard.press('Enter');
		await page.locator('[data-form] input:focus').first().waitFor();
		await page.keyboard.type(name);
		await page.keyboard.press('Tab');
		for (let press = lines.findIndex((each) => each.what === what); press > 0; press -= 1) await page.keyboard.press('ArrowDown');
		if (variable !== undefined) {
			await focusByKey(page.getByRole('combobox', { name: 'Variable' }));
			await page.keyboard.type(variable);
			await page.getByRole('option', { name: variable }).first().waitFor();
			await page.keyboard.press('Enter');
		}
		if (offer !== undefined) {
			await focusByKey(button(page, offer));
			await page.keyboard.press('Enter');
		}
		for (const [label, text] of inOrderOfForm(fields)) {
			await focusByKey(field(page, label));
			await page.keyboard.press('Control+a');
			await page.keyboard.type(text);
		}
	};
	/** Tab leads through the form from above. */
	const inOrderOfForm = (fields: Readonly<Record<string, string>>) => {
		const last = ['A sample counts for, in seconds', 'Unit', 'Decimals', 'Group'];
		return Object.entries(fields).sort(([a], [b]) => last.indexOf(a) - last.indexOf(b));
	};
	test('says at each field what is wrong, before a save and after it, and leads to the first', async () => {
		const { page, faults } = await open({});
		await button(page, 'Add a line').click();
		await field(page, 'What it counts').selectOption('Sum over time');
		await field(page, 'At least').fill('5');
		await field(page, 'At most').fill('2');
		await page.getByText('Its first number must not be greater than its second.').waitFor();
		await field(page, 'At most').fill('many');
		await page.getByText('Write a number, with “.” before decimals').waitFor();
		expect(await page.getByText('Choose a variable.').count()).toBe(0);
		await button(page, 'Save report').click({ force: true });
		await page.getByText('Type a title.').waitFor();
		await page.getByText('Choose a variable.').waitFor();
		await page.getByText('Choose the unit of time of the rate.').waitFor();
		await expect.poll(() => field(page, 'Title').evaluate(isFocused)).toBe(true);
		// What the line counts over hours of which one is missing.
		await field(page, 'To').fill('4');
		await page.getByText('Type a time of day, such as 06:30.').waitFor();
		await field(page, 'From').fill('230');
		await page.getByText('Type a time of day, such as 06:30.').waitFor({ state: 'detached' });
		expect(await field(page, 'To').inputValue()).toBe('04:00');
		await field(page, 'What it counts').selectOption('Formula');
		await field(page, 'Formula').fill('{Nothing} + 1');
		await page.getByText('no earlier line has the name {Nothing}.').waitFor();
		await field(page, 'Time zone').fill('Nowhere');
		await page.getByText('Type the name of a time zone, such as Europe/Madrid or UTC.').waitFor();
		expect(await titled('')).toBeUndefined();
		expect(faults).toEqual([]);
	});

	test('a line of a variable that reads windows offers how long a sample counts', async () => {
		const token = await signIn(target, 'a');
		const { body } = await call(target, 'GET', '/getVarsTsdb?ids=1', { token });
		const [simple] = Object.values<object>(body.data[0].varsTsdb);
		const name = 'Mean of windows';
		const variable = { ...body.data[0], id: 0, name, varsTsdb: { [name]: { ...simple, calc_type_period: 'mean' } } };
		await callOk(target, 'POST', '/saveVariable', { token, body: variable });
		const { page, faults } = await open({});
		await button(page, 'Add a line').click();
		await field(page, 'What it counts').selectOption('Time-weighted mean');
		await page.getByRole('combobox', { name: 'Variable' }).fill(name);
		await page.getByRole('option', { name }).first().click();
		await page.getByText('which does not say how often its source reports').waitFor();
		await button(page, 'an hour: 3600').click();
		expect(await field(page, 'A sample counts for, in seconds').inputValue()).toBe('3600');
		// The name and the unit are those of the variable, because nothing else was typed.
		expect(await field(page, 'Name').inputValue()).toBe(name);
		expect(await field(page, 'Unit').inputValue()).toBe('m³/h');
		expect(faults).toEqual([]);
	});

	test('overwrites nothing: shows theirs beside mine, and saves the choice', async () => {
		const id = await store('Shared');
		const { page, faults } = await open({ route: `/report/${id}-edit` });
		await row(page, 'Volume').first().click();
		await field(page, 'Name').fill('My volume');
		await store('Their title', id);
		await button(page, 'Save report').click();
		const dialog = page.getByRole('dialog', { name: 'Somebody else saved this report' });
		await dialog.getByRole('radio').first().waitFor();
		expect(await attributesOf(dialog.getByRole('radio', { checked: true }), 'aria-label')).toEqual([
			'Title: Theirs: Their title',
			expect.stringMatching(/^Volume: Mine: My volume: Sum over time/),
		]);
		await button(page, 'Go on with the choice').click();
		await expectFocus(page);
		await button(page, 'Save report').click();
		await page.waitForURL(/#\/report\/\d+$/);
		expect(await titled('Their title')).toMatchObject({ version: 3, lines: [{ name: 'My volume', key: 'volume' }, {}] });
		expect(faults).toEqual([expect.stringContaining('412')]);
	});

	test('asks before changes are lost, and keeps them when the answer is no', async () => {
		const id = await store('Kept');
		const { page } = await open({ route: `/report/${id}-edit` });
		await field(page, 'Title').fill('Changed');
		const asked: string[] = [];
		page.on('dialog', (dialog) => {
			asked.push(dialog.message());
			void (asked.length === 1 ? dialog.dismiss() : dialog.accept());
		});
		await page.getByRole('link', { name: 'Overview' }).first().click();
		await expect.poll(() => asked).toEqual(['Leave without saving? What you changed is lost.']);
		expect(await field(page, 'Title').inputValue()).toBe('Changed');
		await button(page, 'Discard').click();
		await page.waitForURL(/#\/report\/\d+$/);
		expect(asked[1]).toBe('Discard what you changed?');
		expect(await titled('Changed')).toBeUndefined();
	});

	test('deletes a report after it was asked, and shows its changes beside it', async () => {
		const id = await store('Short-lived');
		const { page, faults } = await open({ route: `/report/${id}-edit` });
		await button(page, 'Changes').click();
		await page.getByRole('region', { name: 'Changes' }).getByRole('row').nth(1).waitFor();
		await page.getByRole('region', { name: 'Changes' }).getByRole('button', { name: 'Close' }).click();
		await button(page, 'Delete…').click();
		await page.getByText('Its stored days stay, and are there again when it is restored from the changes.').waitFor();
		await button(page, 'Delete').click();
		await page.waitForURL(/#\/report$/);
		await expectFocus(page);
		expect((await stored()).map((report: { readonly id: number }) => report.id)).not.toContain(id);
		expect(faults).toEqual([]);
	});

	test('a removed line leaves the formula that used it with an error, and a renamed one is renamed there', async () => {
		const id = await store('Formulas');
		const { page, faults } = await open({ route: `/report/${id}-edit` });
		await row(page, 'Volume').first().click();
		await field(page, 'Name in formulas').fill('all water');
		await row(page, 'Half').getByText('{all water} / 2').waitFor();
		await button(page, 'Remove Volume').click();
		await page.getByText('Volume removed').waitFor();
		await row(page, 'Half').getByLabel('1 field is wrong').waitFor();
		await expectFocus(page);
		expect(faults).toEqual([]);
	});

	test.each(wideLooks)('has nothing that axe-core finds, in %s, %s', async (language, theme) => {
		const id = await store(`Axe ${language}`);
		const { page, expectAccessible } = await open({ route: `/report/${id}-edit`, language, theme });
		for (const name of ['Volume', 'Half']) {
			await row(page, name).first().click();
			await page.locator('[data-form] .line-result b').waitFor();
			await expectAccessible();
		}
	});

	test('fits into 320 px, in the longer language', async () => {
		const id = await store('Narrow');
		const { page, expectAccessible } = await open({
			route: `/report/${id}-edit`,
			language: 'es',
			size: { width: 320, height: 800 },
		});
		await page.locator('[data-line]').first().click();
		await page.locator('[data-form] .line-result b').waitFor();
		await expectAccessible();
	});

	describe('an empty plant', () => {
		const { target, open } = serveConsoleForEach();

		test('is led to its first variable, and then to its first report', async () => {
			const { page, faults, goTo, violations } = await open({ route: '/report/new', tenant: 'b' });
			await page.getByText('No variables yet').waitFor();
			expect(await violations()).toEqual([]);
			await storeStagedPlant(target);
			await goTo('/overview');
			await page.locator('.tile').first().waitFor();
			await goTo('/report/new');
			await field(page, 'Title').fill('First');
			await page.getByText('No lines yet.').waitFor();
			await button(page, 'Add a line').click();
			await field(page, 'What it counts').selectOption('Number of starts');
			await page.getByRole('combobox', { name: 'Variable' }).fill('Status');
			await page.getByRole('option', { name: 'Status' }).first().click();
			await page.getByText('Choose a bit: Status is a byte.').waitFor();
			await field(page, 'Bit').selectOption('0');
			await button(page, 'Save report').click();
			await page.waitForURL(/#\/report\/\d+$/);
			const token = await signIn(target, 'b');
			expect((await callOk(target, 'GET', '/getReports', { token })).data).toMatchObject([
				{ title: 'First', lines: [{ name: 'Status', function: 'starts', bit: 0, decimals: 0 }] },
			]);
			expect(faults).toEqual([]);
		});
	});
});
