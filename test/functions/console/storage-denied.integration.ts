import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { twoLooks } from '#test/support/console-page.ts';
import { createPageClock } from '#test/support/page-clock.ts';
import { serveConsole } from '#test/support/serve-console.ts';

/** Ways in which browsers refuse to store something, as scripts that run before the page's own. */
const refusals = {
	'throws where storage, messages and locks are named': `
		const denied = () => { throw new DOMException('Access is denied for this document.', 'SecurityError'); };
		for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(globalThis, name, { get: denied });
		globalThis.BroadcastChannel = class { constructor() { denied(); } };
		navigator.locks.request = async () => denied();`,
	'is full': `
		Storage.prototype.setItem = () => { throw new DOMException('The quota has been exceeded.', 'QuotaExceededError'); };`,
	'has no storage': `
		for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(globalThis, name, { value: null });`,
} as const;

const screens = ['station', 'trend?ids=13,19&range=1h', 'alarms', 'variables', 'diagram', 'report', 'changes', 'access'];

describe.skipIf(inject('chromium') === null)('the console in a browser that refuses to store, in Chromium', () => {
	const served = serveConsole({ DEMO_PLANT: 'on' });
	const band = (page: Page) => page.getByText('This browser stores nothing here');

	test.each(Object.entries(refusals))('works where it %s, and says once that nothing is kept', async (_, script) => {
		const { page, goTo, violations, faults } = await served.open({ tenant: null, script });
		await page.getByLabel('Keep me signed in on this tab').check();
		await page.getByRole('button', { name: 'Open the demo plant' }).click();
		await page.locator('.tile .value').first().waitFor();
		await band(page).waitFor();
		expect(await violations()).toEqual([]);
		await page.getByRole('button', { name: 'Account and preferences' }).click();
		await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
		expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
		await page.keyboard.press('Escape');
		await page.getByRole('button', { name: 'Understood' }).click();
		expect(await band(page).count()).toBe(0);
		for (const screen of screens) {
			await goTo(screen);
			await page.locator('main h1').first().waitFor();
			expect(await band(page).count(), screen).toBe(0);
		}
		expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
		await page.getByRole('button', { name: 'Account and preferences' }).click();
		await page.getByRole('button', { name: 'Sign out' }).click();
		await page.getByRole('heading', { name: 'Sign in' }).waitFor();
		expect(faults).toEqual([]);
	});

	test.each(Object.entries(refusals))(
		'renews the session where it %s',
		async (_, script) => {
			const { page, faults } = await served.open({ tenant: null, script, stopsClock: true });
			const clock = createPageClock(page);
			await page.getByRole('button', { name: 'Open the demo plant' }).click();
			await clock.until(200, async () => (await page.locator('.tile .value').count()) > 0);
			let renewals = 0;
			page.on('response', (response) => {
				if (response.url().endsWith('/renewToken') && response.status() === 200) renewals += 1;
			});
			for (let minute = 0; minute < 31 && renewals === 0; minute += 1) {
				// Each timer fires once, at the end: a request of a minute that runs through would be given up within it.
				await page.clock.fastForward(60_000);
				await clock.move(100);
			}
			expect(renewals).toBeGreaterThan(0);
			expect(faults.filter((fault) => fault.startsWith('exception'))).toEqual([]);
		},
		120_000,
	);

	test('says nothing where the browser stores', async () => {
		const { page } = await served.open();
		await page.locator('.tile .value').first().waitFor();
		expect(await band(page).count()).toBe(0);
		expect(await page.evaluate('localStorage.length')).toBeGreaterThan(0);
	});

	test.each(twoLooks)('fits its band in %s, %s, at %i', async (language, theme, width) => {
		const { page } = await served.open({
			tenant: null,
			script: refusals['is full'],
			language,
			theme,
			size: { width, height: 800 },
		});
		await page.getByRole('button', { name: /demo/ }).click();
		await page.locator('.tile .value').first().waitFor();
		await page.getByRole('button', { name: /Understood|Entendido/ }).waitFor();
		expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
	});
});
