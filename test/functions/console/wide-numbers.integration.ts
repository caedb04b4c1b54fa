import { beforeAll, describe, expect, inject, test } from 'vitest';
import { callOk, signIn } from '#test/e2e/target.ts';
import { makeBody, makeQuery } from '#test/support/builders/builders.ts';
import { wideLooks } from '#test/support/console-page.ts';
import { dateAgo } from '#test/support/local-date.ts';
import { serveConsole } from '#test/support/serve-console.ts';

const minuteMs = 60_000;

/** Variables with numbers of many digits. The first three are counters that common meters show. */
const wide = [
	['Meter 1', 12_345_678, 'm³'],
	['Meter 2', 123_456_789, 'L'],
	['Energy', 98_765_432.1, 'Wh'],
	['Inflow of the northern distribution', -1_234_567.89, 'm³/h'],
	['Balance of the northern distribution', -987_654_321_098.77, 'kWh/m³'],
	['Very large', 1e21, 'kWh'],
	['Trace', -1.5e-9, 'mol/L'],
	['Hardness', 123_456.78, 'mg CaCO₃ per litre of water'],
	['Level', 4.2, 'm'],
	['Silent meter', 123_456_789, 'L'],
] as const;

/** The variable whose newest sample is so old that the row shows its age. */
const silent = 'Silent meter';

/**
 * Returns every number on the page that cannot be read whole: another text or the mark of an alarm lies over it, a box clips it, or it is
 * beyond the window. What is scrolled into view is not clipped. Texts with an ellipsis may be cut: they are names and long units.
 */
const illegible = `{
	const found = [];
	const rectsOf = (node) => {
		const range = document.createRange();
		range.selectNodeContents(node);
		return [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
	};
	/** The rectangle of an element that clips its content; null where it clips nothing. */
	const clipOf = (element) => {
		const { overflowX, textOverflow } = getComputedStyle(element);
		return overflowX === 'visible' ? null : { rect: element.getBoundingClientRect(), scrolls: /auto|scroll/.test(overflowX), isEllipsis: textOverflow === 'ellipsis' };
	};
	const texts = [];
	const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
	for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
		const parent = node.parentElement;
		if (node.data.trim() === '' || parent.closest('.sr, [hidden], option, .report-table thead') !== null || !parent.checkVisibility({ visibilityProperty: true })) continue;
		let rects = rectsOf(node);
		let isCut = false;
		let scrolls = false;
		for (let box = parent; box !== null && box.id !== 'console'; box = box.parentElement) {
			const clip = clipOf(box);
			if (clip === null) continue;
			if (clip.scrolls) scrolls = true;
			else if (!scrolls && !clip.isEllipsis && rects.some(({ left, right }) => left < clip.rect.left - 1 || right > clip.rect.right + 1)) isCut = true;
			rects = rects.map(({ left, right, top, bottom }) => ({ left: Math.max(left, clip.rect.left), right: Math.min(right, clip.rect.right), top, bottom }));
		}
		texts.push({ node, parent, rects, isCut, isBeyond: !scrolls && rects.some(({ left, right }) => left < -1 || right > innerWidth + 1) });
	}
	const numbers = texts.filter(({ node, parent }) => /\\d/.test(node.data) && parent.closest('.value b, .n, .bound, .report-card, .legend small, .pump, td') !== null);
	for (const number of numbers) {
		const words = number.node.data.trim();
		if (number.isCut) found.push(words + ' is clipped');
		if (number.isBeyond) found.push(words + ' is beyond the window');
		for (const other of texts) {
			const isOver = other !== number && other.rects.some((a) => number.rects.some((b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3));
			if (isOver) found.push(words + ' is covered by ' + other.node.data.trim());
		}
	}
	if (numbers.length < ${wide.length}) found.push('only ' + numbers.length + ' numbers are shown');
	[...new Set(found)];
}`;

const inTiles = "[...document.querySelectorAll('.tile .value b')]";

/** The most lines of a number in a tile. */
const linesOfTiles = `Math.max(...${inTiles}.map((number) => new Set([...number.getClientRects()].map(({ top }) => top)).size))`;

/** Returns the numbers that leave their tiles. */
const beyondTiles = `${inTiles}.filter((number) => {
	const tile = number.closest('.tile').getBoundingClientRect();
	return [...number.getClientRects()].some(({ left, right }) => left < tile.left || right > tile.right);
}).map(({ textContent }) => textContent)`;

/** Returns the numbers of tiles whose lines end within a group of digits. */
const brokenGroups = `${inTiles}.filter((number) =>
	[...number.childNodes].some((node) =>
		[...node.textContent.matchAll(/\\d+/g)].some(({ index, 0: digits }) => {
			const range = document.createRange();
			range.setStart(node, index);
			range.setEnd(node, index + digits.length);
			return range.getClientRects().length > 1;
		}),
	),
).map(({ textContent }) => textContent)`;

describe.skipIf(inject('chromium') === null)('wide numbers, in Chromium', () => {
	const served = serveConsole({});
	const { target } = served;

	let plant: Awaited<ReturnType<typeof storePlant>>;
	beforeAll(async () => {
		plant = await storePlant();
	});

	/** Stores the variables with an alarm each, and a panel, a diagram and a report of them. */
	const storePlant = async () => {
		const token = await signIn(target, 'a');
		const post = async (path: string, body: Record<string, unknown>): Promise<number> =>
			(await callOk(target, 'POST', path, { token, body })).data.id;
		const now = Date.now();
		const ids: number[] = [];
		const lines: string[] = [];
		for (const [index, [name, value, unit]] of wide.entries()) {
			const latest = name === silent ? 12 : 0;
			for (let minute = latest; minute < 60 * 26; minute += minute < 90 ? 1 : 15)
				lines.push(`wide/${index} value=${value * (1 - (minute % 2) / 10)} ${now - minute * minuteMs}`);
			const query = makeQuery({ calc_topic: `wide/${index}`, calc_time: 1, calc_unit: 'd' });
			const id = await post('/saveVariable', makeBody({ name, unit, process: 'wide', varsTsdb: { [name]: query } }));
			ids.push(id);
			const alarm = { id: 0, name: `Too little ${name}`, varId: id, condition: '<', threshold: 0, severity: 'critical' };
			await post('/saveAlarm', { ...alarm, message: 'Look.' });
		}
		await target.feed('plant_a', lines.join('\n'));
		const places = ids.map((varId, index) => ({ varId, x: 0.1 + 0.4 * (index % 2), y: 0.05 + 0.09 * index }));
		const diagram = await post('/saveDiagram', { id: 0, title: 'Wide', items: places });
		const report = await post('/saveReport', {
			id: 0,
			title: 'Wide',
			timeZone: 'Europe/Madrid',
			lines: wide.flatMap(([name, , unit], index) =>
				(['max', 'mean'] as const).map((counted) => ({
					key: `${counted}${index}`,
					name,
					unit,
					function: counted,
					varId: ids[index],
					holdSeconds: 900,
					range: [-1e12, 2e21],
				})),
			),
		});
		const pump = { id: 1, name: 'Pump', varId: ids[8], type: 'pump' };
		await callOk(target, 'POST', '/bombs', { token, body: { title: 'Works', pumps: [pump], states: [] } });
		return { ids, diagram, report };
	};

	test.each(wideLooks)('are read whole on every screen, in rows as in tiles, in %s and %s', async (language, theme) => {
		const { ids, diagram, report } = plant;
		const screens = [
			['/overview', '.tile .value b', 0],
			['/overview', '.value-row .value b', 1],
			['/station', '.tile .value b', null],
			[`/trend?ids=${ids.join(',')}&range=1h`, '.plot .curves', null],
			['/variables', '.value b:visible', null],
			['/alarms', '.value b:visible', null],
			[`/diagram/${diagram}`, '.value b:visible', null],
			[`/report/${report}?view=day&date=${dateAgo(1)}`, ':is(.report-table .n, .report-card b):visible', null],
		] as const;
		const { page, goTo } = await served.open({ route: '/overview', language, theme });
		for (const width of [1440, 1024, 390, 320]) {
			await page.setViewportSize({ width, height: 900 });
			for (const [route, drawn, view] of screens) {
				const message = `${route} at ${width} px`;
				await goTo(route);
				if (view !== null) await page.locator('.head .segmented input').nth(view).check({ force: true });
				await page.locator(drawn).first().waitFor();
				await expect.poll(() => page.evaluate(illegible), { message }).toEqual([]);
				// After a change of width the line of alarms is drawn anew.
				await expect.poll(() => page.evaluate('document.documentElement.scrollWidth - innerWidth'), { message }).toBe(0);
			}
		}
		// A label of an axis stays on its panel.
		await page.setViewportSize({ width: 1440, height: 900 });
		await goTo(`/trend?ids=${plant.ids[6]}&range=1h`);
		await page.locator('.plot .curves').first().waitFor();
		const beyond = `[...document.querySelectorAll('.plot text')].filter((label) => label.getBoundingClientRect().left < document.querySelector('.plot').getBoundingClientRect().left).length`;
		expect(await page.evaluate(beyond)).toBe(0);
	});

	test.each(['/overview', '/station'])('stay within their tiles in a wider font, over several lines, on %s', async (route) => {
		const { page } = await served.open({ route });
		await page.locator('.tile .value:not(.none)').nth(7).waitFor();
		// As a wider font does it, whichever fonts there are.
		await page.evaluate("document.documentElement.style.setProperty('--t-6', '3rem')");
		for (const width of [1440, 320]) {
			await page.setViewportSize({ width, height: 900 });
			expect(await page.evaluate<number>(linesOfTiles)).toBeGreaterThan(1);
			await expect.poll(() => page.evaluate(beyondTiles), { message: `${width} px` }).toEqual([]);
			expect(await page.evaluate(brokenGroups), `${width} px`).toEqual([]);
			await expect.poll(() => page.evaluate(illegible), { message: `${width} px` }).toEqual([]);
		}
	});

	test('are found where their unit lies over them', async () => {
		const { page } = await served.open({ route: '/overview' });
		await page.locator('.head .segmented input').nth(1).check({ force: true });
		await page.locator('.value-row .value b').first().waitFor();
		await page.evaluate(
			`for (const row of document.querySelectorAll('.value-row')) row.style.gridTemplateColumns = '1em minmax(0, 1fr) 3.5em 4.25em 3.25em'`,
		);
		expect(await page.evaluate(illegible)).toEqual(
			expect.arrayContaining(['12\u202f345\u202f678 is covered by m³', '123\u202f456\u202f789 is covered by L']),
		);
	});
});
