import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { call, signIn } from '#test/e2e/target.ts';
import { type ConsoleOptions, looks } from '#test/support/console-page.ts';
import { dateAgo, localDate } from '#test/support/local-date.ts';
import { serveConsole } from '#test/support/serve-console.ts';

const dayMs = 86_400_000;

describe.skipIf(inject('chromium') === null)('reports, in Chromium', () => {
	const served = serveConsole({ DEMO_PLANT: 'on' });
	const { target } = served;

	const open = async (options: ConsoleOptions) => {
		const shown = await served.open(options);
		onTestFinished(() => expect([shown.faults, [...shown.origins]]).toEqual([[], [target.baseUrl]]));
		await shown.page.locator('.report-table tbody tr').first().waitFor({ state: 'attached', timeout: 30_000 });
		return shown;
	};
	const read = async (body: Record<string, unknown>) => {
		const token = await signIn(target, 'a');
		return (await call(target, 'POST', '/readReport', { token, body: { id: 46, ...body } })).body.data;
	};

	test('by mouse: each length has its rows, and the way leads to the period before and back', async () => {
		const { page } = await open({ route: '/report' });
		const rows = page.locator('.report-table tbody tr');
		const title = page.locator('.report-period h2');
		expect(await page.locator('.report-table .names th').count()).toBe(15);
		expect(await rows.count()).toBeGreaterThanOrEqual(28);
		for (const [name, least, most] of [
			['Week', 7, 7],
			['Day', 23, 25],
			['Year', 12, 12],
		] as const) {
			await page.getByRole('radio', { name }).check();
			// The service counts 13 lines over every sample of a year.
			await expect.poll(() => rows.count(), { timeout: 30_000 }).toBeGreaterThanOrEqual(least);
			await expect.poll(() => rows.count(), { timeout: 30_000 }).toBeLessThanOrEqual(most);
		}
		expect(await title.innerText()).toMatch(/^\d{4}$/);
		await page.getByRole('radio', { name: 'Month' }).check();
		await expect.poll(() => title.innerText()).not.toMatch(/^\d{4}$/);
		const present = await title.innerText();
		await page.getByRole('button', { name: 'The period before' }).click();
		await expect.poll(() => title.innerText()).not.toBe(present);
		await expect.poll(() => page.locator('.report-table .sum .n').count()).toBeGreaterThan(10);
		await page.getByRole('button', { name: 'The next period' }).click();
		await expect.poll(() => title.innerText()).toBe(present);
		expect(await page.getByRole('button', { name: 'The next period' }).isDisabled()).toBe(true);
	}, 120_000);

	test('by keyboard: arrows lead from number to number, Enter says why, and Esc leads back', async () => {
		const { page, focusByKey } = await served.open({ route: '/overview' });
		await page.keyboard.press('7');
		await page.locator('.report-table tbody [data-cell]').first().waitFor();
		await page.keyboard.press('[');
		const title = page.locator('.report-period h2');
		await expect.poll(() => page.evaluate('location.hash')).toContain('date=');
		const before = await title.innerText();
		await page.locator('.report-box:not(.changing)').waitFor();
		await focusByKey(page.locator('.report-table .sum [data-cell]').first());
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('ArrowRight');
		const cell = page.locator('.report-table tbody tr').first().locator('[data-cell]').nth(1);
		expect(await page.locator(':focus').innerText()).toBe(await cell.innerText());
		expect(await page.locator('.report-table tbody tr:first-child [data-cell]:focus').count()).toBe(1);
		await page.keyboard.press('Enter');
		const popover = page.getByRole('dialog', { name: /^Water filtered, \w+/ });
		await popover.getByText('All of it is known.').waitFor();
		await popover.getByRole('link', { name: 'Trend' }).waitFor();
		await page.keyboard.press('Escape');
		await popover.waitFor({ state: 'detached' });
		expect(await page.locator(':focus').innerText()).toBe(await cell.innerText());
		expect(await page.locator('.report-table tbody tr:first-child [data-cell]:focus').count()).toBe(1);
		await page.keyboard.press('Enter');
		await focusByKey(popover.getByRole('link', { name: 'Hours of this day' }));
		await page.keyboard.press('Enter');
		// The shortcuts are those of the view that is shown.
		await expect.poll(() => page.getByRole('radio', { name: 'Day' }).isChecked()).toBe(true);
		await page.keyboard.press('n');
		await expect.poll(() => page.evaluate('location.hash')).not.toContain('date=');
		await expect.poll(() => title.innerText()).not.toBe(before);
		await focusByKey(page.getByRole('radio', { name: 'Day' }));
		await page.keyboard.press('ArrowRight');
		await expect.poll(() => page.evaluate('location.hash')).toContain('view=week');
	});

	test('the numbers of the table are those of the service, with sum, comparison and change', async () => {
		const { page } = await open({ route: `/report/46?view=day&date=${dateAgo(2)}&compare=before` });
		const { bounds } = await read({ start: Date.now() - 4 * dayMs, end: Date.now(), period: 'day' });
		const [dayBefore, day, end] = bounds.slice(-5);
		const [then, now] = await Promise.all([
			read({ start: dayBefore, end: day, period: 'day' }),
			read({ start: day, end, period: 'hour' }),
		]);
		const written = (value: number) => value.toFixed(0).replaceAll(/\B(?=(\d{3})+$)/g, '\u202f');
		const rows = page.locator('.report-table thead tr');
		expect(await rows.nth(2).locator('td').first().innerText()).toBe(written(now.lines[0].total.value));
		expect(await rows.nth(3).locator('td').first().innerText()).toBe(written(then.lines[0].total.value));
		const percent = (100 * now.lines[0].total.value) / then.lines[0].total.value - 100;
		const isChanged = Number(percent.toFixed(1)) !== 0;
		expect(await rows.nth(4).locator('td').first().innerText()).toBe(
			`${isChanged ? `${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(1)}` : '0'}\u202f%`,
		);
		await page.getByRole('combobox', { name: 'compared with' }).selectOption({ index: 3 });
		await expect.poll(() => rows.count()).toBe(3);
		expect(await page.evaluate('location.hash')).toContain('compare=none');
	});

	test('a fault of several hours is told once beside their sum', async () => {
		const prepare = async (page: Page) => {
			await page.route('**/readReport', async (route) => {
				const json = await (await route.fetch()).json();
				const line = json.data.lines.find(({ key }: { key: string }) => key === 'specific');
				line.faults = [{}, { window: 1 }, { window: 2 }].map((fault) => ({ code: 'division_by_zero', ...fault }));
				await route.fulfill({ json });
			});
		};
		const { page } = await open({ route: `/report/46?view=day&date=${dateAgo(1)}`, prepare });
		await page.locator('.report-table .sum [data-cell]').nth(5).click();
		const popover = page.getByRole('dialog', { name: /^Specific energy/ });
		await popover.getByText('A divisor is 0.').first().waitFor();
		expect(await popover.getByText('A divisor is 0.').count()).toBe(1);
	});

	test('CSV has each line and window with all of its digits', async () => {
		const { page } = await open({ route: `/report/46?view=day&date=${dateAgo(1)}` });
		const download = page.waitForEvent('download');
		await page.getByRole('button', { name: 'CSV' }).click();
		const saved = await download;
		expect(saved.suggestedFilename()).toMatch(/^Daily report .*\.csv$/);
		const rows = (await readFile(await saved.path(), 'utf8')).slice(1).trimEnd().split('\r\n');
		expect(rows[0]).toMatch(/^line,start,end,unit,value,low,high,known,window,state,due,/);
		const hours = await page.locator('.report-table tbody tr').count();
		expect(rows).toHaveLength(1 + 13 * hours);
		expect(rows[1]).toMatch(
			/^Water taken,\d{4}-\d\d-\d\dT00:00:00\+0\d:00,[^,]+,m³,[\d.]+,[\d.]+,[\d.]+,1,"00–01( CES?T)?, .+",provisional,{8}$/,
		);
	});

	/** How often the sealed day was corrected so far: each try takes hours of its own. */
	let corrected = 0;
	test('a correction changes a sealed day: the report says so, and an engineer seals it anew with a reason', async () => {
		const token = await signIn(target, 'a');
		const week = await read({ start: Date.now() - 12 * dayMs, end: Date.now(), period: 'day' });
		const index = week.states.indexOf('sealed');
		expect(index).toBeGreaterThan(0);
		const from = week.bounds[index] + (9 + 2 * corrected) * 3_600_000;
		corrected += 1;
		const [reason, why] = [`Flow meter cleaned, ${corrected}`, `The meter was cleaned, ${corrected}`];
		const correction = { id: 0, varId: 1, type: 'exclude', from, to: from + 2 * 3_600_000, reason };
		expect((await call(target, 'POST', '/saveCorrection', { token, body: correction })).status).toBe(200);
		const date = localDate(from);

		const { page, violations } = await open({ route: `/report/46?view=day&date=${date}` });
		await page.getByText('A sealed day would have other numbers today:').waitFor();
		await page.locator('.report-table .sum .day-state').click();
		const dialog = page.getByRole('dialog');
		await dialog.getByText('a correction.').waitFor();
		await dialog.getByText('Would have another number today: Water taken.').waitFor();
		const revision = dialog.getByRole('columnheader', { name: /^Revision \d+$/ }).last();
		const before = Number(/\d+/.exec((await revision.textContent()) ?? '')?.[0]);
		expect(before).toBeGreaterThanOrEqual(1);
		expect(await violations()).toEqual([]);
		await dialog.getByRole('button', { name: 'Seal anew' }).click();
		await dialog.getByText('Say why, for everybody who reads the report.').waitFor();
		await dialog.getByLabel('Why').fill(why);
		await dialog.getByRole('button', { name: 'Seal anew' }).click();
		await dialog.waitFor({ state: 'detached' });
		await page.getByText(/ is sealed\.$/).waitFor();
		await page.getByText('A sealed day would have other numbers today:').waitFor({ state: 'detached' });

		// What is not known has its bounds, and says why.
		await page.locator('.report-box:not(.changing)').waitFor();
		const sum = page.locator('.report-table .sum [data-cell]').first();
		await expect.poll(() => sum.innerText()).toMatch(/\d\s+[\d\u202f]+–[\d\u202f]+/);
		await sum.click();
		const popover = page.getByRole('dialog', { name: /^Water taken/ });
		await popover.getByText(/^Between .* whatever it was while it is unknown, from 0 to 450\.$/).waitFor();
		await popover.getByText(reason).waitFor();
		await popover.getByText(/\d % known/).waitFor();
		expect(await violations()).toEqual([]);
		await page.keyboard.press('Escape');
		await page.locator('.report-table .sum .day-state').click();
		await dialog.getByRole('columnheader', { name: `Revision ${before + 1}` }).waitFor();
		await dialog.getByText(why).waitFor();
		// A version tells what is not known of a number, as the table does.
		const version = dialog
			.getByRole('row', { name: /^Water taken/ })
			.getByRole('cell')
			.last();
		await expect.poll(() => version.innerText()).toMatch(/\d\s+[\d\u202f]+–[\d\u202f]+/);
		expect(await dialog.getByRole('button', { name: 'Seal anew' }).count()).toBe(0);
	});

	test('a viewer reads all of it, and seals and edits nothing', async () => {
		const { page } = await open({ tenant: 'viewer', route: `/report/46?view=day&date=${dateAgo(1)}` });
		await page.locator('.report-table .sum .day-state').click();
		const dialog = page.getByRole('dialog');
		await dialog.getByText(/^Provisional: /).waitFor();
		expect(await dialog.getByLabel('Why').count()).toBe(0);
		expect(await page.getByRole('link', { name: /^(Edit|New report)$/ }).count()).toBe(0);
	});

	test('is printed upright and across, a sheet for 13 lines and four for 40', async () => {
		const token = await signIn(target, 'a');
		const { data } = (await call(target, 'GET', '/getReports', { token })).body;
		const [demo] = data;
		const [line] = demo.lines;
		const lines = Array.from({ length: 40 }, (_, index) => ({ ...line, key: `k${index}`, name: `Water taken ${index}` }));
		const saved = await call(target, 'POST', '/saveReport', {
			token,
			body: { ...demo, id: 0, title: 'Forty lines', send: false, lines, version: undefined },
		});
		expect(saved.status).toBe(200);
		const { page, goTo } = await open({ route: '/report/46', script: 'window.print = () => undefined;' });
		const sheets = async (paper: 'Portrait' | 'Landscape') => {
			await page.getByRole('button', { name: 'Print' }).click();
			const dialog = page.getByRole('dialog', { name: 'Print' });
			await dialog.getByRole('radio', { name: paper }).check();
			await dialog.getByRole('button', { name: 'Print' }).click();
			await dialog.waitFor({ state: 'detached' });
			const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
			const boxes = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)];
			return boxes.map(([, width, height]) => (Number(width) > Number(height) ? 'Landscape' : 'Portrait'));
		};
		expect(await sheets('Portrait')).toEqual(['Portrait']);
		expect(await sheets('Landscape')).toEqual(['Landscape']);
		await goTo(`/report/${saved.body.data.id}`);
		await expect.poll(() => page.locator('.report-table .names th').count(), { timeout: 20_000 }).toBe(42);
		await page.locator('.report-box:not(.changing)').waitFor();
		expect(await sheets('Portrait')).toEqual(Array(4).fill('Portrait'));
		expect(await sheets('Landscape')).toEqual(Array(4).fill('Landscape'));
		await page.emulateMedia({ media: 'print' });
		await page.evaluate("dispatchEvent(new Event('beforeprint'))");
		const first = page.locator('.sheet').first();
		const heads = await first.locator('thead th').allInnerTexts();
		expect(heads).toHaveLength(1 + 10 + 2);
		expect(await first.locator('tbody tr td:last-child').allInnerTexts()).toEqual(expect.arrayContaining(['open']));
		// Upright within its margins, no column is cut off: neither of ten lines nor of thirteen.
		await page.setViewportSize({ width: 703, height: 1032 });
		const cutOff = () => first.evaluate((sheet) => sheet.scrollWidth - sheet.clientWidth);
		expect(await cutOff()).toBeLessThanOrEqual(0);
		await goTo('/report/46');
		const drawn = async () => {
			await page.evaluate("dispatchEvent(new Event('beforeprint'))");
			return first.locator('thead th').count();
		};
		await expect.poll(drawn).toBe(1 + 13 + 2);
		expect(await cutOff()).toBeLessThanOrEqual(0);
	});

	test.each(looks)(
		'in %s and %s at %i px nothing is wrong for axe-core, and nothing is wider than the window',
		async (language, theme, width) => {
			const { page, expectAccessible, goTo } = await open({ route: '/report/46', language, theme, size: { width, height: 900 } });
			for (const view of ['month', 'day']) {
				const answered = page.waitForResponse('**/readReport');
				await goTo(`/report/46?view=${view}&date=${dateAgo(1)}`);
				await answered;
				await page.locator('.report > [role=status].sr').waitFor({ state: 'attached' });
				await page
					.locator(width > 900 ? '.report-box:not(.changing)' : '.report-card')
					.first()
					.waitFor();
				await expectAccessible();
			}
			if (width > 900) return;
			await page.locator('.report-card').first().click();
			const popover = page.locator('.report-popover');
			await popover.waitFor();
			await expectAccessible();
			expect(await page.locator('.report-card').count()).toBe(13);
		},
	);

	test('a period that cannot be read says so and is read again, and a plant without reports says how to begin', async () => {
		const shown = await served.open({ route: '/overview' });
		await shown.page.route('**/readReport', (route) =>
			route.fulfill({ status: 503, contentType: 'application/json', body: '{}' }),
		);
		await shown.goTo('/report/46');
		await shown.page.getByText('The report could not be read.').waitFor();
		expect(await shown.page.locator('.report-table').count()).toBe(0);
		await shown.page.unroute('**/readReport');
		await shown.page.getByRole('button', { name: 'Try again' }).click();
		await shown.page.locator('.report-table .sum .n').first().waitFor();
		const { page, violations } = await served.open({ tenant: 'b', route: '/report' });
		await page.getByText('No reports yet').waitFor();
		expect(await violations()).toEqual([]);
	});
});
