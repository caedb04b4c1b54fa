import fc from 'fast-check';
import { chromium } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
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
});
