import { describe, expect, inject, test } from 'vitest';
import { serveConsole } from '#test/support/serve-console.ts';
import { simulatedPlant } from '#test/support/simulated-plant.ts';

/** A4 without its margins of 12 mm, in pixels of CSS. */
const sheet = { width: 703, height: 1032 };

describe.skipIf(inject('chromium') === null)('the console on paper, in Chromium', () => {
	const served = serveConsole({ DEMO_PLANT: 'on' });

	test('has what the plant shows on every screen, on white, without controls, as wide as a sheet of A4', async () => {
		const { page, goTo } = await served.open({ route: '/overview' });
		await page.locator('.tile .value').first().waitFor();
		await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
		await page.setViewportSize(sheet);
		for (const [route, drawn] of [
			['/overview', '.tile .value b'],
			['/station', '.word'],
			['/trend?ids=13,16', '.plot .curves'],
			['/alarms', '.value b:visible'],
			['/variables', '.value b:visible'],
			['/variables/23', '.value b:visible'],
			['/diagram', '.value b:visible'],
			['/changes', 'tbody tr'],
			['/access', 'tbody tr'],
		] as const) {
			await goTo(route);
			await page.locator(drawn).first().waitFor();
			await page.getByText(/^plant_a · printed \d+ \w+ \d{4} \d\d:\d\d( CES?T)?, CES?T/).waitFor();
			for (const control of ['.rail', '.topbar', '.tabs', '.alarm-line', 'button:not(th *)'])
				expect(await page.locator(`${control}:visible`).count(), `${control} on ${route}`).toBe(0);
			await expect
				.poll(() => page.evaluate('document.documentElement.scrollWidth - innerWidth'), { message: route })
				.toBeLessThanOrEqual(0);
			expect(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor'), route).toBe('rgb(255, 255, 255)');
		}
		expect((await page.pdf({ preferCSSPageSize: true })).subarray(0, 5).toString()).toBe('%PDF-');
	});

	test.each([
		['/trend?ids=13,16', '.trend-table tbody tr:not(.spacer)', 289],
		['/variables', '.variable-table tbody tr:not(.spacer)', 300],
		['/overview', '.value-row', 600],
	])('has all rows of a list that scrolls, on %s', async (route, rows, least) => {
		const isSimulated = !route.startsWith('/trend');
		const { page } = await served.open(isSimulated ? { tenant: 'b', route, script: simulatedPlant(least) } : { route });
		await page.locator(rows).first().waitFor();
		const count = `document.querySelectorAll(${JSON.stringify(rows)}).length`;
		const shown = await page.evaluate<number>(count);
		expect(shown).toBeLessThan(least / 2);
		await page.evaluate(
			`matchMedia('print').addEventListener('change', ({ matches }) => { if (matches) globalThis.printedRows = ${count}; })`,
		);
		await page.pdf();
		expect(await page.evaluate('printedRows')).toBe(least);
		await expect.poll(() => page.evaluate(count)).toBe(shown);
	});
});
