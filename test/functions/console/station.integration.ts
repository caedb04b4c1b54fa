import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { call, callOk, signIn } from '#test/e2e/target.ts';
import { attributesOf } from '#test/support/attributes-of.ts';
import { type ConsoleOptions, looks } from '#test/support/console-page.ts';
import { feedStagedPlant, storeStagedPlant } from '#test/support/console-plant.ts';
import { expectFocus } from '#test/support/expect-focus.ts';
import { serveConsole, serveConsoleForEach } from '#test/support/serve-console.ts';

describe.skipIf(inject('chromium') === null)('the station, in Chromium', () => {
	const demo = serveConsole({ DEMO_PLANT: 'on' });
	const { target, ...served } = serveConsoleForEach();
	let ids: ReadonlyMap<string, number>;
	beforeEach(async () => {
		ids = await storeStagedPlant(target);
	});

	const open = (options: ConsoleOptions = {}) => served.open({ route: '/station', tenant: 'b', ...options });
	const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
	const pump = (page: Page, name: string) => page.locator('.pump').filter({ hasText: name });
	const state = (page: Page, name: string) => page.locator('.state').filter({ hasText: name });
	const shapeOf = (page: Page, item: string) => page.locator(`${item} > svg use`).first().getAttribute('href');
	const idOf = (name: string): number => ids.get(name) ?? 0;
	const save = async (panel: unknown) => {
		await callOk(target, 'POST', '/bombs', { token: await signIn(target, 'b'), body: panel });
	};
	const stored = async () => (await call(target, 'GET', '/bombs', { token: await signIn(target, 'b') })).body.data;
	const item = (id: number, name: string, variable: string, rest = {}) => ({ id, name, varId: idOf(variable), ...rest });
	const makePanel = () => ({
		title: 'Works',
		pumps: [
			item(1, 'Pump one', 'Pump 1', { type: 'pump' }),
			item(2, 'Pump two', 'Status', { type: 'pump', bit: 0 }),
			item(3, 'Old pump', 'Old level', { type: 'pump' }),
		],
		states: [
			item(1, 'Inlet valve', 'Inlet valve', { type: 'status' }),
			item(2, 'Backwash', 'Status', { type: 'status', bit: 7 }),
		],
	});

	test('shows the pumps of the demo with their states, their last day, and the values beside them', async () => {
		const { page, faults, origins } = await demo.open({ route: '/station', script: polledSeldom });
		await page.getByRole('heading', { name: 'Pump station' }).waitFor();
		await page.locator('.pump .timeline-foot').getByText('start').nth(3).waitFor();
		const words = () => page.locator('.pump .word').allInnerTexts();
		const shown = expect.stringMatching(/^(Running|Stopped)$/);
		await expect.poll(words).toEqual(Array(4).fill(shown));
		const running = (await words()).filter((word) => word === 'Running').length;
		await page.getByText(`${running} of 4 running`).waitFor();
		expect(await page.locator('.pump > svg use[href="#pump-on"]').count()).toBe(running);
		// The minute may have changed another bit of the byte: then nothing is said of how long.
		const since = expect.stringMatching(/^(for .* · \d+ s|sample \d+ s old)$/);
		await expect.poll(() => page.locator('.pump .since').allInnerTexts()).toEqual(Array(4).fill(since));
		await expect.poll(() => state(page, 'Filter inlet valve').locator('.word').innerText()).toMatch(/^(Open|Closed)$/);
		await page.getByRole('link', { name: 'Distribution flow' }).click();
		await page.waitForURL(/#\/trend\?ids=13/);
		expect([faults, [...origins]]).toEqual([[], [demo.target.baseUrl]]);
	});

	test.each(['/station', '/station/edit'])(
		'leads to the first variable of an empty plant, without an error: %s',
		async (route) => {
			const { page, faults, violations } = await open({ tenant: 'a', route });
			await page.getByText('No variables yet').waitFor();
			expect(await violations()).toEqual([]);
			await page.getByRole('link', { name: 'New variable' }).click();
			await page.getByLabel('Topic').waitFor();
			expect(faults).toEqual([]);
		},
	);

	test('has no panel at first, and sets one up by mouse', async () => {
		const { page, faults } = await open();
		await page.getByText('No panel yet').waitFor();
		await page.getByRole('link', { name: 'Set up' }).click();
		await page.getByRole('heading', { level: 1, name: 'Station' }).waitFor();
		await page.getByText('new panel').waitFor();
		await page.getByLabel('Title').fill('Works');
		await button(page, 'Save panel').click();
		await page.getByText('At least one pump or one state is required.').waitFor();

		await button(page, 'Add a pump').click();
		await page.getByLabel('Name').fill('Feed pump');
		await page.getByRole('combobox', { name: 'Variable' }).fill('stat');
		await page.getByRole('option', { name: 'Status' }).click();
		await page.getByText('Choose a bit: Status is a byte.').waitFor();
		// It is dashed while something is wrong, and leads to what is.
		await button(page, 'Save panel').click({ force: true });
		await page.locator('select[aria-invalid=true]:focus').waitFor();
		await page.getByLabel('Bit', { exact: true }).selectOption('0');
		await button(page, 'Save panel').click();
		await page.getByRole('heading', { name: 'Works' }).waitFor();
		await expectFocus(page);
		await pump(page, 'Feed pump')
			.locator('.word', { hasText: /^Running$/ })
			.waitFor();
		expect(await stored()).toMatchObject({ version: 1, pumps: [{ name: 'Feed pump', varId: idOf('Status'), bit: 0 }] });
		// Nothing but `GET /bombs` tells whether there is a panel; it answers 404 where there is none, and Chromium reports that itself.
		expect(faults).toEqual([expect.stringContaining('404')]);
	});

	test('names the input that is at fault in a calculated state, and not the variable of any other', async () => {
		await save({
			...makePanel(),
			states: [item(1, 'Mixing', 'Ratio', { type: 'status' }), item(2, 'Hatch', 'Text', { type: 'status' })],
		});
		await feedStagedPlant(target, { a: '"closed"' });
		const { page } = await open();
		await expect.poll(() => state(page, 'Mixing').locator('.reason').innerText()).toMatch(/^Bad · [^:]+: a$/);
		expect(await state(page, 'Hatch').locator('.reason').innerText()).toMatch(/^Bad · [^:]+$/);
	});

	test('says by shape and word what runs, is open, is not known, and why', async () => {
		await save(makePanel());
		await feedStagedPlant(target, { Status: 1 });
		const { page, faults } = await open();
		await pump(page, 'Pump one').getByText('Running').waitFor();
		expect(await shapeOf(page, '.pump:nth-child(1)')).toBe('#pump-on');
		expect(await pump(page, 'Pump two').locator('.word').innerText()).toBe('Running');
		// The last state of a stale variable is grey and regular, and no shape says that the pump runs.
		const lastWord = pump(page, 'Old pump').locator('.word.old');
		expect(await lastWord.innerText()).toBe('Running');
		expect(await page.evaluate('getComputedStyle(document.querySelector(".pump .word.old")).fontWeight')).toBe('400');
		expect(await pump(page, 'Old pump').locator('.reason').innerText()).toMatch(/^Stale · .* old$/);
		expect(await shapeOf(page, '.pump:nth-child(3)')).toBe('#pump-unknown');
		await page.getByText('2 of 2 running').waitFor();
		expect(await state(page, 'Inlet valve').locator('.word').innerText()).toBe('Closed');
		expect(await shapeOf(page, '.state:nth-child(1)')).toBe('#valve-closed');
		expect(await state(page, 'Backwash').locator('.word').innerText()).toBe('Off');
		await feedStagedPlant(target, { 'Pump 1': 0, 'Inlet valve': 1, Status: 0b10000000 });
		await page.keyboard.press('r');
		await pump(page, 'Pump one').getByText('Stopped').waitFor();
		await state(page, 'Inlet valve').getByText('Open').waitFor();
		expect(await state(page, 'Backwash').locator('.word').innerText()).toBe('On');
		expect(faults).toEqual([]);
	});

	test('says in words that the history is read, or could not be, and never draws that as off', async () => {
		await save(makePanel());
		const { page } = await served.openEmpty({ tenant: 'b' });
		const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
		await page.route('**/history', async (route) => {
			await answered;
			await route.fulfill({ status: 503, json: { message: 'Service Unavailable' } });
		});
		await page.goto(`${target.baseUrl}/console#/station`);
		const strip = pump(page, 'Pump one').locator('.timeline');
		await strip.getByText('Reading…').waitFor();
		expect(await strip.locator('.strip > .unknown').getAttribute('style')).toContain('width: 100%');
		answer();
		await strip.getByText('the history could not be read').waitFor();
		expect(await strip.locator('.strip > .unknown').getAttribute('style')).toContain('width: 100%');
	});

	test.each([1440, 2560])('says what a strip shows in one line, %i px wide', async (width) => {
		const { page } = await demo.open({ route: '/station', language: 'es', size: { width, height: 1440 } });
		await page.locator('.pump .timeline-foot').getByText('arranque').nth(3).waitFor();
		const heights = await page.locator('.timeline-foot').evaluateAll(heightsInLines);
		expect(heights.filter((lines) => lines >= 2)).toEqual([]);
	});

	test('changes the panel by keyboard alone: order, name, a new state, a row removed', async () => {
		await save(makePanel());
		const { page, focusByKey, faults } = await open();
		await focusByKey(page.getByRole('radio', { name: 'View' }));
		await page.keyboard.press('ArrowRight');
		await button(page, 'Save panel').waitFor();
		await focusByKey(page.getByRole('row').filter({ hasText: 'Pump one' }));
		await page.keyboard.press('Alt+ArrowDown');
		await page.getByText('Pump one is now number 2').waitFor();
		await focusByKey(button(page, 'Move Pump one down'));
		await page.keyboard.press('Enter');
		await page.getByText('Pump one is now number 3').waitFor();
		// The focus stays on the button, so the next press goes on.
		await focusByKey(button(page, 'Remove Old pump'));
		await page.keyboard.press('Enter');
		await page.getByText('Old pump removed').waitFor();
		await focusByKey(button(page, 'Add a state'));
		await page.keyboard.press('Enter');
		await page.keyboard.type('Drain valve');
		await page.keyboard.press('Tab');
		await page.keyboard.type('inlet');
		await page.getByRole('option', { name: 'Inlet valve' }).waitFor();
		await page.keyboard.press('Enter');
		await page.keyboard.press('Control+s');
		await page.getByRole('radio', { name: 'View' }).waitFor();
		expect((await stored()).pumps.map(({ name }: { name: string }) => name)).toEqual(['Pump two', 'Pump one']);
		expect((await stored()).states.at(-1)).toMatchObject({ id: 3, name: 'Drain valve', varId: idOf('Inlet valve') });
		expect(faults).toEqual([]);
	});

	test('overwrites nothing: shows theirs beside mine, and saves the choice', async () => {
		await save(makePanel());
		const { page, faults } = await open({ route: '/station/edit' });
		await page.getByRole('row').filter({ hasText: 'Pump one' }).click();
		await page.getByLabel('Name').fill('My pump');
		await save({ ...makePanel(), title: 'Their works' });
		await button(page, 'Save panel').click();
		const dialog = page.getByRole('dialog', { name: 'Somebody else saved this panel' });
		await dialog.getByRole('radio').first().waitFor();
		expect(await attributesOf(dialog.getByRole('radio', { checked: true }), 'aria-label')).toEqual([
			'Title: Theirs: Their works',
			'Pump Pump one: Mine: My pump: Pump 1',
		]);
		expect((await stored()).title).toBe('Their works');
		await button(page, 'Go on with the choice').click();
		await expectFocus(page);
		await button(page, 'Save panel').click();
		await page.getByRole('heading', { name: 'Their works' }).waitFor();
		await expectFocus(page);
		// The heading may be that of the editor, while the panel is still being saved.
		await expect.poll(async () => (await stored()).pumps[0].name).toBe('My pump');
		expect(faults).toEqual([expect.stringContaining('412')]);
	});

	test('shows an item whose variable was deleted, and binds it anew', async () => {
		const token = await signIn(target, 'b');
		const body = { ...makePanel(), pumps: [...makePanel().pumps, item(4, 'Booster', 'Warm pump', { type: 'pump' })] };
		await save(body);
		await call(target, 'POST', `/deleteVar/${idOf('Warm pump')}`, { token });
		const { page, faults } = await open();
		await pump(page, 'Booster')
			.getByText(`Missing reference · there is no variable ${idOf('Warm pump')}`)
			.waitFor();
		expect(await pump(page, 'Booster').locator('.word').innerText()).toBe('Unknown');
		expect(await shapeOf(page, '.pump:nth-child(4)')).toBe('#pump-unknown');
		await pump(page, 'Booster').getByText('no history').waitFor();
		await page.locator('.segmented label').filter({ hasText: 'Edit' }).click();
		await page.getByRole('row').filter({ hasText: 'Booster' }).click();
		await page.getByText(`There is no variable ${idOf('Warm pump')}`).waitFor();
		await page.getByRole('combobox', { name: 'Variable' }).fill('pump 1');
		await page.getByRole('option', { name: 'Pump 1' }).click();
		await button(page, 'Save panel').click();
		await page.getByRole('radio', { name: 'View' }).waitFor();
		expect((await stored()).pumps[3]).toMatchObject({ name: 'Booster', varId: idOf('Pump 1') });
		expect(faults).toEqual([]);
	});

	test('asks before changes are lost, and keeps them when the answer is no', async () => {
		await save(makePanel());
		const { page } = await open({ route: '/station/edit' });
		await page.getByLabel('Title').fill('Changed');
		const answers = [false, true];
		page.on('dialog', (dialog) => (answers.shift() === true ? dialog.accept() : dialog.dismiss()));
		await page.getByRole('link', { name: 'Overview' }).click();
		expect(await page.getByLabel('Title').inputValue()).toBe('Changed');
		await page.getByRole('link', { name: 'Overview' }).click();
		await page.getByRole('heading', { name: 'Overview' }).waitFor();
	});

	test('is out of date as a whole without a connection, and writes nothing then', async () => {
		await save(makePanel());
		const { page } = await open({ route: '/station/edit' });
		await page.getByLabel('Title').fill('Kept');
		await page.context().setOffline(true);
		await page.locator('main').focus();
		await page.keyboard.press('r');
		await page.getByText('No connection since').first().waitFor();
		expect(await button(page, 'Save panel').isDisabled()).toBe(true);
		expect(await page.getByText('No connection: nothing can be saved now.').count()).toBe(1);
		expect(await page.getByLabel('Title').isDisabled()).toBe(true);
		expect(await page.getByLabel('Title').inputValue()).toBe('Kept');
		await page.context().setOffline(false);
		await page.getByText('Connected again').first().waitFor();
		expect(await page.getByLabel('Title').isEnabled()).toBe(true);
		expect(await page.getByLabel('Title').inputValue()).toBe('Kept');
	});

	test.each(looks)('has nothing that axe-core finds, in %s, %s, %i px wide', async (language, theme, width) => {
		await save(makePanel());
		const { page, goTo, expectAccessible, faults } = await open({ language, theme, size: { width, height: 900 } });
		await page.locator('.pump .reason').first().waitFor();
		await expectAccessible();
		await goTo('/station/edit');
		// Where it is narrow, the buttons of a row reach into its middle.
		await page.getByRole('rowheader').first().click();
		await page.locator('[role=combobox]').waitFor();
		await expectAccessible();
		expect(faults).toEqual([]);
	});
});

/** The plant moves: no poll comes between two looks at it. */
const polledSeldom = "localStorage.setItem('caudal.interval', '60')";

/** Runs in the page: the heights of elements in lines of their text. */
const heightsInLines = (elements: readonly unknown[]): number[] => {
	const { getComputedStyle } = globalThis as never as { getComputedStyle(element: unknown): { readonly lineHeight: string } };
	return elements.map(
		(element) =>
			(element as { readonly clientHeight: number }).clientHeight / Number.parseFloat(getComputedStyle(element).lineHeight),
	);
};
