import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { callOk, signIn, tenants } from '#test/e2e/target.ts';
import { raiseAlarm } from '#test/support/alarms/raise-alarm.ts';
import { type ConsoleOptions, twoLooks } from '#test/support/console-page.ts';
import { feedStagedPlant, storeStagedPlant, storeTwoAlarms } from '#test/support/console-plant.ts';
import { createPageClock } from '#test/support/page-clock.ts';
import { serveConsole } from '#test/support/serve-console.ts';

describe.skipIf(inject('chromium') === null)('how the console asks for attention, in Chromium', () => {
	const served = serveConsole();
	const { target } = served;
	let ids: ReadonlyMap<string, number> = new Map();
	const ask = async (method: 'GET' | 'POST', path: string, body?: Record<string, unknown>) =>
		callOk(target, method, path, { token: await signIn(target, 'b'), body });
	beforeEach(async () => {
		if (ids.size === 0) await storeStagedPlant(target);
		await feedStagedPlant(target);
		ids = await storeTwoAlarms(target);
	});

	const raise = (name: string) => raiseAlarm(target.alarms, tenants.b.schemaName, ids.get(name) ?? 0);
	/** Opens the overview with a clock that stands still, after the first values. */
	const open = async (options: ConsoleOptions = {}) => {
		const opened = await served.open({ tenant: 'b', stopsClock: true, ...options });
		const clock = createPageClock(opened.page);
		await clock.until(100, async () => (await opened.page.locator('.tile .value b').count()) > 0);
		await clock.pass(2);
		return { ...opened, clock };
	};
	const said = (page: Page, role: 'alert' | 'status', text: string) => page.getByRole(role).getByText(text);

	test('a raised alarm is announced and counted in the title, a critical one at once', async () => {
		const { page, clock, faults } = await open();
		expect(await page.title()).toBe('Overview - Caudal');
		await raise('Calm');
		await clock.pass(31);
		expect(await page.title()).toBe('(1) Overview - Caudal');
		expect(await said(page, 'status', 'Info alarm: Calm').count()).toBe(1);
		await raise('Urgent');
		await clock.pass(31);
		expect(await page.title()).toBe('(2) Overview - Caudal');
		expect(await said(page, 'alert', 'Critical alarm: Urgent').count()).toBe(1);
		expect(await said(page, 'status', 'Info alarm: Calm').count()).toBe(0);
		// Only the newer occurrence is new.
		await raise('Calm');
		await clock.pass(31);
		expect(await said(page, 'status', 'Info alarm: Calm').count()).toBe(1);
		await page.keyboard.press('4');
		await clock.until(100, async () => (await page.title()) === '(2) Alarms - Caudal');
		expect(faults).toEqual([]);
	});

	test('an acknowledgement is announced, unless the alarm is gone', async () => {
		await raise('Urgent');
		const { page, clock, faults } = await open();
		const line = page.locator('.alarm-line');
		const press = async (): Promise<void> => {
			const answered = page.waitForResponse((response) => response.url().endsWith('/ackAlarms'));
			await line.getByRole('button', { name: 'Acknowledge' }).click();
			await answered;
			await clock.move(100);
		};
		await press();
		expect(await said(page, 'status', 'Urgent acknowledged').count()).toBe(1);
		await raise('Urgent');
		await clock.pass(31);
		await ask('POST', `/deleteAlarm/${ids.get('Urgent')}`);
		await press();
		expect(await said(page, 'status', 'Urgent acknowledged').count()).toBe(0);
		expect(faults).toEqual([]);
	});

	test('an alarm that was raised before the page was opened is counted, and not announced', async () => {
		await raise('Urgent');
		const { page } = await open({ language: 'es' });
		expect(await page.title()).toBe('(1) Resumen - Caudal');
		expect(await page.getByRole('alert').getByText('Urgent').count()).toBe(0);
	});

	test('an alarm is announced inside of a dialog, too, because what is behind it is not read', async () => {
		const { page, clock } = await open();
		await page.keyboard.press('?');
		const dialog = page.getByRole('dialog');
		await clock.until(100, () => dialog.isVisible());
		await raise('Urgent');
		await clock.pass(31);
		expect(await dialog.getByRole('alert').getByText('Critical alarm: Urgent').count()).toBe(1);
	});

	test('the title says when the alarms are out of date, and nothing of a plant that was left', async () => {
		await raise('Calm');
		const { page, clock } = await open();
		await page.route('**/getAlarms', (route) => route.abort('connectionrefused'));
		await clock.pass(64);
		expect(await page.title()).toBe('(1?) Overview - Caudal');
		await page.getByRole('button', { name: 'Account and preferences' }).click();
		await page.getByRole('button', { name: 'Sign out' }).click();
		await page.getByRole('heading', { name: 'Sign in' }).waitFor();
		expect(await page.title()).toBe('Caudal');
	});

	/** Counts the requests for values and for alarms from now on. */
	const countRequests = (page: Page) => {
		const count = { values: 0, alarms: 0 };
		page.on('request', (request) => {
			if (request.url().endsWith('/multipleDataTsdb')) count.values += 1;
			if (request.url().endsWith('/getAlarms')) count.alarms += 1;
		});
		return count;
	};
	const band = (page: Page) => page.getByRole('region', { name: 'Attention' });

	test('a pause stops values and never alarms, says so, and ends by itself after 10 min', async () => {
		const { page, clock, faults } = await open();
		await page.keyboard.press('p');
		await clock.until(100, () => band(page).getByText('Alarms are still read.').isVisible());
		const count = countRequests(page);
		await raise('Urgent');
		await clock.pass(31);
		expect(await page.locator('.alarm-line').getByText('Urgent').count()).toBe(1);
		expect(await said(page, 'alert', 'Critical alarm: Urgent').count()).toBe(1);
		expect(await page.title()).toBe('(1) Overview - Caudal');
		expect(await page.locator('.poll-state').innerText()).toBe('Paused');
		for (let moved = 0; moved < 37; moved += 1) await clock.move(15_000);
		expect(count.values).toBe(0);
		expect(count.alarms).toBeGreaterThanOrEqual(18);
		// Values are asked for once the alarms have come that were asked for before.
		expect(await clock.until(1000, async () => count.values > 0)).toBeLessThanOrEqual(20_000);
		expect(await band(page).getByRole('button').count()).toBe(0);
		await expect.poll(() => page.locator('.app.lost').count()).toBe(0);
		expect(faults).toEqual([]);
	});

	test('a pause is ended by its band, which moves nothing, and alarms that cannot be read meanwhile are said', async () => {
		const { page, clock } = await open({ size: { width: 320, height: 700 } });
		const place = await page.locator('.tile').first().boundingBox();
		await page.keyboard.press('p');
		const end = band(page).getByRole('button', { name: 'Read values' });
		await clock.until(100, () => end.isVisible());
		expect(await page.locator('.tile').first().boundingBox()).toEqual(place);
		await page.route('**/getAlarms', (route) => route.fulfill({ status: 503, json: { message: 'Service Unavailable' } }));
		await clock.until(1000, () => page.getByText('Could not read: asked again in').isVisible());
		await page.unroute('**/getAlarms');
		await clock.until(1000, () => page.getByText('Could not read: asked again in').isHidden());
		const count = countRequests(page);
		await end.click();
		await clock.pass(1);
		expect([count.values, await end.count()]).toEqual([1, 0]);
	});

	test('a hidden tab reads alarms at the interval, and values once a minute', async () => {
		const { page, clock } = await open();
		await page.evaluate(
			"Object.defineProperty(document, 'hidden', { value: true, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))",
		);
		const count = countRequests(page);
		await raise('Urgent');
		await clock.pass(32);
		expect([await page.title(), count.values]).toEqual(['(1) Overview - Caudal', 0]);
		await clock.pass(258);
		expect([count.values, count.alarms >= 9]).toEqual([4, true]);
	});

	/** The page's sounds by their pitch in hertz, and its notices: the browser of the tests has neither loudspeaker nor desktop. */
	const listen = (permission: 'granted' | 'denied') => `
		globalThis.heard = [];
		globalThis.noticed = [];
		const { start } = OscillatorNode.prototype;
		OscillatorNode.prototype.start = function (at) {
			heard.push(this.frequency.value);
			return start.call(this, at);
		};
		globalThis.Notification = class extends EventTarget {
			static permission = 'default';
			static async requestPermission() {
				return (Notification.permission = '${permission}');
			}
			constructor(title, { body }) {
				super();
				noticed.push(title + ', ' + body);
			}
			close() {
				noticed.push('closed');
			}
		};`;
	const heard = async (page: Page): Promise<readonly number[]> => page.evaluate<number[]>('heard.splice(0)');
	const strokes = async (page: Page): Promise<string> => (await heard(page)).join();
	/** Makes choices in the preferences. */
	const choose = async (page: Page, clock: { move(ms: number): Promise<void> }, ...labels: readonly string[]) => {
		await page.getByRole('button', { name: 'Account and preferences' }).first().click();
		const dialog = page.getByRole('dialog');
		for (const label of labels) await dialog.getByText(label).click();
		await clock.move(500);
		return dialog;
	};

	test('an alarm is heard by choice, by its severity, until it is acknowledged, and muted for 10 min', async () => {
		const { page, clock, faults } = await open({ script: listen('granted') });
		const dialog = await choose(page, clock, 'Sounds for alarms');
		await dialog.getByRole('button', { name: 'Test the three sounds' }).click();
		await expect.poll(async () => page.evaluate('heard.length')).toBe(6);
		expect(await strokes(page)).toBe('988,988,988,740,740,523');
		await page.keyboard.press('Escape');
		await raise('Calm');
		await clock.pass(31);
		expect(new Set(await heard(page))).toEqual(new Set([523]));
		await raise('Urgent');
		await clock.pass(31);
		expect(await strokes(page)).toContain('988,988,988');
		await clock.pass(20);
		expect(await strokes(page)).toBe('988,988,988,988,988,988');
		// Somebody sets the clock of the computer.
		for (const hours of [1, -1]) {
			await page.clock.setSystemTime((await page.evaluate<number>('Date.now()')) + hours * 3_600_000);
			await clock.pass(62);
			expect((await heard(page)).length).toBeGreaterThanOrEqual(18);
		}
		await band(page).getByRole('button', { name: 'Mute for 10 min' }).click();
		await clock.until(100, () => band(page).getByText('No sounds until').isVisible());
		await heard(page);
		for (let moved = 0; moved < 39; moved += 1) await clock.move(15_000);
		expect(await heard(page)).toEqual([]);
		for (let moved = 0; moved < 3; moved += 1) await clock.move(10_000);
		expect(await strokes(page)).toContain('988,988,988');
		await page.keyboard.press('m');
		await heard(page);
		await clock.pass(11);
		expect(await heard(page)).toEqual([]);
		await page.keyboard.press('m');
		await clock.pass(2);
		expect(await strokes(page)).toBe('988,988,988');
		for (const name of ['Calm', 'Urgent']) await ask('POST', '/ackAlarms', { alarms: [{ id: ids.get(name), occurrence: 1 }] });
		await clock.pass(31);
		await heard(page);
		await clock.pass(31);
		expect(await heard(page)).toEqual([]);
		// The service refuses the pasts that were asked for by that clock.
		expect(faults.filter((fault) => !fault.endsWith('/history'))).toEqual([]);
	});

	test('an alarm is silent while the form asks to sign in again, and is heard after that', async () => {
		const { page, clock } = await open({ script: listen('granted') });
		await choose(page, clock, 'Sounds for alarms');
		await page.keyboard.press('Escape');
		await raise('Urgent');
		await clock.pass(31);
		expect(await strokes(page)).toContain('988,988,988');
		await page.route('**/getAlarms', (route) => route.fulfill({ status: 401, json: { message: 'Unauthorized' } }));
		await clock.until(1000, () => page.getByLabel('Access key').isVisible());
		await heard(page);
		await clock.pass(31);
		expect(await heard(page)).toEqual([]);
		await page.unroute('**/getAlarms');
		await page.getByLabel('Access key').fill(tenants.b.tokenApp);
		await page.keyboard.press('Enter');
		await clock.until(100, () => page.getByLabel('Access key').isHidden());
		await clock.pass(2);
		expect(await strokes(page)).toContain('988,988,988');
	});

	test('a browser that plays nothing before a click is said, and plays after one', async () => {
		await raise('Urgent');
		const script = `${listen('granted')} localStorage.setItem('caudal.sound', 'true');
			globalThis.isClicked = false;
			addEventListener('pointerdown', () => { isClicked = true; }, true);
			Object.defineProperty(BaseAudioContext.prototype, 'state', { get() { return isClicked ? 'running' : 'suspended'; } });
			AudioContext.prototype.resume = async function () { if (isClicked) this.dispatchEvent(new Event('statechange')); };`;
		const { page, clock } = await open({ script });
		await clock.until(100, () => band(page).getByText('only after a click').isVisible());
		await clock.pass(11);
		expect(await heard(page)).toEqual([]);
		await band(page).getByRole('button', { name: 'Play sounds' }).click();
		await clock.pass(2);
		expect(await strokes(page)).toBe('988,988,988');
	});

	test('an alarm is shown as a notice of the desktop by choice, which goes when it is acknowledged', async () => {
		const { page, clock, faults } = await open({ script: listen('granted') });
		await choose(page, clock, 'Notices of the desktop');
		const occurrence = await raise('Urgent');
		await clock.pass(31);
		expect(await page.evaluate('noticed')).toEqual([`Urgent, Critical · ${tenants.b.schemaName}`]);
		await ask('POST', '/ackAlarms', { alarms: [{ id: ids.get('Urgent'), occurrence }] });
		await clock.pass(31);
		expect(await page.evaluate('noticed.at(-1)')).toBe('closed');
		expect(faults).toEqual([]);
	});

	test('a browser that refuses notices is said, and the choice stays off', async () => {
		const { page, clock } = await open({ script: listen('denied') });
		const dialog = await choose(page, clock, 'Notices of the desktop');
		await dialog.getByText('The browser refuses notices of this page.').waitFor();
		expect(await dialog.getByLabel('Notices of the desktop').isChecked()).toBe(false);
		await raise('Urgent');
		await clock.pass(31);
		expect(await page.evaluate('noticed')).toEqual([]);
	});

	test.each(twoLooks)(
		'axe-core finds nothing in what asks for attention, in %s, %s, %i px wide',
		async (language, theme, width) => {
			const size = { width, height: 900 };
			const { page, expectAccessible, faults } = await served.open({ tenant: 'b', language, theme, size });
			await page.keyboard.press('p');
			await page.locator('.attention-bands .btn').waitFor();
			await expectAccessible();
			await page
				.getByRole('button', { name: language === 'en' ? 'Account' : 'Cuenta' })
				.first()
				.click();
			await page.getByLabel(language === 'en' ? 'Sounds for' : 'Sonidos de').check();
			await expectAccessible();
			expect(faults).toEqual([]);
		},
	);
});
