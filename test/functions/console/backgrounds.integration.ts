import fc from 'fast-check';
import { chromium } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { outlineOf } from '#domain/background/outline.ts';
import { svgProblem } from '#domain/background/svg-problem.ts';
import { cleanSvg } from '#page/screens/diagram/clean-svg.ts';
import { hostileSvgs } from '#test/support/backgrounds/hostile-svg.ts';
import { randomSvgs } from '#test/support/backgrounds/random-svg.ts';
import backgrounds from '#test/vectors/backgrounds.json' with { type: 'json' };

/** A drawing that is opened as a document may load files, so it shows what Chromium reads in it. */
const host = 'http://drawings.test/';

/** The drawings that are opened at once. */
const batchSize = 60;

/** Opens drawings as documents of their own. Returns the indexes of those that asked for something, and of those that are broken. */
async function openDrawings(executablePath: string, drawings: readonly string[]) {
	const browser = await chromium.launch({ executablePath });
	try {
		const page = await browser.newPage();
		const asked = new Set<number>();
		const broken: number[] = [];
		await page.route('**/*', (route) => {
			const url = route.request().url();
			const index = Number(url.slice(host.length));
			if (url === host) return route.fulfill({ contentType: 'text/html', body: '<body></body>' });
			if (url.startsWith(host) && drawings[index] !== undefined)
				return route.fulfill({ contentType: 'image/svg+xml', body: drawings[index] });
			if (!url.startsWith('data:image/')) asked.add(Number(route.request().frame().url().slice(host.length)));
			return route.abort();
		});
		await page.goto(host);
		for (let start = 0; start < drawings.length; start += batchSize) {
			const indexes = drawings.slice(start, start + batchSize).map((_, offset) => start + offset);
			broken.push(...(await page.evaluate<number[]>(opened(indexes))));
		}
		return { asked, broken };
	} finally {
		await browser.close();
	}
}

/** A script that opens drawings in frames. Its result is the indexes of those that are not XML. */
const opened = (indexes: readonly number[]) => `Promise.all(${JSON.stringify(indexes)}.map((index) => new Promise((resolve) => {
	const frame = document.createElement('iframe');
	frame.onload = () => setTimeout(() => resolve(frame.contentDocument?.querySelector('parsererror') ? [index] : []), 100);
	frame.src = '/' + index;
	document.body.append(frame);
}))).then((found) => { document.body.replaceChildren(); return found.flat(); })`;

const path = inject('chromium');

describe.skipIf(path === null)('backgrounds, in Chromium', () => {
	test('hostile drawings ask for files, and none that is permitted does', async () => {
		const hostile = hostileSvgs.map(({ svg }) => svg).filter((svg) => svg.includes('leak.test'));
		const random = fc.sample(randomSvgs, 300);
		const cleaned = [...hostileSvgs.map(({ svg }) => svg), ...backgrounds.map(({ svg }) => svg), ...random].flatMap((svg) => {
			const clean = cleanSvg(svg);
			return clean.fault === null ? [clean.svg] : [];
		});
		const permitted = [...new Set([...cleaned, ...backgrounds.filter(({ code }) => code === null).map(({ svg }) => svg)])];
		const before = await openDrawings(path ?? '', hostile);
		const after = await openDrawings(path ?? '', permitted);
		console.log(
			`${before.asked.size} of ${hostile.length} hostile drawings ask for files, none of ${permitted.length} permitted ones`,
		);
		expect(before.asked.size).toBeGreaterThan(100);
		expect([...after.asked].map((index) => permitted[index])).toEqual([]);
		expect(after.broken.map((index) => permitted[index])).toEqual([]);
		expect(permitted.filter((svg) => svgProblem(svg) !== null)).toEqual([]);
	}, 300_000);

	test('the outline of a path, which dashes are counted by, is as long as in Chromium at least', async () => {
		const coordinate = fc.oneof(
			fc.integer({ min: -999, max: 999 }),
			fc.double({ min: -99, max: 99, noNaN: true }).map((each) => Number(each.toFixed(6))),
		);
		const command = fc
			.tuple(
				fc.constantFrom(...'MLHVCSQTAZmlhvcsqtaz'),
				fc.array(coordinate, { minLength: 14, maxLength: 14 }),
				fc.constantFrom(1, 2),
			)
			.map(([letter, numbers, times]) => {
				const count = { m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, t: 2, a: 7, z: 0 }[letter.toLowerCase()] ?? 0;
				if (count !== 7) return letter + numbers.slice(0, count * times).join(' ');
				const [rx, ry, angle, large, sweep, x, y] = numbers.map((each, at) => (at === 3 || at === 4 ? Number(each > 0) : each));
				return `${letter}${rx} ${ry},${angle} ${large}${sweep}${x},${y}`;
			});
		const paths = fc.sample(fc.array(command, { minLength: 1, maxLength: 12 }), 5000).map((parts) => `M0 0${parts.join('')}`);
		const browser = await chromium.launch({ executablePath: path ?? '' });
		const page = await browser.newPage();
		const lengths = await page.evaluate<number[]>(`${JSON.stringify(paths)}.map((d) => {
			const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
			path.setAttribute('d', d);
			return path.getTotalLength();
		})`);
		await browser.close();
		const ratios = lengths.map((length, index) => {
			const element = { name: 'path', attributes: { d: paths[index] ?? '' }, content: [], references: [], pixels: 0, start: 0 };
			const outline = outlineOf(element, 0, 0);
			expect(outline, paths[index]).toBeGreaterThanOrEqual(length * 0.999 - 1e-3);
			return length === 0 ? 1 : outline / length;
		});
		const median = ratios.toSorted((a, b) => a - b)[2500] ?? 0;
		console.log(
			`${lengths.filter((length) => length > 0).length} paths of ${paths.length} have a length; median outline ${median.toFixed(2)} times it`,
		);
		expect(median).toBeLessThan(3);
	}, 120_000);
});
