import { describe, expect, inject, test } from 'vitest';
import type { ConsolePage } from '#test/support/console-page.ts';
import { createPageClock } from '#test/support/page-clock.ts';
import { type ServedConsole, serveConsole } from '#test/support/serve-console.ts';
import { simulatedPlant } from '#test/support/simulated-plant.ts';
import { turnedTexts } from '#test/support/turned-texts.ts';

/** Every screen of the demo plant, and what is there when it is drawn. */
const screens = [
	['/overview', '.tile .value:not(.none)'],
	['/station', '.word'],
	['/station/edit', '[data-add]'],
	['/trend?ids=13,19&range=1h', '.plot .curves'],
	['/alarms', '.value'],
	['/alarms/33', '.value'],
	['/alarms/33-edit', 'input'],
	['/variables', '.value'],
	['/variables/23', '.value'],
	['/variables/new', 'input'],
	['/variables/add', ':is(.add-series tr[tabindex], .empty):visible'],
	['/diagram', '.value'],
	['/report/46-edit', '[data-add]'],
	['/report/46', ':is(.report-table, .report-card):visible'],
	['/changes/variable-1-4', '.conflict'],
	['/access', 'tr[tabindex]'],
	['/access/machines', 'tr[tabindex]'],
] as const;

/**
 * Makes every text 30 % longer, as another language would: the words, not numbers. Runs in the page, whose clock stands still, so
 * nothing is drawn anew. Returns how many texts there were that were not made longer before.
 */
const lengthen = `{
	globalThis.longTexts ??= new WeakMap();
	let count = 0;
	const walker = document.createTreeWalker(document.querySelector('#console'), NodeFilter.SHOW_TEXT);
	for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
		if (longTexts.get(node) === node.data) continue;
		node.data = node.data.replace(/\\p{L}{3,}/gu, (word) => word + word.slice(-Math.ceil(0.3 * word.length)));
		longTexts.set(node, node.data);
		count += 1;
	}
	count;
}`;

/** Returns the texts that cannot be read whole: outside of what clips them, or of the button that they are on. Ellipses are meant, and `.reserve` only takes room. */
const cutTexts = `{
	const found = [];
	const walker = document.createTreeWalker(document.querySelector('#console'), NodeFilter.SHOW_TEXT);
	for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
		if (node.data.trim() === '' || node.parentElement.closest('.sr, .journal thead, .skip, .reserve, [hidden], option') !== null) continue;
		const range = document.createRange();
		range.selectNodeContents(node);
		const rects = [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
		if (rects.length === 0) continue;
		for (let box = node.parentElement; box !== null && box.id !== 'console'; box = box.parentElement) {
			const style = getComputedStyle(box);
			const scrolls = /auto|scroll/.test(style.overflowX + style.overflowY);
			if (style.textOverflow === 'ellipsis' || scrolls) break;
			if (style.overflowX === 'visible' && !box.matches('button, a.btn, .chip')) continue;
			const { left, right, top, bottom } = box.getBoundingClientRect();
			if (rects.some((rect) => rect.left < left - 1 || rect.right > right + 1 || rect.top < top - 4 || rect.bottom > bottom + 4)) {
				found.push(node.data.trim().slice(0, 40) + ' in ' + box.tagName.toLowerCase() + '.' + box.className);
				break;
			}
		}
	}
	[...new Set(found)];
}`;

/** Returns the elements that reach out of the window and are in no box that scrolls. */
const outside = `{
	const found = [];
	for (const element of document.querySelectorAll('#console *')) {
		const { left, right, width, height } = element.getBoundingClientRect();
		if (width * height === 0 || (right <= innerWidth + 1 && left >= -1) || element.closest('.sr, .skip, svg, .journal thead') !== null) continue;
		let box = element.parentElement;
		while (box !== null && getComputedStyle(box).overflowX === 'visible') box = box.parentElement;
		if (box === null || box === document.documentElement || box === document.body) found.push(element.tagName.toLowerCase() + '.' + element.className);
	}
	[...new Set(found)];
}`;

/** Returns the cut names whose end cannot be read: it is the last letters of the name, at the edge of its place at most. */
const namesWithoutEnd = `[...document.querySelectorAll('main .name:has(.cut)')].filter((name) => {
	const { start, end } = name.querySelector('.cut').dataset;
	return name.title !== start + end || end.length < 10 || name.scrollWidth > name.clientWidth;
}).map(({ title }) => title)`;

/** What stands below the name of the link or row that has the focus. */
const shownOnFocus = "getComputedStyle(document.activeElement.querySelector('.name'), '::before').content";

/** Opens the demo plant with other names in everything that the service answers. */
const openRenamed = async (
	open: ServedConsole['open'],
	width: number,
	rename: (name: string) => string,
): Promise<ConsolePage> => {
	const opened = await open({ route: '/access', stopsClock: true, size: { width, height: 1000 } });
	const { page } = opened;
	await page.route('**/*', async (route) => {
		if (route.request().resourceType() !== 'fetch') return route.fallback();
		const response = await route.fetch();
		if (!(response.headers()['content-type'] ?? '').includes('json')) return route.fulfill({ response });
		const json = JSON.parse(await response.text(), (key, value) =>
			['name', 'process', 'group'].includes(key) && typeof value === 'string' && value !== '' ? rename(value) : value,
		);
		return route.fulfill({ response, json });
	});
	await opened.reload();
	return opened;
};

/** 160 characters without blanks, which differ at their end. */
const longName = (name: string) => `${'N'.repeat(160)}${name.replaceAll(/\W/g, '')}`.slice(-160);

/** A name in Hebrew letters, another one for each name. */
const hebrewName = (name: string) =>
	name.replaceAll(/\w/g, (letter) => String.fromCharCode(0x05d0 + ((letter.codePointAt(0) ?? 0) % 22)));

describe.skipIf(inject('chromium') === null)('texts of the console that are 30 % longer, in Chromium', () => {
	const { open } = serveConsole({ DEMO_PLANT: 'on' });

	test.each([1440, 320])('are cut nowhere, %i px wide', async (width) => {
		const { page, goTo } = await open({ stopsClock: true, language: 'es', size: { width, height: 1000 } });
		const clock = createPageClock(page);
		for (const [route, drawn] of screens) {
			await goTo(route);
			await clock.until(200, async () => (await page.locator(`main ${drawn}`).count()) > 0);
			await clock.pass(1);
			expect(await page.evaluate(lengthen), route).toBeGreaterThan(10);
			expect.soft(await page.evaluate<readonly string[]>(cutTexts), `${route} at ${width} px`).toEqual([]);
			expect.soft(await page.evaluate('document.documentElement.scrollWidth'), route).toBe(width);
		}
	});

	test.each([320, 768])('names of 160 characters without blanks make no screen wider than its %i px', async (width) => {
		const { page, goTo } = await openRenamed(open, width, longName);
		const clock = createPageClock(page);
		for (const [route, drawn] of screens) {
			await goTo(route);
			await clock.until(200, async () => (await page.locator(`main ${drawn}`).count()) > 0);
			await clock.pass(1);
			if (!/access|variables.(new|add)/.test(route))
				expect
					.soft(
						await page.evaluate(
							"document.querySelector('main').innerText + [...document.querySelectorAll('main input')].map(({ value }) => value).join()",
						),
						route,
					)
					.toContain('NNNNNNNN');
			expect.soft(await page.evaluate('document.documentElement.scrollWidth'), route).toBe(width);
			expect.soft(await page.evaluate<readonly string[]>(outside), `${route} at ${width} px`).toEqual([]);
		}
	});

	test.each([
		['Tiles', 320],
		['Tiles', 1440],
		['Rows', 1440],
	])('names of 160 characters show their end in %s at %i px, and the whole on hover and focus', async (view, width) => {
		const { page, goTo, focusByKey } = await openRenamed(open, width, longName);
		const clock = createPageClock(page);
		await goTo('/overview');
		await page.getByRole('radio', { name: view }).check();
		const names = page.locator('main .name:has(.cut)');
		await clock.until(200, async () => (await names.count()) > 10);
		expect(await page.evaluate(namesWithoutEnd)).toEqual([]);
		const link = page.locator('main a:has(.cut)').nth(1);
		const name = link.locator('.name');
		const whole = await name.getAttribute('title');
		expect(whole).toMatch(/^N{100}/);
		expect(await name.locator('.sr').textContent()).toBe(whole);
		await focusByKey(link);
		expect(await page.evaluate(shownOnFocus)).toContain(whole);
	});

	test.each([320, 1440])(
		'names of 160 characters show their end in a long list, and the whole on the focus of a row, %i px wide',
		async (width) => {
			const script = simulatedPlant(300).replace(
				"'Sensor ' + (index + 1)",
				"'N'.repeat(155) + String(index + 1).padStart(5, '0')",
			);
			const { page, focusByKey } = await open({ tenant: 'b', route: '/variables', script, size: { width, height: 800 } });
			const row = page
				.getByRole('row')
				.filter({ has: page.locator('.cut') })
				.first();
			await row.waitFor();
			expect(await page.evaluate(namesWithoutEnd)).toEqual([]);
			await focusByKey(row);
			await page.keyboard.press('ArrowDown');
			const focused = page.locator('tr:focus .name');
			const whole = await focused.getAttribute('title');
			expect(whole).toMatch(/^N{155}\d{5}$/);
			expect(await page.evaluate(shownOnFocus)).toContain(whole);
		},
	);

	test('names of 160 characters are not cut in the rows of a diagram, 320 px wide', async () => {
		const { page, goTo } = await openRenamed(open, 320, longName);
		const clock = createPageClock(page);
		await goTo('/diagram');
		const names = page.locator(':is(.d-row .name, .listed small):visible');
		await clock.until(200, async () => (await names.count()) > 3);
		const cut =
			"[...document.querySelectorAll('.d-row .name, .listed small')].filter((name) => name.scrollWidth > name.clientWidth).length";
		expect(await page.evaluate(cut)).toBe(0);
	});

	test.each([320, 1440])('names from right to left turn no number beside them, %i px wide', async (width) => {
		const { page, goTo } = await openRenamed(open, width, hebrewName);
		const clock = createPageClock(page);
		for (const [route, drawn] of [...screens, ['/trend?ids=13,19,23,4,11,18&range=24h', '.plot .plot-strip i'] as const]) {
			await goTo(route);
			await clock.until(200, async () => (await page.locator(`main ${drawn}`).count()) > 0);
			await clock.pass(1);
			if (!/access|variables.(new|add)/.test(route)) expect.soft(await page.content(), route).toMatch(/[\u05d0-\u05ea]{4}/);
			const found = await page.evaluate<readonly string[]>(turnedTexts);
			expect.soft(found, `${route} at ${width} px`).toEqual([]);
		}
	});

	test('are found where they are cut', async () => {
		const { page } = await open({ route: '/overview', stopsClock: true });
		await page.evaluate("document.querySelector('h1').style.cssText = 'width: 2rem; overflow: hidden; white-space: nowrap'");
		expect(await page.evaluate<readonly string[]>(cutTexts)).toEqual(['Overview in h1.']);
	});
});
