import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { call, signIn, tenants } from '#test/e2e/target.ts';
import { makeBody, makeQuery } from '#test/support/builders/builders.ts';
import { type ConsoleOptions, isFocused } from '#test/support/console-page.ts';
import { feedStagedPlant, storeStagedPlant } from '#test/support/console-plant.ts';
import { createPageClock } from '#test/support/page-clock.ts';
import { serveConsoleForEach } from '#test/support/serve-console.ts';

describe.skipIf(inject('chromium') === null)('the polling of the console, in Chromium', () => {
	const { target, ...served } = serveConsoleForEach();
	let plant: ReadonlyMap<string, number>;
	beforeEach(async () => {
		plant = await storeStagedPlant(target);
	});

	/** Opens the overview with a clock that stands still, after the first values. Counts the polls from then on. */
	const open = async (options: ConsoleOptions = {}) => {
		const opened = await served.open({ tenant: 'b', stopsClock: true, ...options });
		const { page } = opened;
		const clock = createPageClock(page);
		await clock.until(100, () => flow(page).then((text) => text === '12.5'));
		// What follows the first values, such as the pasts of tiles, is done, too.
		await clock.pass(2);
		let count = 0;
		page.on('request', (request) => {
			if (request.url().endsWith('/multipleDataTsdb')) count += 1;
		});
		return { ...opened, clock, polls: () => count };
	};

	/** The shown number without zeros at its end: how many decimals it has depends on what was fed before. */
	const flow = async (page: Page): Promise<string> =>
		(await page.locator('.tile').filter({ hasText: 'Fresh flow' }).locator('.value b').allInnerTexts())
			.join()
			.replace(/\.?0+$/, '');
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
		await expect.poll(() => flow(page)).toBe('13.75');
		expect(polls()).toBe(1);
		expect(faults).toEqual([]);
	});

	test('polls every 10, 30 or 60 s, and not while it is paused', async () => {
		const { page, clock, polls } = await open();
		const polledIn = async (seconds: number): Promise<number> => {
			const before = polls();
			await clock.pass(seconds);
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

	test('polls as often as is chosen, and is paused, on a phone too', async () => {
		const { page, clock, polls } = await open({ size: { width: 320, height: 900 } });
		await page.getByRole('button', { name: 'More' }).click();
		const dialog = page.getByRole('dialog');
		await clock.until(100, () => dialog.getByText('Live').isVisible());
		const before = polls();
		await dialog.getByLabel('How often').selectOption('10');
		await clock.pass(25);
		expect(polls() - before).toBeGreaterThanOrEqual(2);
		await dialog.getByRole('button', { name: 'Pause' }).click();
		await clock.until(100, () => dialog.getByText('Paused').isVisible());
		const paused = polls();
		await clock.pass(60);
		expect(polls()).toBe(paused);
	});

	test('says within an interval and 2 s that the service is gone, marks every value, asks again in growing, jittered steps, and recovers alone', async () => {
		const { page, clock } = await open();
		let isGone = true;
		const triedAt: number[] = [];
		let clockMs = 0;
		page.on('request', (request) => {
			if (request.url().endsWith('/multipleDataTsdb')) triedAt.push(clockMs);
		});
		await page.route('**/multipleDataTsdb', (route) => (isGone ? route.abort('connectionrefused') : route.continue()));
		await page.route('**/getAlarms', (route) => (isGone ? route.abort('connectionrefused') : route.continue()));
		const movedMs = await clock.until(500, async () => (await band(page).count()) === 1);
		expect(movedMs).toBeLessThanOrEqual(32_000);
		await expect.poll(() => page.locator('.tile').count()).toBe(11);
		expect(await page.locator('.tile').getByText('out of date', { exact: true }).count()).toBe(11);
		const looks = await page.locator('.tile').evaluateAll(looksOf);
		expect(looks.every((image) => image.includes('repeating-linear-gradient'))).toBe(true);
		expect(await page.locator('.tile .value:not(.old, .none), .tile .word:not(.old, .unknown)').count()).toBe(0);
		expect(await page.locator('.chip').allInnerTexts()).toEqual(['11\nout of date']);
		for (const stepMs = 250; clockMs < 120_000; clockMs += stepMs) await clock.move(stepMs);
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
		await clock.until(1000, async () => (await band(page).count()) === 0);
		await clock.move(200);
		await page.getByText('Connected again').waitFor();
		expect(await page.locator('.app.lost').count()).toBe(0);
		// The clock moves in 480 steps, and each waits for the page.
	}, 180_000);

	test('says so, too, where the service accepts requests and never answers', async () => {
		const { page, clock } = await open();
		await page.route('**/multipleDataTsdb', () => new Promise(() => undefined));
		expect(await clock.until(500, async () => (await band(page).count()) === 1)).toBeLessThanOrEqual(32_000);
		expect(await page.locator('.app.lost').count()).toBe(1);
	});

	test('keeps the values and says that reading failed where the service answers with an error', async () => {
		const { page, clock } = await open();
		await page.route('**/multipleDataTsdb', (route) => route.fulfill({ status: 503, json: { message: 'Service Unavailable' } }));
		await page.keyboard.press('r');
		await page.getByText('Could not read: asked again in').waitFor();
		expect([await flow(page), await page.locator('.app.lost').count()]).toEqual(['12.5', 0]);
		await clock.until(500, async () => (await band(page).count()) === 1);
		expect(await page.locator('.app.lost').count()).toBe(1);
	});

	test('reads at once when the network is back', async () => {
		const { page, clock } = await open();
		await page.context().setOffline(true);
		await page.keyboard.press('r');
		await band(page).waitFor();
		await page.context().setOffline(false);
		// The first retry waits for a second at least.
		expect(await clock.until(100, async () => (await band(page).count()) === 0)).toBeLessThan(1000);
		expect([await flow(page), await page.locator('.app.lost').count()]).toEqual(['12.5', 0]);
	});

	test('reads what could not be read again with the next poll', async () => {
		const { page, clock, goTo } = await open();
		const failed = page.getByText('Service Unavailable');
		await page.route('**/bombs', (route) => route.fulfill({ status: 503, json: { message: 'Service Unavailable' } }));
		await goTo('/station');
		await clock.until(100, async () => (await failed.count()) === 1);
		await page.unroute('**/bombs');
		await page.keyboard.press('r');
		await failed.waitFor({ state: 'detached' });
		expect(await page.locator('.app.lost').count()).toBe(0);
	});

	test('polls at most once a minute while nobody looks, and shows nothing old as current when somebody does', async () => {
		const { page, clock, polls } = await open();
		await page.clock.runFor(10_000);
		await hide(page, true);
		await clock.pass(45);
		expect(polls()).toBe(0);
		await clock.pass(76);
		expect(polls()).toBe(2);
		await clock.pass(40);
		await feedStagedPlant(target, { 'Fresh flow': 14.5 });
		const asked = Promise.withResolvers<void>();
		const held = Promise.withResolvers<void>();
		await page.route('**/multipleDataTsdb', async (route) => {
			asked.resolve();
			await held.promise;
			await route.continue();
		});
		await hide(page, false);
		await asked.promise;
		expect(await page.locator('.app.lost').count()).toBe(1);
		expect(await page.locator('.tile .value:not(.old, .none)').count()).toBe(0);
		held.resolve();
		await expect.poll(() => flow(page)).toBe('14.5');
		// The poll ends with the answers to all of its parts.
		await expect.poll(() => page.locator('.app.lost').count()).toBe(0);
	});

	test("goes on polling when the computer's clock is set back during a poll", async () => {
		const { page, clock, polls } = await open();
		await page.route('**/multipleDataTsdb', async (route) => {
			await page.clock.setSystemTime((await page.evaluate<number>('Date.now()')) - 3_600_000);
			await route.continue();
		});
		await clock.pass(95);
		expect(polls()).toBe(3);
	});

	test('asks to sign in again when the token is refused, and then goes on with what was typed', async () => {
		const { page, clock, polls } = await open();
		await page.getByLabel('Find a variable').fill('flow');
		await page.route('**/multipleDataTsdb', (route) => route.fulfill({ status: 401, json: { message: 'Unauthorized' } }));
		await page.keyboard.press('Tab');
		await page.keyboard.press('Shift+Tab');
		await page.clock.runFor(31_000);
		await page.getByRole('heading', { name: 'Signed out: sign in again, what you typed is kept' }).waitFor();
		expect(await page.getByLabel('E-mail').inputValue()).toBe(tenants.b.email);
		expect(await page.locator('[inert]').getByLabel('Find a variable').count()).toBe(1);
		const before = polls();
		await clock.pass(90);
		expect(polls()).toBe(before);
		await page.unroute('**/multipleDataTsdb');
		await page.getByLabel('Access key').fill(tenants.b.tokenApp);
		await page.keyboard.press('Enter');
		await page.getByLabel('Find a variable').waitFor();
		expect(await page.getByLabel('Find a variable').inputValue()).toBe('flow');
		expect(await page.locator('.tile').count()).toBe(2);
		await expect.poll(polls).toBeGreaterThan(before);
		await expect.poll(() => page.getByLabel('Find a variable').evaluate(isFocused)).toBe(true);
	});

	test('shows nothing of one tenant to another, even where answers arrive late', async () => {
		const token = await signIn(target, 'a');
		const mine = { name: 'Of tenant a', varsTsdb: { 'Of tenant a': makeQuery({ calc_topic: 'never/written' }) } };
		// It has the id of the flow of tenant b.
		expect((await call(target, 'POST', '/saveVariable', { token, body: makeBody(mine) })).body.data.id).toBe(
			plant.get('Fresh flow'),
		);
		const { page, clock } = await open();
		const held: string[] = [];
		const delivered: Promise<unknown>[] = [];
		let holds = true;
		const { promise: released, resolve: release } = Promise.withResolvers<void>();
		await page.route(/multipleDataTsdb|getAlarms/, async (route) => {
			if (!holds) return route.continue();
			const response = await route.fetch();
			held.push(await response.text());
			delivered.push(page.waitForEvent('requestfinished', (request) => request === route.request()));
			await released;
			return route.fulfill({ response });
		});
		await page.keyboard.press('r');
		await expect
			.poll(() => held.join(), { timeout: 10_000 })
			.toMatch(/Fresh flow.*"value":12\.5[\s\S]*Level high|Level high[\s\S]*Fresh flow.*"value":12\.5/);
		await page.getByRole('button', { name: 'Account and preferences' }).click();
		await page.getByRole('button', { name: 'Sign out' }).click();
		await page.getByRole('heading', { name: 'Sign in' }).waitFor();
		holds = false;
		for (const [label, value] of [
			['E-mail', tenants.a.email],
			['Access key', tenants.a.tokenApp],
			['Schema', tenants.a.schemaName],
			['Database', tenants.a.tsdb_name],
		] as const)
			await page.getByLabel(label).fill(value);
		await page.keyboard.press('Enter');
		const tile = page.locator('.tile').filter({ hasText: 'Of tenant a' });
		await clock.until(200, async () => (await tile.getByText('No data').count()) === 1);
		await clock.until(200, async () => (await page.getByText('No active alarms').count()) > 0);
		release();
		await Promise.all(delivered);
		await clock.pass(2);
		expect(await tile.locator('.value b').innerText()).toBe('– –');
		expect(await tile.getByText('No data').count()).toBe(1);
		expect(await page.getByText('Level high').count()).toBe(0);
		expect(await page.getByText('No active alarms').count()).toBeGreaterThan(0);
	});
});

/** The types of the page, as far as these tests need them. */
interface Dom {
	getComputedStyle(element: unknown): { readonly backgroundImage: string };
}

const looksOf = (elements: readonly unknown[]): string[] =>
	elements.map((element) => (globalThis as never as Dom).getComputedStyle(element).backgroundImage);
