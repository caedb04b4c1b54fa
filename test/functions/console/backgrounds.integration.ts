import fc from 'fast-check';
import { chromium } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { svgProblem } from '#domain/background/svg-problem.ts';
import { cleanSvg } from '#page/screens/diagram/clean-svg.ts';
import { hostileSvgs } from '#test/support/backgrounds/hostile-svg.ts';
import { randomSvgs } from '#test/support/backgrounds/random-svg.ts';
import backgrounds from '#test/vectors/backgrounds.json' with { type: 'json' };

/** A drawing that is opened by itself may load files, so it shows what Chromium reads in it. */
const host = 'http://drawings.test/';

/** Opens drawings as documents of their own. Returns what each of them asked for, by the drawing. */
async function requestsOf(executablePath: string, drawings: readonly string[]) {
	const browser = await chromium.launch({ executablePath });
	try {
		const page = await browser.newPage();
		const asked = new Map<string, string[]>();
		let drawing = '';
		await page.route('**/*', (route) => {
			const url = route.request().url();
			if (url === host) return route.fulfill({ contentType: 'image/svg+xml', body: drawing });
			if (!url.startsWith('data:image/')) asked.set(drawing, [...(asked.get(drawing) ?? []), url]);
			return route.abort();
		});
		const broken: string[] = [];
		for (drawing of drawings) {
			await page.goto(host, { waitUntil: 'load' });
			if ((await page.locator('parsererror').count()) > 0) broken.push(drawing);
		}
		return { asked, broken };
	} finally {
		await browser.close();
	}
}

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
		const before = await requestsOf(path ?? '', hostile);
		const after = await requestsOf(path ?? '', permitted);
		console.log(
			`${before.asked.size} of ${hostile.length} hostile drawings ask for files, none of ${permitted.length} permitted ones`,
		);
		expect(before.asked.size).toBeGreaterThan(100);
		expect([...after.asked]).toEqual([]);
		expect(after.broken).toEqual([]);
		expect(permitted.filter((svg) => svgProblem(svg) !== null)).toEqual([]);
	}, 300_000);
});
