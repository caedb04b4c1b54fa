import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { largeDrawing } from '#test/support/large-drawing.ts';
import { serveConsole } from '#test/support/serve-console.ts';
import { simulatedPlant } from '#test/support/simulated-plant.ts';

describe.skipIf(inject('chromium') === null)('large plants, in Chromium', () => {
	// The page's clock runs ahead of the service's, so a token has to last.
	const served = serveConsole({ TOKEN_LIFETIME_SECONDS: '86400' });
	const open = (count: number) => served.open({ tenant: 'b', script: simulatedPlant(count) });
	const scrollToEnd = (page: Page, box: string) =>
		page.evaluate(`(() => {
			const box = document.querySelector('${box}');
			box.scrollTop = box.scrollHeight;
		})()`);
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
		await scrollToEnd(page, '.virtual-list');
		await page.getByRole('link', { name: /^Sensor 2000\b/ }).waitFor();
		await page.locator('.virtual-list').evaluate((list: unknown) => {
			(list as { scrollTop: number }).scrollTop = 0;
		});
		await page.getByLabel('Find a variable').focus();
		await focusByKey(page.locator('a.value-row').first());
		const focused = () => page.evaluate<string>('document.activeElement.textContent');
		expect(await focused()).toContain('Sensor 1');
		await page.keyboard.press('ArrowRight');
		await expect.poll(focused).toContain('Sensor 2');
		await page.keyboard.press('End');
		await expect.poll(focused).toMatch(/^Sensor 199\d/);
		expect(faults).toEqual([]);
	});

	test('offers tiles only where it shows tiles', async () => {
		const { page } = await open(538);
		await page.locator('a.value-row').first().waitFor();
		expect(await page.getByRole('radio', { name: 'Tiles' }).count()).toBe(0);
		// What the search leaves fits as tiles.
		await page.getByLabel('Find a variable').fill('Sensor 53');
		await page.getByRole('radio', { name: 'Tiles' }).check();
		await page.locator('.tile').first().waitFor();
	});

	test.each([2000, 10_000])('keys lead through a list of %i variables and never lose the focus', async (count) => {
		const { page, focusByKey, faults } = await open(count);
		await page.locator('a.value-row').first().waitFor();
		await focusByKey(page.locator('a.value-row').first());
		const name = () => page.evaluate<string>(`document.activeElement.closest('a')?.querySelector('.name').textContent ?? 'none'`);
		for (const [key, wanted] of [
			['ArrowDown', /^Sensor \d+$/],
			['End', new RegExp(`^Sensor ${count / 100 - 1}\\d\\d$|^Sensor ${count}$`)],
			['ArrowUp', /^Sensor \d+$/],
			['Home', /^Sensor 1$/],
			['PageDown', /^Sensor \d+$/],
			['PageUp', /^Sensor \d+$/],
		] as const) {
			const before = await name();
			await page.keyboard.press(key);
			await expect.poll(name).toMatch(wanted);
			if (key !== 'PageUp') await expect.poll(name).not.toBe(before);
		}
		await scrollToEnd(page, '.virtual-list');
		await page.waitForTimeout(300);
		expect(await name()).toMatch(/^Sensor \d+$/);
		expect(faults).toEqual([]);
	});

	test.each([538, 2000, 10_000])('the list of %i variables is a table that sorts and has all columns', async (count) => {
		const { page, goTo, violations, focusByKey, faults } = await open(count);
		await page.locator('a.value-row').first().waitFor();
		await goTo('/variables');
		const rows = page.locator('.variable-table tbody tr:not(.spacer)');
		await rows.first().waitFor();
		expect(await rows.count()).toBeLessThan(200);
		expect(await page.getByRole('grid', { name: 'Variables' }).getAttribute('aria-rowcount')).toBe(String(count + 1));
		expect(await page.getByRole('columnheader').allInnerTexts()).toEqual([
			...['Id', 'Name', 'Process', 'Kind', 'Source or formula', 'Value', 'Quality', 'Age', 'Used by'],
		]);
		expect(await violations()).toEqual([]);

		await page.getByRole('button', { name: 'Id' }).click();
		await expect.poll(() => rows.first().locator('td').first().innerText()).toBe('1');
		expect(await rows.first().locator('td').last().innerText()).toBe('1');
		await page.getByRole('button', { name: 'Id' }).click();
		await expect.poll(() => rows.first().locator('td').first().innerText()).toBe(String(count));

		const focused = () =>
			page.evaluate<string>(`document.activeElement.closest('tr')?.querySelector('td').textContent ?? 'none'`);
		await focusByKey(rows.first());
		expect(await focused()).toBe(String(count));
		for (const [key, id] of [
			['End', 1],
			['ArrowUp', 2],
			['ArrowUp', 3],
			['ArrowDown', 2],
			['PageUp', 12],
			['Home', count],
			['PageDown', count - 10],
		] as const) {
			await page.keyboard.press(key);
			await expect.poll(focused).toBe(String(id));
			const inView = `(() => {
				const [row, head] = [document.activeElement, document.querySelector('thead')].map((each) => each.getBoundingClientRect());
				return row.top >= head.bottom - 1 && row.bottom <= innerHeight;
			})()`;
			await expect.poll(() => page.evaluate(inView)).toBe(true);
		}
		// The wheel leads elsewhere; the focus and the next key stay with the row.
		await scrollToEnd(page, '.variable-table');
		await page.getByRole('link', { name: 'Sensor 1', exact: true }).waitFor();
		expect(await focused()).toBe(String(count - 10));
		await page.keyboard.press('ArrowDown');
		await expect.poll(focused).toBe(String(count - 11));
		await page.keyboard.press('Enter');
		await page.getByRole('heading', { level: 1, name: `Sensor ${count - 11}` }).waitFor();
		expect(faults).toEqual([]);
	});

	/** What is polled 2,000 times: its diagrams, its address, the values in it, and the least number of them. */
	const polled = [
		{ what: '20 tiles', count: 20, diagrams: [], route: '/overview', values: '.tile .value b', least: 20 },
		{
			what: 'a diagram of 200 entries',
			count: 48,
			diagrams: [largeDrawing(200)],
			route: '/diagram/1',
			values: '.process .value b',
			least: 48,
		},
	] as const;

	test.each(polled)(
		'$what: less than 5 MB of heap more, and no node more, after 2,000 polls',
		async (screen) => {
			const { page, faults } = await served.open({
				tenant: 'b',
				script: `${simulatedPlant(screen.count, screen.diagrams)}localStorage.setItem('caudal.interval', '10');`,
				stopsClock: true,
				route: screen.route,
			});
			const session = await page.context().newCDPSession(page);
			const heapBytes = async (): Promise<number> => {
				await session.send('HeapProfiler.collectGarbage');
				return (await session.send('Runtime.getHeapUsage')).usedSize;
			};
			const value = () => page.locator(screen.values).first().innerText();
			const done = () => page.evaluate<number>('simulatedReadings');
			const polls = async (count: number): Promise<void> => {
				for (const end = (await done()) + count; (await done()) < end; )
					for (let step = 0; step < 50; step += 1) await page.clock.fastForward(10_100);
			};
			await page.clock.runFor(2000);
			await page
				.locator(screen.values)
				.nth(screen.least - 1)
				.waitFor();
			await polls(100);
			const [heapBefore, nodesBefore, valueBefore] = [await heapBytes(), await nodes(page), await value()];
			await polls(2000);
			await expect.poll(() => page.locator('.app.lost').count()).toBe(0);
			expect(await value()).not.toBe(valueBefore);
			expect(await nodes(page)).toBe(nodesBefore);
			const grownBytes = (await heapBytes()) - heapBefore;
			console.log(`2,000 polls of ${screen.what}: the heap grew by ${(grownBytes / 1e6).toFixed(2)} MB`);
			expect(grownBytes).toBeLessThan(5_000_000);
			expect(faults).toEqual([]);
		},
		240_000,
	);
});
