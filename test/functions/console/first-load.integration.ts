import type { Page, Route } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import type { ConsoleOptions } from '#test/support/console-page.ts';
import { serveConsole } from '#test/support/serve-console.ts';

/** Notes whether the frame of the screens stands on the page without a value. Runs in the page. */
const noteEmptyDrawing = `globalThis.drawnEmpty = false; new MutationObserver(() => {
	drawnEmpty ||= document.querySelector('.app') !== null && document.querySelector('.tile .value:not(.none)') === null;
}).observe(document, { subtree: true, childList: true })`;

/**
 * Waits until the page has the whole of each first answer, and dates them now, however long the machine took: answers of ten seconds ago are
 * asked for again. Runs in the page.
 */
const arriveNow = `Promise.all([...firstReads.answers.values()].map(async (answer) => (await answer).response.clone().arrayBuffer()))
	.then(() => { firstReads.sentAt = Date.now(); })`;

describe.skipIf(inject('chromium') === null)('the first load of the console, in Chromium', () => {
	const { target, openEmpty } = serveConsole({ DEMO_PLANT: 'on' });

	/** Prepares a window whose requests are noted by path, each with what `multipleDataTsdb` asks for. */
	const prepare = async (options: ConsoleOptions = {}) => {
		const opened = await openEmpty(options);
		const asked: string[] = [];
		opened.page.on('request', (request) => {
			const body = request.postData();
			const { pathname } = new URL(request.url());
			asked.push(
				pathname === '/multipleDataTsdb' ? `${pathname} ${body === null ? 'all' : JSON.parse(body).ids.length}` : pathname,
			);
		});
		return {
			...opened,
			asked,
			go: (route: string) => opened.page.goto(`${target.baseUrl}/console#${route}`, { waitUntil: 'commit' }),
			reads: () => asked.filter((each) => each.startsWith('/multipleDataTsdb')),
		};
	};
	/** Holds the requests of a path back. Returns a function that lets them go. */
	const hold = async (page: Page, pattern: string | RegExp): Promise<() => void> => {
		const { promise: released, resolve: release } = Promise.withResolvers<void>();
		await page.route(pattern, async (route: Route) => {
			await released;
			await route.continue();
		});
		return release;
	};
	const values = (page: Page) => page.locator('.tile .value:not(.none)');

	test('asks for values beside the variables, once, and shows them as soon as both are there', async () => {
		const { page, go, asked, reads, faults } = await prepare();
		const release = await hold(page, '**/getVarsTsdb*');
		const answered = page.waitForResponse('**/multipleDataTsdb');
		await go('/overview');
		await expect
			.poll(() => asked.filter((each) => /^\/[a-z]+[A-Z]/.test(each)))
			.toEqual(['/getVarsTsdb', '/multipleDataTsdb all', '/getAlarms']);
		await (await answered).finished();
		expect(await page.locator('.tile').count()).toBe(0);
		release();
		await values(page).nth(20).waitFor();
		expect(reads()).toEqual(['/multipleDataTsdb all']);
		expect(asked.filter((each) => each === '/getVarsTsdb')).toHaveLength(1);
		expect(faults).toEqual([]);
	});

	test('asks while the module of the page is still being loaded, and takes each answer once', async () => {
		const { page, go, asked, faults } = await prepare();
		const release = await hold(page, /\/console\/chunk-/);
		const answers = Promise.all(
			['getVarsTsdb', 'multipleDataTsdb', 'getAlarms'].map((path) => page.waitForResponse(`**/${path}*`)),
		);
		await go('/overview');
		await answers;
		await page.evaluate(arriveNow);
		await page.evaluate(noteEmptyDrawing);
		release();
		await values(page).nth(20).waitFor();
		expect(await page.evaluate('drawnEmpty')).toBe(false);
		expect(asked.filter((each) => /^\/[a-z]+[A-Z]/.test(each))).toEqual(['/getVarsTsdb', '/multipleDataTsdb all', '/getAlarms']);
		await page.keyboard.press('r');
		await expect.poll(() => asked.filter((each) => each.startsWith('/multipleDataTsdb'))).toHaveLength(2);
		expect(faults).toEqual([]);
	});

	test.each([
		['are older than ten seconds', '/overview', 'globalThis.firstReads.sentAt -= 10_001'],
		['are of another token', '/overview', "globalThis.firstReads.token += 'x'"],
		[
			'could not be had',
			'/overview',
			'for (const url of firstReads.answers.keys()) firstReads.answers.set(url, Promise.resolve(null))',
		],
	])('asks again where the first answers %s', async (_, route, change) => {
		const { page, go, asked } = await prepare();
		const release = await hold(page, /\/console\/chunk-/);
		await go(route);
		await expect.poll(() => page.evaluate('globalThis.firstReads !== undefined')).toBe(true);
		await page.evaluate(change);
		release();
		await values(page).nth(20).waitFor();
		for (const path of ['/getVarsTsdb', '/multipleDataTsdb all', '/getAlarms'])
			await expect.poll(() => asked.filter((each) => each === path)).toHaveLength(2);
	});

	test.each(['/trend?ids=4', '/alarms'])('asks for nothing of the overview before %s is loaded', async (route) => {
		const { page, go } = await prepare();
		await go(route);
		await page.locator('main h1').first().waitFor();
		expect(await page.evaluate('globalThis.firstReads === undefined')).toBe(true);
	});

	test('an answer that waited for the module does not change the clock', async () => {
		const { page, go } = await prepare();
		const release = await hold(page, /\/console\/chunk-/);
		await go('/overview');
		await page.waitForTimeout(6000);
		release();
		await values(page).first().waitFor();
		const shown = async () => Date.parse((await page.locator('.clock').first().getAttribute('datetime')) ?? '');
		await expect.poll(async () => Math.abs((await shown()) - Date.now())).toBeLessThan(3500);
	});

	test('asks by id for what one answer of everything has no room for', async () => {
		const { page, go, reads } = await prepare();
		const skippedIds: number[] = [];
		await page.route('**/multipleDataTsdb', async (route) => {
			const response = await route.fetch();
			const { data } = await response.json();
			if (route.request().postData() !== null) return route.fulfill({ response });
			const cut = data.map((reading: { readonly id: number; readonly name: string }, index: number) => {
				if (index < 20) return reading;
				skippedIds.push(reading.id);
				return { id: reading.id, name: reading.name, unit: '', type: 'last', quality: 'skipped', value: null, time: null };
			});
			return route.fulfill({ response, json: { data: cut } });
		});
		await go('/overview');
		await values(page).nth(20).waitFor();
		expect(skippedIds.length).toBeGreaterThan(5);
		expect(reads()).toEqual(['/multipleDataTsdb all', expect.stringMatching(/^\/multipleDataTsdb \d\d$/)]);
		expect(await page.locator('.tile').getByText('Skipped').count()).toBe(0);
	});

	test('keeps nothing of everything for a screen that was opened meanwhile', async () => {
		const { page, go, goTo, reads } = await prepare();
		const isAsked = page.waitForRequest('**/multipleDataTsdb');
		const release = await hold(page, '**/multipleDataTsdb');
		await go('/overview');
		await isAsked;
		await goTo('/station');
		// Its heading becomes the panel's title once that is read.
		await page.getByRole('heading', { level: 1, name: /station/i }).waitFor();
		release();
		// Where the panel is read late, another read follows for what it adds.
		await expect
			.poll(() => reads().slice(0, 2))
			.toEqual(['/multipleDataTsdb all', expect.stringMatching(/^\/multipleDataTsdb \d+$/)]);
	});

	test('reads what another screen shows only, where that is opened first', async () => {
		const { page, go, reads } = await prepare();
		await go('/station');
		await page.getByText('Running').or(page.getByText('Stopped')).first().waitFor();
		await page.waitForTimeout(300);
		// What stands beside the panel is known before the panel itself, which is asked for where there are variables.
		expect(reads().length).toBeLessThanOrEqual(2);
		for (const read of reads()) expect(read).toMatch(/^\/multipleDataTsdb \d+$/);
	});

	test.each(['light', 'dark'] as const)('has a word on its ground before scripts run, in %s', async (theme) => {
		const { page, go, faults } = await prepare({ theme });
		const release = await hold(page, '**/*.js');
		await go('/overview');
		await page.getByText('Caudal', { exact: true }).waitFor();
		const [ink, ground] = await page.evaluate<[string, string]>(
			"[getComputedStyle(document.querySelector('.opening')).color, getComputedStyle(document.documentElement).backgroundColor]",
		);
		expect([ink, ground]).toEqual(
			theme === 'light' ? ['rgb(22, 27, 32)', 'rgb(218, 221, 224)'] : ['rgb(238, 241, 243)', 'rgb(27, 32, 36)'],
		);
		release();
		await page.locator('#console h1').waitFor();
		expect(await page.locator('.opening').count()).toBe(0);
		expect(faults).toEqual([]);
	});
});
