import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { call, callOk, signIn, tenants } from '#test/e2e/target.ts';
import { raiseAlarm } from '#test/support/alarms/raise-alarm.ts';
import { attributesOf } from '#test/support/attributes-of.ts';
import { type ConsoleOptions, looks } from '#test/support/console-page.ts';
import { feedStagedPlant, storeStagedPlant } from '#test/support/console-plant.ts';
import { expectFocus } from '#test/support/expect-focus.ts';
import { createPageClock } from '#test/support/page-clock.ts';
import { serveConsole, serveConsoleForEach } from '#test/support/serve-console.ts';

describe.skipIf(inject('chromium') === null)('the alarms, in Chromium', () => {
	const demo = serveConsole({ DEMO_PLANT: 'on' });
	const { target, ...served } = serveConsoleForEach();
	let ids: ReadonlyMap<string, number>;
	beforeEach(async () => {
		ids = await storeStagedPlant(target);
		await save(makeAlarm({ name: 'Level very high', condition: '>=', threshold: 4.5, severity: 'critical' }));
		await save(makeAlarm({ name: 'Silent', varId: idOf('Silent level'), severity: 'critical' }));
	});

	const open = (options: ConsoleOptions) => served.open({ route: '/alarms', tenant: 'b', ...options });
	const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
	const row = (page: Page, name: string) => page.locator('.alarm-table').getByRole('row').filter({ hasText: name });
	const detail = (page: Page) => page.locator('.alarm-side');
	const idOf = (name: string): number => ids.get(name) ?? 0;
	const listed = async (): Promise<Record<string, unknown>[]> =>
		(await call(target, 'GET', '/getAlarms', { token: await signIn(target, 'b') })).body.data;
	const find = async (name: string) => (await listed()).find((alarm) => alarm['name'] === name);
	const save = async (body: Record<string, unknown>): Promise<number> =>
		(await callOk(target, 'POST', '/saveAlarm', { token: await signIn(target, 'b'), body })).data.id;
	const makeAlarm = (overrides: Record<string, unknown>) => ({
		id: 0,
		name: 'Alarm',
		varId: idOf('High level'),
		condition: '>',
		threshold: 100,
		severity: 'warning',
		message: 'Look.',
		...overrides,
	});

	test('need a variable first: a new one in an empty plant leads to it', async () => {
		const { page, faults, violations } = await open({ tenant: 'a', route: '/alarms/new' });
		await page.getByText('An alarm watches a variable: it needs one first.').waitFor();
		expect(await page.getByLabel('Name').count()).toBe(0);
		expect(await violations()).toEqual([]);
		await page.getByRole('link', { name: 'New variable' }).click();
		await page.getByLabel('Topic').waitFor();
		expect(faults).toEqual([]);
	});

	test('are none at first', async () => {
		const { page, faults } = await open({ tenant: 'a' });
		await page.getByText('No alarms are set up').waitFor();
		expect(faults).toEqual([]);
	});

	test('are set up by mouse', async () => {
		const { page, faults, origins } = await open({});
		await button(page, 'New alarm').click();
		await page.getByLabel('Name').fill('Level too high');
		await page.getByRole('combobox', { name: 'Variable' }).fill('high');
		await page.getByRole('option', { name: 'High level' }).click();
		await page.getByLabel('Condition').selectOption('>=');
		await page.getByLabel('Threshold').fill('4.2');
		await page.getByText('the condition holds').waitFor();
		await page.getByLabel('Threshold').fill('4.5');
		await page.getByText('the condition does not hold').waitFor();
		await page.locator('.segmented label').filter({ hasText: 'Critical' }).click();
		await page.getByLabel('Message: what to do').fill('Open the overflow.');
		await button(page, 'Save').click();
		await detail(page).getByRole('heading', { name: 'Level too high' }).waitFor();
		expect(await find('Level too high')).toMatchObject({
			...{ varId: idOf('High level'), condition: '>=', threshold: 4.5, severity: 'critical', message: 'Open the overflow.' },
			active: false,
		});
		expect([faults, [...origins]]).toEqual([[], [target.baseUrl]]);
	});

	test('a new one has the focus in its first field from the moment it is drawn', async () => {
		// An observer is called between what is drawn and effects that run after a frame.
		const script = `new MutationObserver((_, observer) => {
			const field = document.querySelector('.alarm-editor form input');
			if (field === null) return;
			globalThis.hasFocusAtFirst = document.activeElement === field;
			observer.disconnect();
		}).observe(document, { subtree: true, childList: true });`;
		const { page } = await open({ script });
		await button(page, 'New alarm').click();
		await page.getByLabel('Name').waitFor();
		expect(await page.evaluate('hasFocusAtFirst')).toBe(true);
	});

	test('stand worst first, with severity and state as shape and word', async () => {
		const token = await signIn(target, 'b');
		const raise = async (name: string, cause: 'condition' | 'no_data') => {
			const id = Number((await find(name))?.['id']);
			return { id, occurrence: await raiseAlarm(target.alarms, tenants.b.schemaName, id, cause) };
		};
		await raise('Level high', 'condition');
		await raise('Silent', 'no_data');
		const warm = await raise('Pump warm', 'condition');
		const noticed = await raise('Flow noticed', 'condition');
		await call(target, 'POST', '/ackAlarms', { token, body: { alarms: [warm] } });
		await call(target, 'POST', `/shelveAlarm/${noticed.id}`, { token, body: { minutes: 60, reason: 'Panel under test' } });
		const { page, faults } = await open({});
		await row(page, 'Silent').waitFor();
		const rows = page.locator('.alarm-table tbody tr');
		// The rows as they are at one moment: the evaluator may come at any other.
		const shownRows = await rows.allInnerTexts();
		const isEvaluated = !shownRows.some((text) => text.includes('Level very high') && text.includes('Not evaluated yet'));
		const isLast = (name: string) => isEvaluated && name === 'Level very high';
		expect(shownRows).toEqual(
			['Level high', 'Silent', 'Pump warm', 'Level very high', 'Flow noticed']
				// An alarm without an evaluation stands above those that are shelved, and a normal one below.
				.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)))
				.map((name) => expect.stringContaining(name)),
		);
		const shown = async (name: string) => [
			...(await attributesOf(row(page, name).locator('.alarm-mark use'), 'href')),
			(await row(page, name).locator('.alarm-state').innerText()).replace(/(\d{4} )?\d\d:\d\d( CES?T)?/, 'hh:mm'),
		];
		expect(await shown('Level high')).toEqual(['#sev1-new', 'Unacknowledged']);
		expect(await shown('Silent')).toEqual(['#sev1-new', 'Unacknowledged']);
		expect(await shown('Pump warm')).toEqual(['#sev2-ack', 'Acknowledged']);
		// A shelf that ends after midnight says the day, too; the page is in Madrid.
		const shelfEnd = new Date(String((await find('Flow noticed'))?.['shelvedUntil']));
		const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'Europe/Madrid' });
		const endDay = days.format(shelfEnd);
		const end = endDay === days.format(new Date()) ? 'hh:mm' : `${endDay} hh:mm`;
		expect(await shown('Flow noticed')).toEqual(['#a-shelved', `Shelved until ${end}`]);
		expect(await row(page, 'Level high').locator('td.end').innerText()).toMatch(/4\.20?\s*m\s*alarm if > 4 m/);
		expect(await row(page, 'Silent').locator('td.end').innerText()).toMatch(/No data\s*alarm if > 100 m/);
		expect(await row(page, 'Silent').innerText()).toContain('raised because there is no data');
		expect(await row(page, 'Pump warm').innerText()).toContain(tenants.b.email);
		expect(await row(page, 'Flow noticed').innerText()).toContain('Panel under test');
		// The rail counts what nobody acknowledged.
		expect(await page.locator('.nav-count').innerText()).toMatch(/2$/);
		// The worst is in detail.
		await detail(page).getByRole('heading', { name: 'Level high' }).waitFor();
		await detail(page).getByText('Last hour: the condition held for').waitFor();
		await detail(page)
			.getByText(/^\d+ · \d+(st|nd|rd|th) of today$/)
			.waitFor();
		await button(page, '2 Unacknowledged').click();
		expect(await rows.count()).toBe(2);
		await button(page, '1 Shelved').click();
		expect(await rows.count()).toBe(1);
		await button(page, '5 All').click();
		await row(page, 'Pump warm').click();
		await detail(page).getByText('Look after Pump warm.').waitFor();
		await detail(page).getByRole('link', { name: 'Trend' }).click();
		await page.waitForURL(new RegExp(`#/trend\\?ids=${idOf('Warm pump')}$`));
		expect(faults).toEqual([]);
	});

	test('say of which moment their state is where the value beside it says another', async () => {
		const { page } = await open({ route: '/overview' });
		const until = new Date().toISOString();
		const states: Readonly<Record<string, object>> = {
			'Level high': { state: 'normal', active: true, cause: null, shelvedUntil: null },
			'Pump warm': { state: 'returned_unacknowledged', active: true, cause: 'condition', shelvedUntil: null },
			'Level very high': { state: 'active_unacknowledged', active: false, cause: 'condition', shelvedUntil: null },
			Silent: { state: 'active_unacknowledged', active: false, cause: 'no_data', shelvedUntil: null },
			'Flow noticed': { state: 'normal', active: false, cause: null, shelvedUntil: null },
		};
		await page.route('**/getAlarms', async (route) => {
			const response = await route.fetch();
			const { data } = await response.json();
			const changed = data.map((alarm: { name: string }) => ({ ...alarm, ...states[alarm.name] }));
			await route.fulfill({ response, json: { data: changed, evaluation: { status: 'ok', until } } });
		});
		await page.reload();
		await page.evaluate("location.hash = '/alarms'");
		const noteOf = async (name: string) =>
			(await row(page, name).innerText()).match(/state of \d\d:\d\d(?: CES?T)?; its condition (.*) now/)?.[1];
		await row(page, 'Level high').getByText('state of').waitFor();
		expect(await Promise.all(['Level high', 'Pump warm', 'Level very high', 'Silent', 'Flow noticed'].map(noteOf))).toEqual([
			...['holds', 'holds', 'does not hold', undefined, undefined],
		]);
		await page.evaluate("location.hash = '/overview'");
		const tile = page.locator('.tile', { hasText: 'Pump warm' });
		await tile.getByText(/^state of \d\d:\d\d( CES?T)?; its condition holds now$/).waitFor();
		await page.unrouteAll({ behavior: 'wait' });
	});

	test('follow the plant with the next poll, by an injected clock', async () => {
		const { page } = await open({ stopsClock: true });
		const clock = createPageClock(page);
		await row(page, 'Pump warm').locator('.value', { hasText: '61.5' }).waitFor();
		await feedStagedPlant(target, { 'Warm pump': 70.5 });
		const shown = row(page, 'Pump warm').locator('.value', { hasText: '70.5' });
		await clock.until(1000, async () => (await shown.count()) === 1);
	});

	test('are chosen, changed and deleted by keyboard alone', async () => {
		const { page, focusByKey, faults } = await open({});
		await row(page, 'Pump warm').waitFor();
		await focusByKey(page.locator('.alarm-table tbody tr').first());
		for (const _ of [1, 2, 3, 4]) {
			if ((await page.locator('tr:focus').innerText()).includes('Level very high')) break;
			await page.keyboard.press('ArrowDown');
		}
		await page.keyboard.press('Enter');
		await detail(page).getByRole('heading', { name: 'Level very high' }).waitFor();
		await focusByKey(detail(page).getByRole('link', { name: 'Edit' }));
		await page.keyboard.press('Enter');
		await page.getByLabel('Name').waitFor();
		await focusByKey(page.getByLabel('Threshold'));
		await page.keyboard.press('Control+a');
		await page.keyboard.type('4,5');
		await page.getByText('Write a number').waitFor();
		await page.keyboard.press('Control+a');
		await page.keyboard.type('5');
		await focusByKey(page.getByRole('radio', { name: '1 Critical' }));
		await page.keyboard.press('ArrowRight');
		await page.keyboard.press('Control+s');
		await detail(page).getByText('alarm if ≥ 5 m').first().waitFor();
		await expectFocus(page);
		expect(await find('Level very high')).toMatchObject({ threshold: 5, severity: 'warning', version: 2 });
		await focusByKey(button(page, 'Delete…'));
		await page.keyboard.press('Enter');
		await focusByKey(button(page, 'Delete'));
		await page.keyboard.press('Enter');
		await page.getByText('Level very high deleted').waitFor();
		await expectFocus(page);
		expect(await find('Level very high')).toBeUndefined();
		// The focus is in the list again.
		await page.locator('tr:focus').waitFor();
		expect(faults).toEqual([]);
	});

	test('watch a bit of a byte, and name every field that is missing', async () => {
		const { page, faults } = await open({ route: '/alarms/new' });
		await button(page, 'Save').click({ force: true });
		await page.getByText('4 fields are wrong', { exact: true }).waitFor();
		expect(await page.locator('.field-error').count()).toBe(4);
		await page.getByLabel('Name').fill('Pump fault');
		await page.getByRole('combobox', { name: 'Variable' }).fill('status');
		await page.getByRole('option', { name: 'Status' }).click();
		await page.getByText('Choose a bit: Status is a byte.').waitFor();
		await page.getByLabel('Bit', { exact: true }).selectOption('7');
		await page.getByLabel('Condition').selectOption('==');
		await page.getByLabel('Threshold').fill('1');
		await page.getByLabel('Message: what to do').fill('Look at the pump.');
		await button(page, 'Save').click();
		await detail(page).getByText('alarm if = 1').first().waitFor();
		await expectFocus(page);
		expect(await find('Pump fault')).toMatchObject({ bit: 7, threshold: 1, active: true, value: 1 });
		expect(faults).toEqual([]);
	});

	test('overwrite nothing: theirs beside mine, and the choice is saved on top', async () => {
		const id = await save(makeAlarm({ name: 'Shared' }));
		const { page, faults } = await open({ route: `/alarms/${id}-edit` });
		await page.getByLabel('Name').fill('Mine');
		await save(makeAlarm({ id, name: 'Shared', threshold: 50 }));
		await button(page, 'Save').click();
		const dialog = page.getByRole('dialog', { name: 'Somebody else saved this alarm' });
		await dialog.getByRole('radio').first().waitFor();
		expect(await attributesOf(dialog.getByRole('radio', { checked: true }), 'aria-label')).toEqual([
			'Name: Mine: Mine',
			'Condition: Theirs: alarm if > 50 m',
		]);
		expect(await find('Mine')).toBeUndefined();
		await button(page, 'Go on with the choice').click();
		await expectFocus(page);
		await button(page, 'Save').click();
		await detail(page).getByRole('heading', { name: 'Mine' }).waitFor();
		expect(await find('Mine')).toMatchObject({ id, threshold: 50, version: 3 });
		expect(faults).toEqual([expect.stringContaining('412')]);
	});

	test('that somebody else deleted keep what is typed, which becomes a new alarm', async () => {
		const id = await save(makeAlarm({ name: 'Doomed' }));
		const { page } = await open({ route: `/alarms/${id}-edit` });
		await page.getByLabel('Name').fill('Saved from it');
		await call(target, 'POST', `/deleteAlarm/${id}`, { token: await signIn(target, 'b') });
		await page.locator('main').focus();
		await page.keyboard.press('r');
		await row(page, 'Doomed').waitFor({ state: 'detached' });
		await button(page, 'Save').click();
		await button(page, 'Go on as a new one').click();
		await button(page, 'Save').click();
		await detail(page).getByRole('heading', { name: 'Saved from it' }).waitFor();
		await expectFocus(page);
		expect(Number((await find('Saved from it'))?.['id'])).toBeGreaterThan(id);
	});

	test('are not deleted in a version that nobody has seen', async () => {
		const id = await save(makeAlarm({ name: 'Kept' }));
		const { page } = await open({ route: `/alarms/${id}` });
		await button(page, 'Delete…').click();
		await save(makeAlarm({ id, name: 'Kept', threshold: 60 }));
		await button(page, 'Delete').click();
		await page.getByText('Somebody else saved it meanwhile: look at it, then delete.').waitFor();
		expect(await find('Kept')).toMatchObject({ threshold: 60 });
		await detail(page).getByText('alarm if > 60 m').first().waitFor();
	});

	test('are out of date as a whole without a connection', async () => {
		const { page } = await open({});
		await row(page, 'Level high').waitFor();
		await page.context().setOffline(true);
		await page.locator('main').focus();
		await page.keyboard.press('r');
		await page.getByText('No connection since').first().waitFor();
		expect(await button(page, 'New alarm').isDisabled()).toBe(true);
		expect(await row(page, 'Level high').locator('.value').getAttribute('class')).toContain('old');
		expect(await row(page, 'Level high').locator('.alarm-state').innerText()).toContain('out of date');
	});

	test('of the demo plant are all shown', async () => {
		const { page, faults } = await demo.open({ route: '/alarms' });
		const token = await signIn(demo.target, 'a');
		const { body } = await call(demo.target, 'GET', '/getAlarms', { token });
		await page
			.locator('.alarm-table tbody tr')
			.nth(body.data.length - 1)
			.waitFor();
		expect(await page.locator('.alarm-table tbody tr').count()).toBe(body.data.length);
		expect(faults).toEqual([]);
	});

	test.each(looks)('have nothing that axe-core finds, in %s, %s, %i px wide', async (language, theme, width) => {
		const { page, goTo, expectAccessible, faults } = await open({ language, theme, size: { width, height: 900 } });
		const list = page.locator(width === 320 ? '.alarm-card' : '.alarm-table tbody tr');
		await list.first().waitFor();
		await expectAccessible();
		const screens = [
			[`/alarms/${(await find('Level high'))?.['id']}`, detail(page).locator('h2')],
			['/alarms/new', page.locator('.backtest')],
		] as const;
		for (const [route, shown] of screens) {
			await goTo(route);
			await shown.waitFor();
			await expectAccessible();
		}
		expect(faults).toEqual([]);
	});
});
