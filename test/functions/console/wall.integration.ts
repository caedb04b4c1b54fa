import { describe, expect, inject, test } from 'vitest';
import { createPageClock } from '#test/support/page-clock.ts';
import { serveConsole } from '#test/support/serve-console.ts';

describe.skipIf(inject('chromium') === null)('the wall of the console, in Chromium', () => {
	const served = serveConsole({ DEMO_PLANT: 'on' });

	/** Counts how often the screen is kept awake, and how often it is let go. */
	const countLocks = `
		globalThis.locks = [];
		Object.defineProperty(navigator, 'wakeLock', { value: { request: async (type) => {
			locks.push(type);
			return { release: async () => void locks.push('released') };
		} } });`;

	test.each([
		['light', 3840, 2160],
		['dark', 3840, 2160],
		['light', 1080, 1920],
		['dark', 1080, 1920],
	] as const)('every screen stands on it without controls, in %s, %i x %i', async (theme, width, height) => {
		const { page, goTo, violations, faults } = await served.open({ route: 'overview?wall=1', theme, size: { width, height } });
		await page.locator('.tile .value b').first().waitFor();
		for (const screen of ['overview', 'station', 'trend', 'alarms', 'variables', 'diagram', 'report', 'changes', 'access']) {
			await goTo(`${screen}?wall=1`);
			await page.locator('.wall-head .clock').waitFor();
			await page.locator('main h1').first().waitFor({ state: 'attached' });
			expect(await page.locator('.rail, .topbar, .tabs').count(), screen).toBe(0);
			expect(await page.locator(':is(button:not(th *), input, select):visible').count(), screen).toBe(0);
			expect(await page.evaluate('document.documentElement.scrollWidth'), screen).toBe(width);
		}
		expect(await violations()).toEqual([]);
		const rem = await page.evaluate<number>('parseFloat(getComputedStyle(document.documentElement).fontSize)');
		expect(rem).toBeGreaterThanOrEqual(width === 3840 ? 32 : 20);
		expect(faults).toEqual([]);
	});

	test('its clock moves every second, and says from afar when values are out of date', async () => {
		const { page } = await served.open({ route: 'overview?wall=1', stopsClock: true });
		const clock = createPageClock(page);
		await clock.until(100, async () => (await page.locator('.tile .value b').count()) > 0);
		await clock.until(100, async () => (await page.locator('.wall-head .clock').count()) > 0);
		const shown = () => page.locator('.wall-head .clock').innerText();
		for (let second = 0; second < 4; second += 1) {
			const before = await shown();
			// A step is drawn some moments after it.
			expect(await clock.until(100, async () => (await shown()) !== before)).toBeLessThanOrEqual(1500);
		}
		expect(await page.locator('.wall-head.old').count()).toBe(0);
		await page.route('**/multipleDataTsdb', (route) => route.fulfill({ status: 503, json: { message: 'Service Unavailable' } }));
		await clock.pass(36);
		// The page's clock stands still unless it is moved.
		await clock.until(1000, async () => (await page.locator('.wall-head.old').getByText('out of date').count()) > 0);
	});

	test('is entered and left by key, keeps the screen awake, also after the tab was hidden, and acknowledges nothing', async () => {
		const { page, faults } = await served.open({ route: '/overview', script: countLocks });
		const locks = () => page.evaluate<string[]>('locks');
		await page.keyboard.press('w');
		await page.locator('.wall-head').waitFor();
		await expect.poll(locks).toEqual(['screen']);
		await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
		await expect.poll(locks).toEqual(['screen', 'screen']);
		const acknowledged: string[] = [];
		page.on('request', (request) => {
			if (request.method() === 'POST' && request.url().endsWith('/ackAlarms')) acknowledged.push(request.url());
		});
		for (const key of ['Shift+A', 'a', 'p', '/', 'Enter']) await page.keyboard.press(key);
		// Another screen is a wall, too.
		await page.keyboard.press('4');
		await expect.poll(() => page.evaluate('location.hash')).toBe('#/alarms?wall=1');
		await page.locator('.wall-head').getByText('Alarms').waitFor();
		await page.keyboard.press('Escape');
		await page.locator('.rail').waitFor();
		expect(await page.evaluate('location.hash')).toBe('#/alarms');
		await expect.poll(async () => (await locks()).at(-1)).toBe('released');
		expect(acknowledged).toEqual([]);
		await page.getByRole('button', { name: 'Account and preferences' }).click();
		await page.getByRole('button', { name: 'Show as a wall' }).click();
		await page.locator('.wall-head').waitFor();
		await page.goBack();
		await page.locator('.rail').waitFor();
		await page.keyboard.press('?');
		await page.getByRole('dialog').getByText('Wall: the screen without controls. Esc leaves it').waitFor();
		expect(faults).toEqual([]);
	});

	test('says where the browser may let the screen go dark', async () => {
		const script = "Object.defineProperty(navigator, 'wakeLock', { value: undefined });";
		const { page } = await served.open({ route: 'overview?wall=1', script });
		await page.getByText('The browser may let this screen go dark.').waitFor();
	});
});
