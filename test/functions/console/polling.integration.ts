import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest';
import { type Target, tenants } from '#test/e2e/target.ts';
import { type ConsoleBrowser, type ConsoleOptions, startConsoleBrowser } from '#test/support/console-page.ts';
import { feedStagedPlant, storeStagedPlant } from '#test/support/console-plant.ts';
import { openLocalTarget } from '#test/support/servers/local.ts';

describe.skipIf(inject('chromium') === null)('the polling of the console, in Chromium', () => {
	let target: Target;
	let browser: ConsoleBrowser;
	beforeAll(async () => {
		target = await openLocalTarget();
		browser = await startConsoleBrowser(inject('chromium') ?? '', target);
		await storeStagedPlant(target);
	});
	afterAll(async () => {
		await browser.close();
		await target.close();
	});
	beforeEach(() => feedStagedPlant(target));

	/** Requests that have no answer yet, beside those that a test holds back. */
	const inFlight = new Set<unknown>();

	/** Opens the overview with a clock that stands still, after the first values. Counts the polls from then on. */
	const open = async (options: ConsoleOptions = {}) => {
		inFlight.clear();
		const opened = await browser.open({ tenant: 'b', stopsClock: true, ...options });
		onTestFinished(opened.close);
		const { page } = opened;
		page.on('request', (request) => inFlight.add(request));
		page.on('requestfinished', (request) => inFlight.delete(request));
		page.on('requestfailed', (request) => inFlight.delete(request));
		await until(page, 100, () => flow(page).then((text) => text === '12.5'));
		// What follows the first values, such as the pasts of tiles, is done, too.
		await pass(page, 2);
		let count = 0;
		page.on('request', (request) => {
			if (request.url().endsWith('/multipleDataTsdb')) count += 1;
		});
		return { ...opened, polls: () => count };
	};

	/** Moves the page's clock, and gives requests the real time that they take; at most half a second, for those that are held back. */
	const move = async (page: Page, ms: number): Promise<void> => {
		await page.clock.runFor(ms);
		for (let waited = 0; inFlight.size > 0 && waited < 50; waited += 1) await new Promise((resolve) => setTimeout(resolve, 10));
	};
	const pass = async (page: Page, seconds: number): Promise<void> => {
		for (let second = 0; second < seconds; second += 1) await move(page, 1000);
	};
	/** Moves the page's clock in steps until something holds, and returns by how much. */
	const until = async (page: Page, stepMs: number, holds: () => Promise<boolean>): Promise<number> => {
		for (let movedMs = 0; ; movedMs += stepMs) {
			if (await holds()) return movedMs;
			await move(page, stepMs);
		}
	};
	const flow = async (page: Page): Promise<string> =>
		(await page.locator('.tile').filter({ hasText: 'Fresh flow' }).locator('.value b').allInnerTexts()).join();
	const band = (page: Page) => page.locator('.lost-band');
	const hide = (page: Page, hidden: boolean) =>
		page.evaluate(
			`Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
		);

	test('shows a written sample with the next poll, and not before', async () => {
		const { page, polls, faults } = await open();
		await feedStagedPlant(target, { 'Fresh flow': 13.75 });
		await page.clock.runFor(26_000);
		expect([await flow(page), polls()]).toEqual(['12.5', 0]);
		await page.clock.runFor(5000);
		await expect.poll(() => flow(page)).toBe('13.8');
		expect(polls()).toBe(1);
		expect(faults).toEqual([]);
	});

	test('polls every 10, 30 or 60 s, and not while it is paused', async () => {
		const { page, polls } = await open();
		const polledIn = async (seconds: number): Promise<number> => {
			const before = polls();
			await pass(page, seconds);
			return polls() - before;
		};
		expect(await polledIn(60)).toBe(2);
		await page.getByLabel('How often values are read').selectOption({ label: 'every 10 s' });
		await expect.poll(polls).toBe(3);
		expect(await polledIn(60)).toBe(6);
		await page.getByLabel('How often values are read').selectOption({ label: 'every 60 s' });
		await expect.poll(polls).toBe(10);
		expect(await polledIn(120)).toBe(2);
		await page.getByRole('button', { name: 'Pause' }).click();
		expect(await polledIn(90)).toBe(0);
		await page.getByText('Paused').waitFor();
		expect(await page.locator('.app.lost').count()).toBe(1);
		await page.keyboard.press('p');
		await expect.poll(polls).toBe(13);
		await expect.poll(() => page.locator('.app.lost').count()).toBe(0);
	});

	test('says within an interval and 2 s that the service is gone, marks every value, asks again in growing, jittered steps, and recovers alone', async () => {
		const { page } = await open();
		let isGone = true;
		const triedAt: number[] = [];
		let clockMs = 0;
		page.on('request', (request) => {
			if (request.url().endsWith('/multipleDataTsdb')) triedAt.push(clockMs);
		});
		await page.route('**/multipleDataTsdb', (route) => (isGone ? route.abort('connectionrefused') : route.continue()));
		await page.route('**/getAlarms', (route) => (isGone ? route.abort('connectionrefused') : route.continue()));
		const movedMs = await until(page, 500, async () => (await band(page).count()) === 1);
		expect(movedMs).toBeLessThanOrEqual(32_000);
		await expect.poll(() => page.locator('.tile').count()).toBe(11);
		expect(await page.locator('.tile').getByText('out of date', { exact: true }).count()).toBe(11);
		const looks = await page.locator('.tile').evaluateAll(looksOf);
		expect(looks.every((image) => image.includes('repeating-linear-gradient'))).toBe(true);
		expect(await page.locator('.tile .value:not(.old, .none), .tile .word:not(.old, .unknown)').count()).toBe(0);
		expect(await page.locator('.chip').allInnerTexts()).toEqual(['11\nout of date']);
		for (const stepMs = 250; clockMs < 120_000; clockMs += stepMs) await move(page, stepMs);
		const waits = triedAt.slice(1).map((at, index) => at - (triedAt[index] ?? 0));
		expect(waits.length).toBeGreaterThanOrEqual(5);
		for (const [index, wait] of waits.entries()) {
			const longest = Math.min(30_000, 2000 * 2 ** index);
			// Seen in steps of 250 ms.
			expect(wait).toBeGreaterThanOrEqual(longest / 2 - 500);
			expect(wait).toBeLessThanOrEqual(longest + 500);
		}
		expect(new Set(waits.slice(-3)).size).toBeGreaterThan(1);
		isGone = false;
		await until(page, 1000, async () => (await band(page).count()) === 0);
		await move(page, 200);
		await page.getByText('Connected again').waitFor();
		expect(await page.locator('.app.lost').count()).toBe(0);
	});

	test('says so, too, where the service accepts requests and never answers', async () => {
		const { page } = await open();
		await page.route('**/multipleDataTsdb', () => new Promise(() => undefined));
		expect(await until(page, 500, async () => (await band(page).count()) === 1)).toBeLessThanOrEqual(32_000);
		expect(await page.locator('.app.lost').count()).toBe(1);
	});

	test('keeps the values and says that reading failed where the service answers with an error', async () => {
		const { page } = await open();
		await page.route('**/multipleDataTsdb', (route) => route.fulfill({ status: 503, json: { message: 'Service Unavailable' } }));
		await page.keyboard.press('r');
		await page.getByText('Could not read: asked again in').waitFor();
		expect([await flow(page), await page.locator('.app.lost').count()]).toEqual(['12.5', 0]);
		await until(page, 500, async () => (await band(page).count()) === 1);
		expect(await page.locator('.app.lost').count()).toBe(1);
	});

	test('polls at most once a minute while nobody looks, and shows nothing old as current when somebody does', async () => {
		const { page, polls } = await open();
		await page.clock.runFor(10_000);
		await hide(page, true);
		await pass(page, 59);
		expect(polls()).toBe(0);
		await pass(page, 62);
		expect(polls()).toBe(2);
		await pass(page, 40);
		await feedStagedPlant(target, { 'Fresh flow': 14.5 });
		let release: () => void = () => undefined;
		const isAsked = new Promise<void>((resolve) => {
			void page.route('**/multipleDataTsdb', async (route) => {
				resolve();
				await new Promise<void>((go) => {
					release = go;
				});
				await route.continue();
			});
		});
		await hide(page, false);
		await isAsked;
		expect(await page.locator('.app.lost').count()).toBe(1);
		expect(await page.locator('.tile .value:not(.old, .none)').count()).toBe(0);
		release();
		await expect.poll(() => flow(page)).toBe('14.5');
		expect(await page.locator('.app.lost').count()).toBe(0);
	});

	test('asks to sign in again when the token is refused, and then goes on with what was typed', async () => {
		const { page, polls } = await open();
		await page.getByLabel('Find a variable').fill('flow');
		await page.route('**/multipleDataTsdb', (route) => route.fulfill({ status: 401, json: { message: 'Unauthorized' } }));
		await page.keyboard.press('Tab');
		await page.keyboard.press('Shift+Tab');
		await page.clock.runFor(31_000);
		await page.getByRole('heading', { name: 'Signed out: sign in again, what you typed is kept' }).waitFor();
		expect(await page.getByLabel('E-mail').inputValue()).toBe(tenants.b.email);
		expect(await page.getByLabel('Find a variable').isVisible()).toBe(false);
		const before = polls();
		await pass(page, 90);
		expect(polls()).toBe(before);
		await page.unroute('**/multipleDataTsdb');
		await page.getByLabel('Access key').fill(tenants.b.tokenApp);
		await page.keyboard.press('Enter');
		await page.getByLabel('Find a variable').waitFor();
		expect(await page.getByLabel('Find a variable').inputValue()).toBe('flow');
		expect(await page.locator('.tile').count()).toBe(2);
		await expect.poll(polls).toBeGreaterThan(before);
		await expect
			.poll(() =>
				page.getByLabel('Find a variable').evaluate((field) => field === (globalThis as never as Dom).document.activeElement),
			)
			.toBe(true);
	});

	test('shows nothing of one tenant to another, even where an answer arrives late', async () => {
		const { page } = await open();
		let answer: () => void = () => undefined;
		await page.route('**/multipleDataTsdb', async (route) => {
			const response = await route.fetch();
			await new Promise<void>((resolve) => {
				answer = resolve;
			});
			await route.fulfill({ response }).catch(() => undefined);
		});
		await page.keyboard.press('r');
		await expect.poll(() => answer.length + 1).toBe(1);
		await page.getByRole('button', { name: 'Account and preferences' }).click();
		await page.getByRole('button', { name: 'Sign out' }).click();
		await page.getByRole('heading', { name: 'Sign in' }).waitFor();
		answer();
		await page.unroute('**/multipleDataTsdb');
		for (const [label, value] of [
			['E-mail', tenants.a.email],
			['Access key', tenants.a.tokenApp],
			['Schema', tenants.a.schemaName],
			['Database', tenants.a.tsdb_name],
		] as const)
			await page.getByLabel(label).fill(value);
		await page.keyboard.press('Enter');
		await until(page, 200, async () => (await page.getByText('No variables yet').count()) === 1);
		expect(await page.getByText('Level high').count()).toBe(0);
	});
});

/** The types of the page, as far as these tests need them. */
interface Dom {
	readonly document: { readonly activeElement: unknown };
	getComputedStyle(element: unknown): { readonly backgroundImage: string };
}

const looksOf = (elements: readonly unknown[]): string[] =>
	elements.map((element) => (globalThis as never as Dom).getComputedStyle(element).backgroundImage);
