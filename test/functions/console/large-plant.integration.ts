import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { serveConsole } from '#test/support/serve-console.ts';
import { simulatedPlant } from '#test/support/simulated-plant.ts';

describe.skipIf(inject('chromium') === null)('the overview of a large plant, in Chromium', () => {
	const served = serveConsole();
	const open = (count: number, more = '') =>
		served.open({ tenant: 'b', script: simulatedPlant(count) + more, stopsClock: more !== '' });
	const nodes = (page: Page) => page.evaluate<number>("document.querySelectorAll('*').length");

	test('shows tiles of up to 120 variables, rows above, and as tiles where the person wants them', async () => {
		const { page: small } = await open(120);
		await small.locator('.tile').nth(119).waitFor();
		const { page, violations } = await open(121);
		await page.locator('.value-row').nth(120).waitFor();
		expect(await page.locator('.tile').count()).toBe(0);
		expect(await violations()).toEqual([]);
		await page.getByRole('radio', { name: 'Tiles' }).check();
		await page.locator('.tile').nth(120).waitFor();
	});

	test('has only the rows near the view in the page above 500 variables, and shows the last ones when scrolled or by keyboard', async () => {
		const { page, violations, focusByKey, faults } = await open(2000);
		await page.getByRole('link', { name: 'Sensor 1', exact: false }).first().waitFor();
		await page.getByText('2000variables').or(page.getByText('2000')).first().waitFor();
		expect(await page.locator('.value-row').count()).toBeLessThan(500);
		expect(await page.getByRole('link', { name: /^Sensor 2000\b/ }).count()).toBe(0);
		expect(await violations()).toEqual([]);
		await page.locator('.virtual-list').evaluate((list: unknown) => {
			const box = list as { scrollTop: number; scrollHeight: number };
			box.scrollTop = box.scrollHeight;
		});
		await page.getByRole('link', { name: /^Sensor 2000\b/ }).waitFor();
		await page.locator('.virtual-list').evaluate((list: unknown) => {
			(list as { scrollTop: number }).scrollTop = 0;
		});
		await page.getByLabel('Find a variable').focus();
		await focusByKey(page.locator('a.value-row').first());
		const focused = () => page.evaluate<string>('document.activeElement.textContent');
		expect(await focused()).toContain('Sensor 1');
		await page.keyboard.press('ArrowRight');
		expect(await focused()).toContain('Sensor 2');
		await page.keyboard.press('End');
		await expect.poll(focused).toMatch(/^Sensor 199\d/);
		expect(faults).toEqual([]);
	});

	test('grows by less than 5 MB of heap and by no node of the page in 2,000 polls', async () => {
		const { page, faults } = await open(20, `localStorage.setItem('caudal.interval', '10');`);
		const session = await page.context().newCDPSession(page);
		const heapBytes = async (): Promise<number> => {
			await session.send('HeapProfiler.collectGarbage');
			return (await session.send('Runtime.getHeapUsage')).usedSize;
		};
		const value = () => page.locator('.tile').first().locator('.value b').innerText();
		const done = () => page.evaluate<number>('simulatedReadings');
		const polls = async (count: number): Promise<void> => {
			for (const end = (await done()) + count; (await done()) < end; )
				for (let step = 0; step < 50; step += 1) await page.clock.fastForward(10_100);
		};
		await page.clock.runFor(2000);
		await page.locator('.tile').nth(19).waitFor();
		await polls(100);
		const [heapBefore, nodesBefore, valueBefore] = [await heapBytes(), await nodes(page), await value()];
		await polls(2000);
		await expect.poll(() => page.locator('.app.lost').count()).toBe(0);
		expect(await value()).not.toBe(valueBefore);
		expect(await nodes(page)).toBe(nodesBefore);
		const grownBytes = (await heapBytes()) - heapBefore;
		console.log(`2,000 polls of 20 variables: the heap grew by ${(grownBytes / 1e6).toFixed(2)} MB`);
		expect(grownBytes).toBeLessThan(5_000_000);
		expect(faults).toEqual([]);
	}, 180_000);
});
