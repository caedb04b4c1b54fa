import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import type { ConsoleOptions } from '#test/support/console-page.ts';
import { feedStagedPlant, storeStagedPlant } from '#test/support/console-plant.ts';
import { createPageClock } from '#test/support/page-clock.ts';
import { serveConsole } from '#test/support/serve-console.ts';

describe.skipIf(inject('chromium') === null)('the overview of the console, in Chromium', () => {
	const demo = serveConsole({ DEMO_PLANT: 'on' });
	const staged = serveConsole();
	beforeAll(async () => {
		await storeStagedPlant(staged.target);
	});

	const openStaged = async (options: ConsoleOptions = {}) => {
		await feedStagedPlant(staged.target);
		const opened = await staged.open({ tenant: 'b', ...options });
		await opened.page.getByRole('link', { name: 'Zero flow' }).getByText('0.0').waitFor();
		// Alarms are read by another request, and put their tiles first.
		await tile(opened.page, 'Warm pump').locator('.alarm-mark').waitFor();
		return opened;
	};
	const namesIn = (page: Page, process: string) => page.getByRole('region', { name: process }).locator('.name').allInnerTexts();
	const tile = (page: Page, name: string) =>
		page.locator('.tile, .value-row').filter({
			has: page.locator('.name:not(.bits *)').and(page.getByText(name, { exact: true })),
		});

	test('shows every variable of the demo plant by process, with value, unit and age, and asks its own origin only', async () => {
		const { page, faults, origins } = await demo.open();
		await page.locator('.tile').nth(27).waitFor();
		expect(await page.locator('.lane h2 .lane-name').allInnerTexts()).toEqual([
			'Intake',
			'Filtration',
			'Disinfection',
			'Pumping',
			'Distribution',
			'Control',
		]);
		const level = page.getByRole('link', { name: /^Raw tank level\b(?!,)/ });
		await level
			.locator('.value b')
			.getByText(/^\d\.\d\d$/)
			.waitFor();
		expect(await level.locator('.unit').innerText()).toBe('m');
		expect(await level.locator('time').innerText()).toMatch(/^\d+ s$/);
		expect(await level.locator('time').getAttribute('title')).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
		// A tank at rest draws a level line, whose box has no height.
		await level.locator('.sparkline path[d^="M0 "]').first().waitFor({ state: 'attached' });
		await level.locator('.range-bar .band').waitFor();
		await page
			.getByRole('link', { name: /Distribution pump/ })
			.first()
			.locator('.strip')
			.waitFor();
		expect(await page.locator('.bits li').count()).toBe(8);
		expect([faults, [...origins]]).toEqual([[], [demo.target.baseUrl]]);
	});

	test('reads values in one request, and the pasts of all tiles in view in one request each, once a minute', async () => {
		// A screen without values.
		const { page } = await demo.open({ route: '/variables/new', stopsClock: true });
		const asked: string[] = [];
		page.on('request', (request) => {
			const path = new URL(request.url()).pathname;
			if (request.method() === 'POST') asked.push(`${path} ${JSON.parse(request.postData() ?? '').points ?? ''}`.trim());
		});
		const countOf = (what: string) => asked.filter((each) => each === what).length;
		// It gives requests the time that they take: a page without answers asks for no pasts.
		const clock = createPageClock(page);
		const pasts = () => [countOf('/history 62'), countOf('/history 98')];
		await page.evaluate("location.hash = '/overview'");
		await clock.until(50, async () => (await page.locator('.tile .value:not(.none)').count()) > 20);
		expect(countOf('/multipleDataTsdb')).toBe(1);
		await clock.until(1000, async () => !pasts().includes(0));
		await page.locator('.range-bar .band').first().waitFor();
		await clock.pass(50);
		expect(pasts()).toEqual([1, 1]);
		await clock.until(5000, async () => countOf('/history 62') > 1);
		expect(pasts()).toEqual([2, 1]);
	});

	test('says each quality by word and shape, shows zero as a value, and never a number that cannot be trusted', async () => {
		const { page, faults } = await openStaged();
		const shown = async (name: string) => ({
			number: await tile(page, name).locator('.value b').innerText(),
			word: (await tile(page, name).locator('.quality').allInnerTexts()).join(),
			shape:
				(await tile(page, name).locator('.quality use').count()) === 0
					? ''
					: await tile(page, name).locator('.quality use').getAttribute('href'),
			isOld: (await tile(page, name).locator('.value.old').count()) === 1,
		});
		expect(await shown('Zero flow')).toEqual({ number: '0.0', word: '', shape: '', isOld: false });
		expect(await shown('Old level')).toEqual({ number: '3.00', word: 'Stale', shape: '#q-stale', isOld: true });
		expect(await shown('Silent level')).toEqual({ number: '– –', word: 'No data', shape: '#q-no_data', isOld: false });
		expect(await shown('Ratio')).toEqual({ number: '– –', word: 'Bad', shape: '#q-bad', isOld: false });
		expect(await shown('Text')).toEqual({ number: '– –', word: 'Bad', shape: '#q-bad', isOld: false });
		expect(await tile(page, 'Ratio').locator('.reason').innerText()).toContain('the formula divides by zero: b');
		expect(await tile(page, 'Pump 1').locator('.word').innerText()).toBe('Running');
		expect(await tile(page, 'Inlet valve').locator('.word').innerText()).toBe('Closed');
		expect(await page.locator('.bits li').allInnerTexts()).toEqual(['Pump 1\nOn', 'Alarm\nOn']);
		expect(faults).toEqual([]);
	});

	test('has the worst first, and counts alarms and faults in the head of a process and in filters', async () => {
		const { page } = await openStaged();
		await tile(page, 'High level').locator('.alarm-mark').waitFor();
		expect(await namesIn(page, 'tanks')).toEqual(['High level', 'Ratio', 'Silent level', 'Old level']);
		expect(await namesIn(page, 'pumping')).toEqual(['Warm pump', 'Text', 'Fresh flow', 'Zero flow', 'Pump 1', 'Inlet valve']);
		expect(await page.locator('.chip').allInnerTexts()).toEqual(['11\nvariables', '2\nBad', '1\nNo data', '1\nStale', '7\nGood']);
		expect(await page.getByRole('region', { name: 'tanks' }).locator('.lane-counts').innerText()).toMatch(/^\s*1\n1\n1\n1\n4$/);
		expect(await tile(page, 'High level').locator('.reason').innerText()).toMatch(
			/^Level high · alarm if > 4 m · .*(not evaluated yet|unacknowledged)$/,
		);
	});

	test('moves nothing under the pointer, and puts the worst first when the pointer has gone', async () => {
		const { page } = await openStaged();
		const before = await namesIn(page, 'pumping');
		await page.getByText('Inlet valve').hover();
		await feedStagedPlant(staged.target, { 'Zero flow': '"text"' });
		await page.keyboard.press('r');
		await tile(page, 'Zero flow').getByText('Bad').waitFor();
		expect(await namesIn(page, 'pumping')).toEqual(before);
		await page.getByRole('heading', { name: 'Overview' }).hover();
		await expect
			.poll(() => namesIn(page, 'pumping'))
			.toEqual(['Warm pump', 'Zero flow', 'Text', 'Fresh flow', 'Pump 1', 'Inlet valve']);
		await feedStagedPlant(staged.target, { 'Zero flow': 0 });
	});

	test('filters by quality and by words, by mouse', async () => {
		const { page } = await openStaged();
		await page.getByRole('button', { name: '2 Bad' }).click();
		expect(await page.locator('.tile .name').allInnerTexts()).toEqual(['Text', 'Ratio']);
		await page.getByRole('button', { name: '1 Stale' }).click();
		expect(await page.locator('.tile .name').allInnerTexts()).toEqual(['Text', 'Ratio', 'Old level']);
		expect(await page.getByRole('status').allInnerTexts()).toContain('3 of 11 variables');
		await page.getByLabel('Find a variable').fill('level');
		expect(await page.locator('.tile .name').allInnerTexts()).toEqual(['Old level']);
		await page.getByLabel('Find a variable').fill('nothing like it');
		await page.getByText('Nothing matches').waitFor();
		await page.getByRole('button', { name: 'Clear' }).click();
		expect(await page.locator('.tile').count()).toBe(11);
	});

	test('filters, moves among tiles and opens a trend by keyboard alone', async () => {
		const { page, focusByKey, faults } = await openStaged();
		await page.keyboard.press('/');
		await page.keyboard.type('pumping');
		await expect.poll(() => page.locator('.tile').count()).toBe(6);
		await page.keyboard.press('Escape');
		await expect.poll(() => page.locator('.tile').count()).toBe(11);
		await focusByKey(page.getByRole('button', { name: '1 No data' }), 'Shift+Tab');
		await page.keyboard.press('Space');
		expect(await page.locator('.tile .name').allInnerTexts()).toEqual(['Silent level']);
		await page.keyboard.press('Space');
		await focusByKey(tile(page, 'Warm pump'));
		const focused = () => page.evaluate('document.activeElement.querySelector(".name").textContent');
		await page.keyboard.press('ArrowDown');
		expect(await focused()).toBe('Text');
		await page.keyboard.press('ArrowUp');
		await page.keyboard.press('ArrowRight');
		expect(await focused()).toBe('High level');
		await page.keyboard.press('ArrowLeft');
		expect(await focused()).toBe('Warm pump');
		await page.keyboard.press('Enter');
		await expect.poll(() => new URL(page.url()).hash).toMatch(/^#\/trend\?ids=\d+$/);
		expect(faults).toEqual([]);
	});

	test('shows rows where the person wants them, and remembers it', async () => {
		const { page, focusByKey } = await openStaged();
		await page.getByRole('radio', { name: 'Rows' }).check();
		expect(await page.locator('.value-row').count()).toBe(11);
		expect(await tile(page, 'Silent level').innerText()).toMatch(/No data/);
		expect(await tile(page, 'Zero flow').locator('.value').innerText()).toMatch(/0\.0\b/);
		await page.reload();
		await page.locator('.value-row').nth(10).waitFor();
		await focusByKey(page.getByRole('radio', { name: 'Rows' }));
		await page.keyboard.press('ArrowLeft');
		await page.locator('.tile').nth(10).waitFor();
	});

	test.each([1440, 320])(
		'keeps the borders of alarms and the mark of the screen in forced colours, %i px wide',
		async (width) => {
			const { page } = await openStaged({ size: { width, height: 900 } });
			await page.locator('.tile.alarm').first().waitFor();
			await page.emulateMedia({ forcedColors: 'active' });
			const stylesOf = (selector: string, style: string) =>
				page.evaluate<string[]>(
					`[...document.querySelectorAll('${selector}')].map((each) => getComputedStyle(each)).map((style) => ${style})`,
				);
			const alarms = await stylesOf('.tile.alarm', "style.outlineStyle + ' ' + style.outlineWidth");
			expect(alarms.length).toBeGreaterThan(1);
			for (const outline of alarms) expect(outline).toMatch(/^(solid|dashed) [24]px$/);
			const marks = await stylesOf(width > 900 ? '.nav a' : '.tabs > *', "style.outlineStyle + ' ' + style.borderLeftColor");
			// Overview is the first, and is on the screen.
			expect(marks.filter((mark) => mark === marks[0])).toHaveLength(1);
		},
	);

	test('says how to begin where nothing is there', async () => {
		const { page, faults, violations } = await demo.open({ tenant: 'b' });
		await page.getByText('No variables yet').waitFor();
		expect(await violations()).toEqual([]);
		await page.getByRole('link', { name: 'New variable' }).click();
		await expect.poll(() => new URL(page.url()).hash).toBe('#/variables/new');
		expect(faults).toEqual([]);
	});

	test('says that variables could not be read, and reads them when asked', async () => {
		const { page, goTo } = await demo.open({ route: '/alarms' });
		await page.route('**/getVarsTsdb*', (route) => route.fulfill({ status: 503, json: { message: 'Service Unavailable' } }));
		await goTo('/overview');
		await page.getByText('The variables could not be read.').waitFor();
		await page.unroute('**/getVarsTsdb*');
		await page.getByRole('button', { name: 'Try again' }).click();
		await page.getByText('The variables could not be read.').waitFor({ state: 'detached' });
		await page.locator('.tile').nth(27).waitFor();
	});

	test('has the column of what needs somebody now on wide screens only', async () => {
		const { page } = await openStaged({ size: { width: 1920, height: 1080 } });
		const column = page.getByRole('complementary', { name: 'Now' });
		await column.getByText('Level high').waitFor();
		expect(await column.locator('a').allInnerTexts()).toEqual([
			'Level high',
			'Pump warm',
			'Flow noticed',
			'Text',
			'Ratio',
			'Silent level',
			'Old level',
		]);
		await page.setViewportSize({ width: 1900, height: 1080 });
		expect(await column.isVisible()).toBe(false);
	});

	test.each([
		['en', 'light', 1440, 'Tiles'],
		['es', 'dark', 1440, 'Filas'],
		['es', 'light', 320, 'Recuadros'],
		['en', 'dark', 320, 'Rows'],
		['es', 'light', 1920, 'Recuadros'],
	] as const)('has nothing that axe-core finds, in %s, %s, %i px wide, as %s', async (language, theme, width, view) => {
		await feedStagedPlant(staged.target);
		const { page, expectAccessible, faults } = await staged.open({ tenant: 'b', language, theme, size: { width, height: 900 } });
		await page.locator('.tile').nth(10).waitFor();
		await page.getByRole('radio', { name: view }).check();
		await page.locator('#content .alarm-mark').first().waitFor();
		await expectAccessible();
		expect(faults).toEqual([]);
	});
});
