import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { callOk, signIn, tenants } from '#test/e2e/target.ts';
import { raiseAlarm } from '#test/support/alarms/raise-alarm.ts';
import { type ConsoleOptions, looks } from '#test/support/console-page.ts';
import { storeStagedPlant, storeTwoAlarms } from '#test/support/console-plant.ts';
import { expectFocus } from '#test/support/expect-focus.ts';
import { serveConsoleForEach } from '#test/support/serve-console.ts';

describe.skipIf(inject('chromium') === null)('what operators do with alarms, in Chromium', () => {
	const { target, ...served } = serveConsoleForEach();
	const ids = new Map<string, number>();
	beforeEach(async () => {
		await storeStagedPlant(target);
		for (const { id, name } of (await ask('GET', '/getAlarms')).data) ids.set(name, id);
		// Its condition holds: the evaluator would raise it in the middle of a test that counts what nobody acknowledged.
		await raiseAcknowledged('Flow noticed');
	});

	const ask = async (method: 'GET' | 'POST', path: string, body?: Record<string, unknown>) =>
		callOk(target, method, path, { token: await signIn(target, 'b'), body });
	const idOf = (name: string): number => ids.get(name) ?? 0;
	const raise = (name: string) => raiseAlarm(target.alarms, tenants.b.schemaName, idOf(name));
	const raiseAcknowledged = async (name: string, comment = '') =>
		ask('POST', '/ackAlarms', { alarms: [{ id: idOf(name), occurrence: await raise(name) }], comment });
	const find = async (name: string): Promise<Record<string, unknown>> =>
		(await ask('GET', '/getAlarms')).data.find((alarm: Record<string, unknown>) => alarm['name'] === name);
	const newestEvent = async (kind: string): Promise<Record<string, unknown>> =>
		(await ask('GET', '/alarmEvents')).data.find((event: Record<string, unknown>) => event['kind'] === kind);
	const open = (options: ConsoleOptions) => served.open({ route: '/alarms', tenant: 'b', ...options });
	const row = (page: Page, name: string) => page.locator('.alarm-table').getByRole('row').filter({ hasText: name });
	const detail = (page: Page) => page.locator('.alarm-side');
	const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

	test('an alarm is acknowledged by mouse, with a comment, and the journal tells it', async () => {
		const occurrence = await raise('Level high');
		const { page, faults, origins } = await open({ route: `/alarms/${idOf('Level high')}` });
		await detail(page).getByLabel('Comment (optional)').fill('On my way');
		await button(page, `Acknowledge occurrence ${occurrence}`).click();
		await page.getByRole('status').getByText('Level high acknowledged').waitFor();
		await row(page, 'Level high').getByText('Acknowledged', { exact: true }).waitFor();
		await expectFocus(page);
		expect(await find('Level high')).toMatchObject({ state: 'active_acknowledged', acknowledgedBy: tenants.b.email });
		expect(await newestEvent('acknowledged')).toMatchObject({ comment: 'On my way', occurrence });
		await page.locator('.journal').getByText(`${tenants.b.email} · On my way`).waitFor();
		expect([faults, [...origins]]).toEqual([[], [target.baseUrl]]);
	});

	test('the selected alarm is acknowledged by keyboard, and the worst one on any other screen', async () => {
		await raiseAcknowledged('Level high');
		await raise('Pump warm');
		const { page, goTo, focusByKey, faults } = await open({});
		await focusByKey(row(page, 'Pump warm'));
		await page.keyboard.press('Enter');
		await detail(page).getByRole('heading', { name: 'Pump warm' }).waitFor();
		await page.keyboard.press('Shift+A');
		await row(page, 'Pump warm').getByText('Acknowledged', { exact: true }).waitFor();
		await expectFocus(page);
		expect(await find('Pump warm')).toMatchObject({ state: 'active_acknowledged' });
		await raise('Level high');
		await goTo('/overview');
		await page.keyboard.press('r');
		await page.locator('.alarm-line').getByText('Level high').waitFor();
		await page.locator('.alarm-line button:not([aria-disabled=true])').waitFor();
		await page.keyboard.press('Shift+A');
		await button(page, 'Acknowledge').waitFor({ state: 'detached' });
		await expectFocus(page);
		expect(await find('Level high')).toMatchObject({ state: 'active_acknowledged' });
		expect(faults).toEqual([]);
	});

	test('an occurrence that nobody has seen is not acknowledged: raised again is shown until somebody looked', async () => {
		await raise('Level high');
		const { page, faults } = await open({});
		await row(page, 'Level high').getByText('Unacknowledged', { exact: true }).waitFor();
		// Not before the first polls have ended: they would show the newer one.
		await page.waitForLoadState('networkidle');
		const newer = await raise('Level high');
		await row(page, 'Level high').getByRole('button').click();
		await row(page, 'Level high').getByText(`Raised again (${newer}): look, then acknowledge`).waitFor();
		expect(await find('Level high')).toMatchObject({ state: 'active_unacknowledged', acknowledgedBy: null });
		await button(page, `Acknowledge occurrence ${newer}`).click();
		await row(page, 'Level high').getByText('Acknowledged', { exact: true }).waitFor();
		await expectFocus(page);
		expect(await row(page, 'Level high').getByText('Raised again').count()).toBe(0);
		expect(faults).toEqual([]);
	});

	test('several are acknowledged at once, each in the occurrence that was listed', async () => {
		await raise('Level high');
		await raise('Pump warm');
		const { page, faults } = await open({});
		await button(page, 'Acknowledge 2').click();
		const dialog = page.getByRole('dialog', { name: 'Acknowledge 2' });
		const listed = await dialog.locator('li').allInnerTexts();
		expect(listed.join()).toMatch(/Level high.*Pump warm/s);
		// One of them is raised again while the dialog is open.
		const newer = await raise('Pump warm');
		await dialog.getByLabel('Comment (optional)').fill('Storm');
		await dialog.getByRole('button', { name: 'Acknowledge', exact: true }).click();
		await page.getByText(`Pump warm: Raised again (${newer})`).waitFor();
		await expectFocus(page);
		expect(await find('Level high')).toMatchObject({ state: 'active_acknowledged' });
		expect(await find('Pump warm')).toMatchObject({ state: 'active_unacknowledged' });
		expect(await newestEvent('acknowledged')).toMatchObject({ comment: 'Storm', alarmId: idOf('Level high') });
		expect(faults).toEqual([]);
	});

	test('an alarm is shelved by keyboard, with a reason and minutes of its own, and brought back by mouse', async () => {
		const { page, focusByKey, faults } = await open({});
		await focusByKey(row(page, 'Flow noticed').getByRole('button', { name: 'Shelve…' }));
		await page.keyboard.press('Enter');
		const reason = detail(page).getByLabel('Reason (required)');
		await reason.waitFor();
		// Nothing is sent without a reason.
		expect(await button(page, 'Shelve 60 min').getAttribute('aria-disabled')).toBe('true');
		expect(await page.evaluate('document.activeElement.name')).toBe('reason');
		await page.keyboard.type('Panel under test');
		await focusByKey(page.getByRole('radio', { name: '60 min' }));
		await page.keyboard.press('ArrowRight');
		await page.keyboard.press('ArrowRight');
		await focusByKey(detail(page).getByLabel('Minutes, 1 to 10080'));
		await page.keyboard.type('90');
		await focusByKey(button(page, 'Shelve 90 min'));
		await page.keyboard.press('Enter');
		await row(page, 'Flow noticed').getByText('Shelved until').waitFor();
		await expectFocus(page);
		const { shelvedUntil, reason: stored } = await find('Flow noticed');
		expect([Math.round((Date.parse(String(shelvedUntil)) - Date.now()) / 60_000), stored]).toEqual([90, 'Panel under test']);
		await row(page, 'Flow noticed').getByRole('button', { name: 'Bring back' }).click();
		await row(page, 'Flow noticed').getByText('Shelved until').waitFor({ state: 'detached' });
		await expectFocus(page);
		expect(await find('Flow noticed')).toMatchObject({ shelvedUntil: null });
		expect(faults).toEqual([]);
	});

	test('the journal is filtered by kind and alarm, and saved as CSV', async () => {
		await raiseAcknowledged('Level high', 'On my way');
		await raiseAcknowledged('Pump warm');
		await ask('POST', `/shelveAlarm/${idOf('Flow noticed')}`, { minutes: 90, reason: 'Panel under test' });
		await ask('POST', `/unshelveAlarm/${idOf('Flow noticed')}`);
		const { page, faults } = await open({});
		const journal = page.locator('.journal');
		await journal.locator('td').getByText('brought back').waitFor();
		await journal.getByLabel('Kind').selectOption({ label: 'shelved' });
		await journal.locator('td').getByText('brought back').waitFor({ state: 'detached' });
		await journal.getByText(/for (90 min|1 h 30 min) · .*Panel under test/).waitFor();
		// Choosing a kind reads the journal anew.
		await expect.poll(() => journal.locator('tbody tr').count()).toBe(1);
		await journal.getByRole('combobox', { name: 'Alarm' }).selectOption({ label: 'Level high' });
		await journal.getByText('Nothing of this kind in this time.').waitFor();
		// Nothing is saved of an empty list. An error would be one of the faults below.
		await button(page, 'CSV').dispatchEvent('click');
		await journal.getByLabel('Kind').selectOption({ label: 'acknowledged' });
		await journal.getByText('On my way').waitFor();
		const download = page.waitForEvent('download');
		await button(page, 'CSV').click();
		const csv = readFileSync(await (await download).path(), 'utf8');
		expect(csv.split('\r\n').slice(1, -1).length).toBe(await journal.locator('tbody tr').count());
		expect(csv).toContain('Level high,critical,acknowledged');
		expect(csv).not.toContain('Pump warm');
		await journal.getByRole('radio', { name: '7 d' }).check();
		await journal.getByText('On my way').waitFor();
		expect(faults).toEqual([]);
	});

	test('the editor has every rule, and tries what is typed on the past without storing it', async () => {
		const now = Date.now();
		const minute = 60_000;
		const sample = (value: number, ago: number) => `staged/high-level value=${value} ${now - ago * minute}`;
		await target.feed('plant_b', [sample(3, 30), sample(5, 20), sample(3, 12)].join('\n'));
		const { page, faults } = await open({ route: `/alarms/${idOf('Level high')}-edit` });
		await page.getByText('Empty: 600 s (10 min).').waitFor();
		await page.getByLabel('Threshold').fill('4.5');
		await page.getByLabel('No data after (s)').fill('30');
		expect(await button(page, 'Try it').getAttribute('aria-disabled')).toBe('true');
		await page.getByLabel('No data after (s)').fill('0');
		await button(page, 'Try it').click();
		await page.getByText('It would have been raised once.').waitFor();
		expect(await page.locator('.backtest rect.raised').count()).toBe(1);
		expect(await page.locator('.backtest-days tbody tr').count()).toBeGreaterThanOrEqual(1);
		await page.getByText('1 s, as live').waitFor();
		await page.getByLabel('On delay (s)').fill('3600');
		await page.getByText('You have changed the alarm since: try it again.').waitFor();
		await button(page, 'Try it').click();
		await page.getByText('It would not have been raised.').waitFor();
		expect(await find('Level high')).toMatchObject({ threshold: 4, version: 1 });
		await page.getByLabel('Deadband').fill('0.2');
		await page.getByLabel('Evaluate this alarm').uncheck();
		await button(page, 'Save').click();
		await detail(page).getByText('Disabled').waitFor();
		expect(await find('Level high')).toMatchObject({
			...{ threshold: 4.5, enabled: false, deadband: 0.2, onDelaySeconds: 3600, noDataSeconds: 0, state: 'disabled' },
		});
		expect((await find('Level high'))['offDelaySeconds'] ?? null).toBeNull();
		expect(faults).toEqual([]);
	});

	test('states that are out of date are told on every screen, and alarms that nobody evaluates by name', async () => {
		const { page, goTo, violations } = await open({ route: '/station' });
		const until = new Date(Date.now() - 600_000).toISOString();
		await page.route('**/getAlarms', async (route) => {
			const response = await route.fetch();
			const body = await response.json();
			const data = body.data.map((alarm: Record<string, unknown>) => ({
				...alarm,
				state: alarm['name'] === 'Pump warm' ? null : 'normal',
			}));
			await route.fulfill({ response, json: { ...body, data, evaluation: { until, status: 'late', unbound: 1 } } });
		});
		await page.locator('main').focus();
		await page.keyboard.press('r');
		await page.locator('.alarm-line').getByText('Alarms not evaluated since').waitFor();
		expect(await page.getByText('No active alarms').count()).toBe(0);
		await goTo('/alarms');
		await page.locator('.banner.inverse b').getByText('Alarms not evaluated since').waitFor();
		const unbound = page.locator('.banner.doubt');
		await unbound.getByText('1 alarm is not evaluated until it is saved again').waitFor();
		expect(await unbound.getByRole('link').allInnerTexts()).toEqual(['Pump warm']);
		expect(await row(page, 'Pump warm').locator('.alarm-state').innerText()).toBe('Not evaluated yet');
		expect(await violations()).toEqual([]);
	});

	test.each(looks)('all of it has nothing that axe-core finds, in %s, %s, %i px wide', async (language, theme, width) => {
		const { page, goTo, expectAccessible, faults } = await open({ language, theme, size: { width, height: 900 } });
		await page.locator('.journal tbody tr').first().waitFor();
		await expectAccessible();
		await goTo(`/alarms/${idOf('Pump warm')}`);
		await detail(page).locator('.shelf').waitFor();
		await expectAccessible();
		await goTo(`/alarms/${idOf('Pump warm')}-edit`);
		await page.locator('.backtest').getByRole('button').click();
		await page.locator('.backtest-days').waitFor();
		await expectAccessible();
		expect(faults).toEqual([]);
	});

	test('the alarm line keeps its alarm under the pointer, and its button in its place', async () => {
		for (const width of [1440, 320]) {
			for (const [name, id] of await storeTwoAlarms(target)) ids.set(name, id);
			await raise('Calm');
			const { page, faults } = await open({ route: '/overview', size: { width, height: 800 } });
			const line = page.locator('.alarm-line');
			const acknowledgeButton = line.getByRole('button', { name: 'Acknowledge' });
			await line.getByText('Calm').waitFor();
			await page.locator('.alarm-line button:not([aria-disabled=true])').hover();
			const place = await acknowledgeButton.boundingBox();
			// A critical alarm is raised under the hand.
			await raise('Urgent');
			await page.keyboard.press('r');
			await line.getByText('Now also: Urgent').waitFor();
			await page.getByRole('alert').getByText('Critical alarm: Urgent').waitFor({ state: 'attached' });
			expect(await acknowledgeButton.boundingBox()).toEqual(place);
			await page.mouse.down();
			await page.mouse.up();
			await line.locator('b').getByText('Urgent').waitFor();
			expect(await find('Calm')).toMatchObject({ state: 'active_acknowledged' });
			expect(await find('Urgent')).toMatchObject({ state: 'active_unacknowledged' });
			// The next alarm stands there too shortly to be meant by the second click.
			expect(await acknowledgeButton.getAttribute('aria-disabled')).toBe('true');
			expect(await acknowledgeButton.boundingBox()).toEqual(place);
			await page.locator('.alarm-line button:not([aria-disabled=true])').waitFor();
			await page.mouse.down();
			await page.mouse.up();
			await acknowledgeButton.waitFor({ state: 'detached' });
			expect(await find('Urgent')).toMatchObject({ state: 'active_acknowledged' });
			expect(faults).toEqual([]);
		}
	});

	test('the alarm line keeps its alarm while the focus of the keyboard is in it', async () => {
		for (const [name, id] of await storeTwoAlarms(target)) ids.set(name, id);
		await raise('Calm');
		const { page, focusByKey, faults } = await open({ route: '/overview' });
		const line = page.locator('.alarm-line');
		await line.getByText('Calm').waitFor();
		await page.locator('.alarm-line button:not([aria-disabled=true])').waitFor();
		await focusByKey(line.getByRole('button', { name: 'Acknowledge' }));
		await raise('Urgent');
		await page.keyboard.press('r');
		await line.getByText('Now also: Urgent').waitFor();
		await page.getByRole('alert').getByText('Critical alarm: Urgent').waitFor({ state: 'attached' });
		await page.keyboard.press('Enter');
		await line.locator('b').getByText('Urgent').waitFor();
		expect(await find('Calm')).toMatchObject({ state: 'active_acknowledged' });
		expect(await find('Urgent')).toMatchObject({ state: 'active_unacknowledged' });
		expect(faults).toEqual([]);
	});
});
