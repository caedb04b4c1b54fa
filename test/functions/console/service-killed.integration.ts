import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { type ConsoleBrowser, startConsoleBrowser } from '#test/support/console-page.ts';
import { demoScreens } from '#test/support/demo-screens.ts';
import { createPageClock } from '#test/support/page-clock.ts';
import { type Program, startProgram } from '#test/support/process.ts';

/** What writes, by its word. */
const writing =
	/^(Save|Save panel|Save report|Save diagram|Save as a chart|Delete…|New variable|New machine|New alarm|New diagram)$/;

describe.skipIf(inject('chromium') === null)('the console of a service whose process is killed, in Chromium', () => {
	const directory = mkdtempSync(join(tmpdir(), 'caudal-killed-'));
	let program: Program;
	let baseUrl: string;
	let browser: ConsoleBrowser;
	/** The state is kept, so that tokens stay valid. */
	const start = async (port: string): Promise<void> => {
		({ program, baseUrl } = await startProgram({ PORT: port, STATE_DIR: join(directory, 'state') }));
	};
	const kill = async (): Promise<void> => {
		program.child.kill('SIGKILL');
		await program.ended;
	};
	beforeAll(async () => {
		await start('0');
		browser = await startConsoleBrowser(inject('chromium') ?? '', {
			baseUrl,
			feed: async () => undefined,
			close: async () => undefined,
		});
	});
	afterAll(async () => {
		await browser.close();
		await kill();
		rmSync(directory, { recursive: true });
	});

	const band = (page: Page) => page.getByRole('region', { name: 'Connection' }).locator('.btn');
	const current = (page: Page) => page.locator('.value:not(.old, .none), .word:not(.old, .unknown)').count();

	test('says so within an interval and 2 s on every screen, marks every value, writes nothing, and recovers alone', async () => {
		const windows = [];
		for (const { route, has, ...rest } of demoScreens) {
			const showsValues = has === '.value' || has === '.word';
			const opened = await browser.open({ route, stopsClock: true });
			onTestFinished(opened.close);
			const { page } = opened;
			const clock = createPageClock(page);
			const isShown = async (holds: () => Promise<boolean>) =>
				clock.until(200, holds).catch((error: unknown) => expect.fail(`${route}: ${error}`));
			await isShown(async () => (await page.locator(`main ${has}`).count()) > 0);
			if (rest.edits === true) await page.getByRole('radio', { name: 'Edit' }).check({ force: true });
			if (showsValues) await isShown(async () => (await current(page)) > 0);
			await clock.pass(2);
			windows.push({ ...opened, route, clock, showsValues });
		}
		await kill();
		for (const { page, route, clock, violations } of windows) {
			expect(await clock.until(2000, async () => (await band(page).count()) === 1), route).toBeLessThanOrEqual(32_000);
			await clock.move(1000);
			expect(await current(page), route).toBe(0);
			expect(await page.locator('.app.lost').count(), route).toBe(1);
			const buttons = await page.locator('main').getByRole('button', { name: writing }).all();
			const enabled = await Promise.all(buttons.map(async (button) => ((await button.isEnabled()) ? button.innerText() : '')));
			expect(
				enabled.filter((name) => name !== ''),
				route,
			).toEqual([]);
			let isChecked = false;
			const found = violations().finally(() => {
				isChecked = true;
			});
			// axe-core waits for timers of the page.
			await clock.until(50, async () => isChecked);
			expect(await found, route).toEqual([]);
		}
		await start(new URL(baseUrl).port);
		for (const { page, route, clock, showsValues } of windows) {
			await clock.until(1000, async () => (await page.locator('.app.lost').count()) === 0);
			expect(await band(page).count(), route).toBe(0);
			expect(await page.locator('h1').allInnerTexts(), route).not.toContain('Sign in');
			if (showsValues) await clock.until(200, async () => (await current(page)) > 0);
		}
	}, 240_000);
});
