import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { svgProblem } from '#domain/background/svg-problem.ts';
import { attributesOf } from '#test/support/attributes-of.ts';
import type { ConsoleOptions } from '#test/support/console-page.ts';
import { drawnPlant } from '#test/support/drawn-plant.ts';
import { serveConsole } from '#test/support/serve-console.ts';
import {
	type GalleryKind,
	type GalleryState,
	galleryDiagram,
	galleryKinds,
	galleryName,
	galleryPlant,
	galleryStates,
	galleryVariables,
} from '#test/support/symbol-gallery.ts';
import backgrounds from '#test/vectors/backgrounds.json' with { type: 'json' };

const kinds = Object.keys(galleryKinds) as GalleryKind[];
const states = Object.keys(galleryStates) as GalleryState[];

/** The words of what is wrong with data, by the state. */
const faultWords: Partial<Readonly<Record<GalleryState, string>>> = {
	stale: 'Stale 4 min',
	noData: 'No data 22 min',
	bad: 'Bad',
	missing: 'Missing reference',
	skipped: 'Skipped',
};

/** The label of the alarm's mark, by the state. */
const alarmWords: Partial<Readonly<Record<GalleryState, RegExp>>> = {
	unacknowledged: /^Critical, unacknowledged: /,
	acknowledged: /^Warning, acknowledged: /,
	returned: /^Info, returned, unacknowledged: /,
};

/** The word of a good value. */
const goodWords: Readonly<Record<GalleryKind, string>> = {
	tank: '2.50m',
	pumpOn: 'Running',
	pumpOff: 'Stopped',
	valveOpen: 'Open',
	valveClosed: 'Closed',
	filter: 'On',
	value: '3.80bar',
};

/** Returns a computed style of the one element that a locator finds. */
const styleOf = (found: Locator, property: string): Promise<string | undefined> =>
	found.evaluate((element, name) => {
		const { getComputedStyle } = globalThis as unknown as { getComputedStyle: (of: unknown) => Readonly<Record<string, string>> };
		return getComputedStyle(element)[name];
	}, property);

/** Runs in the page: resolves once the effects of what was just drawn have run, and what they changed is drawn. */
const nextFrames =
	'new Promise((done) => requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(() => setTimeout(done)))))';

/** Presses a button that saves a file, and returns the file. */
const savedFile = async (page: Page, button: string): Promise<Buffer> => {
	const download = page.waitForEvent('download');
	await page.getByRole('button', { name: button }).click();
	return readFile(await (await download).path());
};

const savedText = async (page: Page, button: string): Promise<string> => (await savedFile(page, button)).toString('utf8');

/** The hostile forms that are refused for what they hold. */
const hostile = backgrounds.filter(({ found }) => found !== undefined);

describe.skipIf(inject('chromium') === null)('process diagrams, in Chromium', () => {
	const served = serveConsole();
	const openGallery = async (options: ConsoleOptions = {}) => {
		const console = await served.open({
			tenant: 'b',
			route: '/diagram',
			script: drawnPlant(galleryDiagram, galleryPlant),
			...options,
		});
		onTestFinished(() => expect(console.faults).toEqual([]));
		const { page } = console;
		// Not before its values have come: a value stands there from the first frame on.
		await page.locator('.process .value, .d-row').filter({ hasText: '2.50' }).first().waitFor();
		const idOf = (kind: GalleryKind, state: GalleryState) =>
			galleryVariables.find(({ name }) => name === galleryName(kind, state))?.id ?? Number.NaN;
		return {
			...console,
			symbol: (kind: GalleryKind, state: GalleryState) => page.locator(`a.d-symbol[href$="ids=${idOf(kind, state)}"]`),
			lose: async () => {
				await page.evaluate('drawnPlant.isLost = true');
				await page.keyboard.press('r');
				await page.locator('.app.lost').waitFor();
			},
		};
	};

	test.each(['light', 'dark'] as const)('every symbol says every state by shape and word (%s)', async (theme) => {
		const { page, symbol, violations } = await openGallery({ theme });
		for (const kind of kinds)
			for (const state of states) {
				const drawn = symbol(kind, state);
				const said = (await drawn.innerText()).replaceAll(/\s*\n\s*/g, ' ');
				const where = `${kind} ${state}: ${said}`;
				const fault = faultWords[state];
				const isNumber = kind === 'tank' || kind === 'value';
				expect(said, where).toContain(
					fault === undefined
						? goodWords[kind]
						: isNumber
							? state === 'stale'
								? goodWords[kind].slice(0, 4)
								: '– –'
							: 'Unknown',
				);
				if (fault !== undefined) expect(said, where).toContain(fault);
				expect(await drawn.locator('.quality').count(), where).toBe(fault === undefined ? 0 : 1);
				const mark = drawn.locator('> .alarm-mark');
				const label = alarmWords[state];
				expect(await mark.count(), where).toBe(label === undefined ? 0 : 1);
				if (label !== undefined) expect(await mark.getAttribute('aria-label'), where).toMatch(label);
				expect(await drawn.getByRole('img', { name: 'Shelved' }).count(), where).toBe(state === 'shelved' ? 1 : 0);
			}
		expect(await violations()).toEqual([]);
		const shapes = (kind: GalleryKind, state: GalleryState) => attributesOf(symbol(kind, state).locator('use'), 'href');
		expect(await shapes('pumpOn', 'good')).toEqual(['#pump-on']);
		expect(await shapes('pumpOff', 'good')).toEqual(['#pump-off']);
		expect(await shapes('pumpOn', 'stale')).toEqual(['#pump-unknown', '#q-stale']);
		expect(await shapes('valveOpen', 'good')).toEqual(['#valve-open']);
		expect(await shapes('valveClosed', 'good')).toEqual(['#valve-closed']);
		expect(await shapes('valveClosed', 'noData')).toEqual(['#valve-unknown', '#q-no_data']);
		expect(await attributesOf(page.locator('[data-flow]'), 'data-flow')).toEqual([
			...['forward', 'backward', 'still', 'unknown', 'bare', 'forward', 'still'],
		]);
	});

	test('a tank has water by its scale, ticks, and the excess of its alarm; without a number it has no water', async () => {
		const { symbol } = await openGallery();
		const rectOf = async (state: GalleryState, part: string) => {
			const found = symbol('tank', state).locator(part);
			const [tops, heights] = [await attributesOf(found, 'y'), await attributesOf(found, 'height')];
			return tops.map((top, index) => `${top},${heights[index]}`);
		};
		expect(await rectOf('good', '.d-water')).toEqual(['37.5%,62.5%']);
		expect(await rectOf('limits', '.d-tick')).toEqual(['75%,2', '15%,2']);
		expect(await rectOf('unacknowledged', '.d-excess')).toEqual(['25%,12.5%']);
		expect(await rectOf('returned', '.d-excess')).toEqual([]);
		expect(await rectOf('stale', '.d-water.old')).toEqual(['37.5%,62.5%']);
		for (const state of ['noData', 'bad', 'missing', 'skipped'] as const) {
			expect(await rectOf(state, '.d-water, .d-surface')).toEqual([]);
			expect(await symbol('tank', state).locator('rect[fill^="url"]').count()).toBe(1);
		}
		const outline = async (state: GalleryState) => {
			const found = symbol('tank', state).locator('.d-outline');
			return `${await styleOf(found, 'strokeWidth')} ${await styleOf(found, 'strokeDasharray')}`;
		};
		expect(await Promise.all((['good', 'unacknowledged', 'acknowledged', 'returned'] as const).map(outline))).toEqual([
			...['2px none', '4px none', '3px none', '3px 5px, 4px'],
		]);
	});

	test('without a connection arrows go, and everything is hatched and in grey', async () => {
		const { page, symbol, lose, violations } = await openGallery();
		expect(await page.locator('.d-arrow').count()).toBe(3);
		await lose();
		expect(await page.locator('.d-arrow, .d-still, .d-unknown').count()).toBe(0);
		for (const kind of kinds) {
			const drawn = symbol(kind, 'good');
			const isHatched = (await drawn.locator('rect[fill^="url"]').count()) === 1;
			const background = await styleOf(drawn, 'backgroundImage');
			expect(isHatched || background?.includes('repeating-linear-gradient'), kind).toBe(true);
			expect(await styleOf(drawn.locator('b'), 'fontWeight')).toBe('400');
			expect(await drawn.innerText()).toContain('out of date');
		}
		// The last shape stays.
		expect(await symbol('pumpOn', 'good').locator('use').getAttribute('href')).toBe('#pump-on');
		expect(await symbol('tank', 'good').locator('.d-surface.old').count()).toBe(1);
		expect(await violations()).toEqual([]);
	});

	test('Tab leads from symbol to symbol, and Enter to the trend', async () => {
		const { page, symbol, focusByKey } = await openGallery();
		await focusByKey(symbol('tank', 'good'));
		expect(await symbol('tank', 'good').getAttribute('title')).toMatch(/^\d+ (s|min) · .*UTC$/);
		const order: string[] = [];
		for (let press = 0; press < 6; press += 1) {
			order.push(await page.evaluate<string>('document.activeElement.getAttribute("href")'));
			await page.keyboard.press('Tab');
		}
		// There is no frame around them, so they follow each other from left to right.
		expect(order).toEqual([1, 101, 201, 301, 401, 501].map((id) => `#/trend?ids=${id}`));
		expect(await page.locator('a.d-symbol').count()).toBe(galleryVariables.length);
		expect(await page.locator('div.d-symbol').count()).toBe(galleryDiagram.shapes.length);
		await page.keyboard.press('Enter');
		await page.getByRole('heading', { name: 'Trend' }).waitFor();
	});

	test('in a narrow window a map stands above a list, and opens the drawing in a box that scrolls', async () => {
		const { page, expectAccessible } = await openGallery({ size: { width: 320, height: 800 } });
		expect(await page.locator('.d-map').innerText()).not.toContain('Running');
		expect(await page.locator('.d-row').count()).toBe(galleryVariables.length);
		expect(await page.locator('.d-row').first().innerText()).toMatch(/^tank\s+2\.50\s*m$/);
		await expectAccessible();
		await page.getByRole('button', { name: 'Enlarge the drawing' }).click();
		expect(await page.evaluate('document.querySelector(".drawing-scroll").scrollWidth')).toBeGreaterThanOrEqual(960);
		await expectAccessible();
		await page.getByRole('button', { name: 'Show it as a map' }).click();
		await page.locator('.d-map').waitFor();
	});

	test('a poll reads values and alarms, each once, and nothing else', async () => {
		const script = `${drawnPlant(galleryDiagram, galleryPlant)}
			globalThis.asked = [];
			const answer = globalThis.fetch;
			globalThis.fetch = (request) => { asked.push(new URL(request.url).pathname); return answer(request); };`;
		const { page } = await openGallery({ script });
		await page.evaluate('asked.length = 0');
		await page.keyboard.press('r');
		await expect.poll(() => page.evaluate('asked.toSorted()')).toEqual(['/getAlarms', '/multipleDataTsdb']);
	});

	test.each(['light', 'dark'] as const)(
		'is saved as an SVG file that needs nothing else, with the time of its values (%s)',
		async (theme) => {
			const { page, lose } = await openGallery({ theme });
			const svg = await savedText(page, 'Save as SVG');
			const texts = [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text);
			for (const word of ['2.50', 'Running', 'Stopped', 'Open', 'Closed', 'Unknown', 'Stale 4 min', 'River', 'Town', 'Frame'])
				expect(texts).toContain(word);
			expect(texts.at(-1)).toMatch(/^Gallery · Values of \d+ \p{L}+ \d{4} \d\d:\d\d:\d\d CES?T/u);
			// No style sheet, script or other file is needed: colours are numbers, and symbols stand where they are used.
			expect(svg).not.toMatch(/var\(|light-dark|currentColor|<use|<style|<script|<foreignObject|class=/);
			expect(new Set([...svg.matchAll(/(?:url|href)[=(]"?([^)" ]+)/g)].map(([, address]) => address))).toEqual(
				new Set(['#hatch']),
			);
			await lose();
			expect(await savedText(page, 'Save as SVG')).toContain('out of date');
		},
	);

	test('is saved as a picture of twice its size', async () => {
		const { page } = await openGallery();
		const png = await savedFile(page, 'Save as PNG');
		const box = await page.locator('.drawing').boundingBox();
		expect(png.subarray(1, 4).toString()).toBe('PNG');
		expect(png.readUInt32BE(16)).toBe(Math.round(2 * (box?.width ?? 0)));
		expect(png.readUInt32BE(20)).toBe(Math.round(2 * ((box?.height ?? 0) + 32)));
	});

	test('is printed on one sheet, across', async () => {
		const { page } = await openGallery();
		const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
		expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
		const [, width, height] = /\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf) ?? [];
		expect([Math.round(Number(width)), Math.round(Number(height))]).toEqual([842, 595]);
	});

	test('shows a background as an image that is cleaned of everything that the service would refuse', async () => {
		const real = `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd">
			<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
				viewBox="0 0 160 100" inkscape:version="1.3"><metadata>author</metadata><defs><linearGradient id="g"><stop stop-color="#0f0"/></linearGradient>
				<path id="p" d="M0 0h9"/></defs><style>.a { fill: url(#g) }</style><rect class="a" style="opacity: 0.5" width="160" height="100"/><text>Label</text><use xlink:href="#p"/></svg>`;
		const drawings = [real, ...hostile.map(({ svg }) => svg)];
		const rows = drawings.map((background, index) => ({
			...galleryDiagram,
			id: index + 1,
			version: 1,
			title: `Ground ${index + 1}`,
			background,
		}));
		const script = `${drawnPlant(galleryDiagram, galleryPlant)} drawnPlant.diagrams = ${JSON.stringify(rows)};`;
		const { page, goTo, violations } = await openGallery({ script, route: '/diagram/1' });
		const shown = async () => (await page.locator('.drawing > img').getAttribute('src')) ?? '';
		const svgOf = (address: string) => decodeURIComponent(address.replace('data:image/svg+xml,', ''));
		await expect.poll(() => page.locator('.drawing > img').count()).toBe(1);
		const clean = svgOf(await shown());
		expect(svgProblem(clean)).toBeNull();
		for (const part of [
			'viewBox="0 0 160 100"',
			'<linearGradient',
			'stop-color="#0f0"',
			'.a { fill: url(#g) }',
			'style="opacity: 0.5"',
			'>Label<',
			'xlink:href="#p"',
		])
			expect(clean).toContain(part);
		expect(clean).not.toMatch(/inkscape|metadata|author/);
		expect(await violations()).toEqual([]);
		let [pictures, notShown] = [0, 0];
		for (const [index, { reason }] of hostile.entries()) {
			await goTo(`/diagram/${index + 2}`);
			await page.getByLabel(`Drawing of Ground ${index + 2}`, { exact: true }).waitFor();
			await page.evaluate(nextFrames);
			if ((await page.locator('.drawing > img').count()) === 0) {
				notShown += await page.locator('.drawing').getByText('takes too long to draw').count();
				continue;
			}
			pictures += 1;
			expect(svgProblem(svgOf(await shown())), reason).toBeNull();
		}
		console.log(`${pictures} of ${hostile.length} hostile backgrounds leave a picture`);
		expect(pictures).toBeGreaterThan(hostile.length / 2);
		expect(pictures + notShown).toBe(hostile.length);
	}, 120_000);

	test('a background that only this browser kept goes into the drawing when it is edited, and is forgotten once it is stored', async () => {
		const svg = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>';
		const keep = `localStorage.setItem('caudal.background.plant_b.1', ${JSON.stringify(svg)});`;
		const kept = (page: Page) => page.evaluate("localStorage.getItem('caudal.background.plant_b.1')");
		const { page } = await openGallery({ script: drawnPlant(galleryDiagram, galleryPlant) + keep });
		await page.locator('.drawing > img').waitFor();
		await page.getByRole('radio', { name: 'Edit' }).check();
		await page.getByText('not saved yet').waitFor();
		await page.locator('.drawing > img').waitFor();
		expect(await kept(page)).toBe(svg);

		const stored = await openGallery({ script: drawnPlant({ ...galleryDiagram, background: svg }, galleryPlant) + keep });
		await stored.page.getByRole('radio', { name: 'Edit' }).check();
		await expect.poll(() => kept(stored.page)).toBeNull();
		expect(await stored.page.getByText('not saved yet').count()).toBe(0);
	});
});
