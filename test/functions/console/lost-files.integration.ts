import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { demoScreens } from '#test/support/demo-screens.ts';
import { createPageClock } from '#test/support/page-clock.ts';
import { serveConsole } from '#test/support/serve-console.ts';

/** Screens that are loaded when they are first opened. */
const screens = demoScreens.filter(({ route }) => route !== '/overview');

/** Loses the first request of each file of the page. Returns the names of the files that were lost. */
const loseEachOnce = async (page: Page): Promise<ReadonlySet<string>> => {
	const lost = new Set<string>();
	await page.route(/\.(js|css)$/, (route) => {
		const name = new URL(route.request().url()).pathname;
		if (lost.has(name)) return route.continue();
		lost.add(name);
		return route.abort('connectionreset');
	});
	return lost;
};

describe.skipIf(inject('chromium') === null)('the console behind a network that loses files, in Chromium', () => {
	const served = serveConsole({ DEMO_PLANT: 'on' });
	const banner = (page: Page) => page.getByText('This screen could not be loaded.');

	test.each(screens)('opens $route though it loses one file', async ({ route, has }) => {
		const { page, goTo } = await served.open({ stopsClock: true });
		const clock = createPageClock(page);
		let lost = '';
		await page.route(/\.(js|css)$/, (request) => {
			if (lost !== '') return request.continue();
			lost = request.request().url();
			return request.abort('connectionreset');
		});
		await goTo(route);
		const waitedMs = await clock.until(200, async () => (await page.locator(`main ${has}`).count()) > 0);
		expect(lost).not.toBe('');
		expect(waitedMs).toBeLessThan(10_000);
		expect(await banner(page).count()).toBe(0);
	});

	test('opens a screen and its parts though each of their files is lost once', async () => {
		const { page, goTo } = await served.open({ stopsClock: true });
		const clock = createPageClock(page);
		const lost = await loseEachOnce(page);
		await goTo('/trend?ids=13,19&range=1h');
		await clock.until(200, async () => (await page.locator('main .plot').count()) > 0);
		expect([...lost].filter((name) => /later-.*\.css$/.test(name))).toHaveLength(1);
		expect(lost.size).toBeGreaterThan(2);
		await page.keyboard.press('?');
		await clock.until(200, () => page.getByRole('dialog').isVisible());
	});

	test('has its style although the style sheet of the first load is lost once', async () => {
		const { page } = await served.openEmpty();
		let isLost = false;
		await page.route(/style-.*\.css$/, (route) => {
			if (isLost) return route.continue();
			isLost = true;
			return route.abort('connectionreset');
		});
		await page.goto(`${served.target.baseUrl}/console#/overview`);
		await page.locator('.tile .value').first().waitFor();
		await expect
			.poll(() => page.evaluate('getComputedStyle(document.documentElement).backgroundColor'))
			.toBe('rgb(218, 221, 224)');
		expect(isLost).toBe(true);
	});

	test('says that a screen could not be loaded, and shows it after the next reading', async () => {
		const { page, goTo } = await served.open({ stopsClock: true });
		const clock = createPageClock(page);
		let asked = 0;
		await page.route(/\.(js|css)$/, (route) => {
			asked += 1;
			return route.abort('internetdisconnected');
		});
		await goTo('/alarms');
		await clock.until(500, async () => (await banner(page).count()) === 1);
		expect(asked).toBeGreaterThanOrEqual(3);
		await page.getByRole('button', { name: 'Load again' }).waitFor();
		await page.unroute(/\.(js|css)$/);
		const waitedMs = await clock.until(1000, async () => (await page.getByRole('heading', { level: 1 }).count()) === 1);
		expect(waitedMs).toBeLessThanOrEqual(36_000);
		expect(await banner(page).count()).toBe(0);
	});

	test('loads what saves a drawing and what plays sounds, though their files are lost once', async () => {
		const { page } = await served.open({ route: '/diagram', language: 'es' });
		await page.locator('main .value').first().waitFor();
		const lost = await loseEachOnce(page);
		const downloaded = page.waitForEvent('download');
		await page.getByRole('button', { name: 'Guardar como SVG' }).click();
		expect((await downloaded).suggestedFilename()).toMatch(/\.svg$/);
		const lostBefore = lost.size;
		expect(lostBefore).toBeGreaterThan(0);
		await page.getByRole('button', { name: 'Cuenta y preferencias' }).click();
		await page.getByRole('button', { name: 'Probar los tres sonidos' }).click();
		await expect.poll(() => lost.size).toBeGreaterThan(lostBefore);
		await page.waitForTimeout(1500);
		expect(await page.getByText('No se pueden reproducir sonidos.').count()).toBe(0);
	});
});
