import type { Locator, Page } from 'playwright-core';
import * as v from 'valibot';
import { readConfig } from '#shared/config.ts';
import { type ConsoleBrowser, startConsoleBrowser } from '#test/support/console-page.ts';
import { largeDrawing } from '#test/support/large-drawing.ts';
import { listen } from '#test/support/servers/http-server.ts';
import { openLocalTarget } from '#test/support/servers/local.ts';
import { simulatedPlant } from '#test/support/simulated-plant.ts';
import { type BenchRow, median, ratioRow, sizeOf } from './row.ts';

const updates = sizeOf(60, 2);
const loads = sizeOf(5, 1);
/** The script time of an update that 95 % keep to, in milliseconds: a diagram has one frame. */
const goalMs = { values: 12, diagram: 16 } as const;

const environmentSchema = v.object({ CHROMIUM_PATH: v.optional(v.string(), '/usr/bin/chromium') });

/** Measures the console in Chromium: an update of 500 values, and the first load on a slow line and a slow computer. */
export async function benchConsole(): Promise<readonly BenchRow[]> {
	const target = await openLocalTarget({ DEMO_PLANT: 'on' });
	const browser = await startConsoleBrowser(readConfig(environmentSchema).CHROMIUM_PATH, target);
	try {
		return [await tilesRow(browser), await drawingRow(browser), ...(await loadRows(browser, target.baseUrl))];
	} finally {
		await browser.close();
		await target.close();
	}
}

async function tilesRow(browser: ConsoleBrowser): Promise<BenchRow> {
	const { page, close } = await browser.open({ tenant: 'b', script: simulatedPlant(500) });
	const last = page.locator('.value-row').nth(499).locator('.value b');
	const row = await updateRow(page, 'an update of 500 values', last, goalMs.values);
	await close();
	return row;
}

/** The variables to which a large drawing is bound. */
const drawnVariables = 48;

/** A value of a simulated plant differs from poll to poll, so every entry of the drawing that shows one is drawn anew. */
async function drawingRow(browser: ConsoleBrowser): Promise<BenchRow> {
	const { page, close } = await browser.open({
		tenant: 'b',
		route: '/diagram',
		script: simulatedPlant(drawnVariables, [largeDrawing(500)]),
	});
	const last = page.locator('.d-value .value b').last();
	const row = await updateRow(page, 'an update of a diagram of 500 entries', last, goalMs.diagram);
	await close();
	return row;
}

/** @param last a value that is shown: it changes with every update */
async function updateRow(page: Page, what: string, last: Locator, goal: number): Promise<BenchRow> {
	// Asked for once: to look it up among all values is script, too, and would be measured.
	const shownLast = await last.elementHandle();
	if (shownLast === null) throw new Error(`No value is shown for ${what}.`);
	await page.waitForTimeout(3000);
	const session = await page.context().newCDPSession(page);
	await session.send('Performance.enable');
	const scriptMs = async (): Promise<number> => {
		const { metrics } = await session.send('Performance.getMetrics');
		return 1000 * (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN);
	};
	const shown = () => shownLast.textContent();
	const times: number[] = [];
	for (let update = 0; update < updates; update += 1) {
		const before = await shown();
		const begun = await scriptMs();
		await page.keyboard.press('r');
		do await page.waitForTimeout(100);
		while ((await shown()) === before);
		times.push((await scriptMs()) - begun);
	}
	const p95 = times.toSorted((a, b) => a - b)[Math.floor(0.95 * updates)] ?? Number.NaN;
	return {
		name: `console: script time of ${what}, all changed`,
		baseline: '–',
		measured: `p95 ${p95.toFixed(1)} ms, median ${median(times).toFixed(1)} ms`,
		ratio: null,
		budget: `goal ${goal} ms`,
		met: p95 <= goal,
	};
}

/** Compares with a page of one character, which is as quick as a page can be. */
async function loadRows(browser: ConsoleBrowser, baseUrl: string): Promise<readonly BenchRow[]> {
	const { url: emptyUrl, close: closeEmpty } = await listen((_, response) =>
		response.setHeader('content-type', 'text/html').end('<!doctype html><title>.</title>.'),
	);
	const [empty, paint, values]: [number[], number[], number[]] = [[], [], []];
	for (let load = 0; load < loads; load += 1) {
		empty.push(await firstPaintMs(browser, emptyUrl));
		const { page, close } = await slowPage(browser);
		const shown = page.waitForEvent('console', (message) => message.text() === firstValueShown);
		await page.goto(`${baseUrl}/console#/overview`);
		await shown;
		paint.push(await page.evaluate<number>(paintScript));
		values.push(await page.evaluate<number>('firstValueMs'));
		await close();
	}
	closeEmpty();
	return [
		ratioRow('console: first paint at 1.6 Mbit/s, 150 ms, CPU 4x slower', 'an empty page', [median(paint), median(empty)], {
			maxRatio: 3,
		}),
		ratioRow('console: first values at 1.6 Mbit/s, 150 ms, CPU 4x slower', 'an empty page', [median(values), median(empty)], {
			maxRatio: 5,
		}),
	];
}

const paintScript = "performance.getEntriesByName('first-contentful-paint')[0].startTime";

async function firstPaintMs(browser: ConsoleBrowser, url: string): Promise<number> {
	const { page, close } = await slowPage(browser);
	await page.goto(url);
	await page.waitForFunction("performance.getEntriesByName('first-contentful-paint').length > 0");
	const ms = await page.evaluate<number>(paintScript);
	await close();
	return ms;
}

/** Opens a page with an empty cache that is slowed down, signed in, and notes when the first value stands on it. */
async function slowPage(browser: ConsoleBrowser): Promise<{ readonly page: Page; close(): Promise<void> }> {
	const opened = await browser.openEmpty({ tenant: 'a', script: noteFirstValue });
	const session = await opened.page.context().newCDPSession(opened.page);
	await session.send('Network.enable');
	await session.send('Network.emulateNetworkConditions', {
		offline: false,
		latency: 150,
		downloadThroughput: 1.6e6 / 8,
		uploadThroughput: 1.6e6 / 8,
	});
	await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
	return opened;
}

const firstValueShown = 'the first value is shown';

/** The page itself says when: to look for the value from outside takes a slow page a tenth of a second. */
const noteFirstValue = `new MutationObserver((_, observer) => {
	if (document.querySelector('.value:not(.none)') === null) return;
	globalThis.firstValueMs = performance.now();
	console.log('${firstValueShown}');
	observer.disconnect();
}).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });`;
