import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { call, signIn, tenants } from '#test/e2e/target.ts';
import { type ConsoleOptions, type ConsolePage, isFocused, wideLooks, withoutServerTime } from '#test/support/console-page.ts';
import { serveConsole } from '#test/support/serve-console.ts';

const minute = 60_000;

/** A console, with the bodies of the requests for histories that it has sent. */
type TrendPage = ConsolePage & { readonly histories: readonly Record<string, unknown>[] };

describe.skipIf(inject('chromium') === null)('trends, in Chromium', () => {
	const served = serveConsole({ DEMO_PLANT: 'on' });
	const { target } = served;

	/** Opens the screen. `refusals` are the faults that the browser itself reports, because the service refuses something. */
	const open = async (options: ConsoleOptions, refusals: readonly unknown[] = []): Promise<TrendPage> => {
		// A poll reads a range that follows, too: none comes between two acts of a test, however busy the machine is.
		const console = await served.open({
			...options,
			script: `localStorage.setItem('caudal.interval', '60'); ${options.script ?? ''}`,
			// The overview would read histories of its own, later than anybody can say.
			route: '/variables/new',
		});
		const histories: Record<string, unknown>[] = [];
		console.page.on('request', (request) => {
			if (request.url().endsWith('/history')) histories.push(JSON.parse(request.postData() ?? '{}'));
		});
		onTestFinished(() => expect([console.faults, [...console.origins]]).toEqual([refusals, [target.baseUrl]]));
		await console.page.waitForLoadState('networkidle');
		histories.length = 0;
		await console.goTo(options.route ?? '/trend');
		await console.page.getByRole('heading', { level: 1, name: /Trends|Tendencias/ }).waitFor();
		return { ...console, histories };
	};
	const plotOf = ({ page }: ConsolePage) => page.getByRole('slider');
	const paramsOf = ({ page }: ConsolePage) => new URLSearchParams(page.url().split('?')[1]);
	/** Waits until the curves of the newest request are shown. */
	const settle = async ({ page }: ConsolePage) => {
		await page.locator('.plot .curves, .plot .plot-strip').first().waitFor();
		await page.locator('.plot[aria-busy=false]').waitFor();
	};

	test('by mouse: choose a variable, a range, zoom, move, follow, with one request for each', async () => {
		const shown = await open({});
		const { page, histories } = shown;
		const step = async (act: () => Promise<unknown>) => {
			const before = histories.length;
			await act();
			await expect.poll(() => histories.length).toBe(before + 1);
			await settle(shown);
			await page.waitForTimeout(150);
			expect(histories.length - before).toBe(1);
			return { body: histories.at(-1), params: paramsOf(shown) };
		};
		await page.getByText('Choose a variable').waitFor();
		expect(histories).toEqual([]);

		const chosen = await step(async () => {
			await page.getByRole('combobox', { name: 'Add a variable' }).fill('distribution flow');
			await page
				.getByRole('option', { name: /^Distribution flow/ })
				.first()
				.click();
		});
		expect(chosen.params.get('ids')).toBe('13');
		expect(chosen.body).toMatchObject({ ids: [13], timeZone: 'Europe/Madrid', aggregates: ['own', 'mean', 'min', 'max'] });

		const six = await step(() => page.getByRole('radio', { name: '6 h' }).check());
		expect(six.params.get('range')).toBe('6h');
		expect(Number(six.body?.['end']) - Number(six.body?.['start'])).toBe(6 * 60 * minute);

		const box = (await plotOf(shown).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
		const over = (await page.locator('.plot-over').boundingBox()) ?? box;
		const zoomed = await step(async () => {
			await page.mouse.move(over.x + over.width / 4, box.y + 100);
			await page.mouse.down();
			await page.mouse.move(over.x + over.width / 2, box.y + 120, { steps: 4 });
			await page.mouse.up();
		});
		const zoomedMs = Number(zoomed.body?.['end']) - Number(zoomed.body?.['start']);
		expect(zoomedMs / (90 * minute)).toBeCloseTo(1, 1);
		expect(zoomed.params.get('from')).not.toBeNull();

		const earlier = await step(() => page.getByRole('button', { name: 'Earlier' }).click());
		expect(Number(earlier.body?.['end'])).toBeCloseTo(Number(zoomed.body?.['end']) - zoomedMs / 2, -1);

		await step(async () => {
			await page.keyboard.down('Shift');
			await page.mouse.move(over.x + over.width / 4, box.y + 100);
			await page.mouse.down();
			await page.mouse.move(over.x + over.width / 2, box.y + 100, { steps: 4 });
			await page.mouse.up();
			await page.keyboard.up('Shift');
		});
		expect(Number(histories.at(-1)?.['end'])).toBeLessThan(Number(earlier.body?.['end']));
		await step(() => page.getByRole('button', { name: 'Zoom out' }).click());
		const following = await step(() => page.getByRole('button', { name: 'Follow now' }).click());
		expect(following.params.get('range')).toMatch(/^\d+s$|^\d+[mh]$/);
		await page.getByRole('button', { name: 'Follows now' }).waitFor();

		await page.getByRole('button', { name: 'Choose…' }).click();
		await page.getByLabel('From', { exact: true }).fill('2020-01-01T00:00');
		await page.getByLabel('To', { exact: true }).fill('2019-01-01T00:00');
		await page.getByRole('button', { name: 'Show', exact: true }).click();
		await page.getByText('The end must be after the start.').waitFor();
		await page.getByLabel('To', { exact: true }).fill('2020-01-02T00:00');
		const typed = await step(() => page.getByRole('button', { name: 'Show', exact: true }).click());
		expect(typed.params.get('from')).toBe('2019-12-31T23:00:00.000Z');
	});

	test('by keyboard alone: choose a variable, move the crosshair, zoom, move, follow', async () => {
		const shown = await open({});
		const { page, histories, focusByKey } = shown;
		await focusByKey(page.getByRole('combobox', { name: 'Add a variable' }));
		await page.keyboard.type('network tank level');
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('ArrowUp');
		await page.keyboard.press('Enter');
		await settle(shown);
		expect(paramsOf(shown).get('ids')).toBe('16');
		await focusByKey(plotOf(shown), 'Shift+Tab');
		expect(await plotOf(shown).getAttribute('aria-valuetext')).toMatch(
			/^\d+ \w+ (\d{4} )?\d\d:\d\d( CES?T)? – \d+ \w+ \d\d:\d\d( CES?T)?$/,
		);
		await page.keyboard.press('ArrowLeft');
		const last = Number(await plotOf(shown).getAttribute('aria-valuemax'));
		expect(Number(await plotOf(shown).getAttribute('aria-valuenow'))).toBe(last);
		await page.keyboard.press('Shift+ArrowLeft');
		expect(Number(await plotOf(shown).getAttribute('aria-valuenow'))).toBe(last - 10);
		expect(await plotOf(shown).getAttribute('aria-valuetext')).toMatch(
			/^\d\d:\d\d( CES?T)?–\d\d:\d\d( CES?T)?; Network tank level \d\.\d\d m$/,
		);

		// Row, legend and crosshair are one.
		const row = page.locator('tr[aria-selected=true]');
		const [time, value] = [await row.locator('th').innerText(), await row.locator('td').innerText()];
		expect(await page.locator('.crosshair-time').innerText()).toMatch(new RegExp(`^${time}–`));
		expect(await page.locator('.legend b').first().innerText()).toBe(value);
		await focusByKey(row);
		await page.keyboard.press('ArrowDown');
		expect(Number(await plotOf(shown).getAttribute('aria-valuenow'))).toBe(last - 11);
		await page.keyboard.press('End');
		expect(Number(await plotOf(shown).getAttribute('aria-valuenow'))).toBe(0);
		await expect.poll(() => page.locator('tr[aria-selected=true]').evaluate(isFocused)).toBe(true);
		// The next key comes after the table was drawn, and before its effects have run.
		await focusByKey(row);
		await page.keyboard.press('Home');
		await expect.poll(() => row.evaluate(isFocused)).toBe(true);
		await page.evaluate(`(async () => {
			const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
			press('ArrowDown');
			for (let turn = 0; turn < 10; turn += 1) await null;
			press('End');
		})()`);
		await expect.poll(async () => Number(await plotOf(shown).getAttribute('aria-valuenow'))).toBe(0);
		await expect.poll(() => row.evaluate(isFocused)).toBe(true);

		const before = histories.length;
		for (const [key, parameter] of [
			['+', /^range=12h$/],
			['-', /^range=24h$/],
			['[', /^from=/],
			['n', /^range=24h$/],
		] as const) {
			// Without a crosshair the end of the range keeps its place.
			await focusByKey(plotOf(shown), 'Shift+Tab');
			await page.keyboard.press('Escape');
			await page.keyboard.press(key);
			await expect
				.poll(() =>
					decodeURIComponent(
						page
							.url()
							.split('&')
							.at(-1 - Number(key === '[')) ?? '',
					),
				)
				.toMatch(parameter);
			await settle(shown);
		}
		await expect.poll(() => histories.length - before).toBe(4);
	});

	test('zooming keeps the marked time in the middle, and Back undoes it', async () => {
		const [start, day] = [Date.parse('2026-01-01T00:00:00Z'), 24 * 60 * minute];
		const shown = await open({ route: '/trend?ids=13&from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z' });
		const { page, histories } = shown;
		await settle(shown);
		const over = (await page.locator('.plot-over').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
		const at = (share: number) => [over.x + share * over.width, over.y + 40] as const;
		const reads = async (act: () => Promise<unknown>) => {
			const before = histories.length;
			await act();
			await expect.poll(() => histories.length).toBe(before + 1);
			await settle(shown);
			const { start: from, end: to } = histories.at(-1) ?? {};
			return { middle: (Number(from) + Number(to)) / 2, length: Number(to) - Number(from), from: Number(from) };
		};
		const [marked, within] = [start + (day * 6.25) / 24, 5 * minute];
		const isNear = (value: number, wanted: number) => expect(Math.abs(value - wanted)).toBeLessThan(within);

		await page.mouse.click(...at(6.25 / 24));
		// On its way to the buttons the pointer crosses the curves. The point that was clicked stays.
		await page.mouse.move(...at(0.9), { steps: 3 });
		const pinned = await page.locator('.crosshair-time').innerText();
		const zoomed = await reads(() => page.getByRole('button', { name: 'Zoom in' }).click());
		isNear(zoomed.middle, marked);
		expect(zoomed.length).toBe(day / 2);
		isNear((await reads(() => page.getByRole('button', { name: 'Zoom out' }).click())).middle, marked);
		await page.goBack();
		await expect.poll(() => histories.at(-1)?.['end']).toBe(zoomed.from + day / 2);
		await settle(shown);
		const undone = await reads(() => page.goBack());
		expect([undone.from, undone.length]).toEqual([start, day]);
		expect(await page.locator('.crosshair-time').innerText()).toBe(pinned);

		// A range that was chosen by its button does not lead away from the marked time either.
		await reads(() => page.getByRole('radio', { name: '1 h', exact: true }).check());
		isNear((await reads(() => page.keyboard.press('+'))).middle, marked);
		await reads(() => page.goBack());
		await reads(() => page.goBack());

		// Escape frees the point. Then the range keeps its middle.
		await plotOf(shown).press('Escape');
		const byKey = await reads(() => page.keyboard.press('+'));
		expect([byKey.middle, byKey.length]).toEqual([start + day / 2, day / 2]);
		await reads(() => page.goBack());

		// What is below the pointer keeps its place: twice by a double click, as much by two notches of the wheel with Ctrl.
		const clicked = await reads(() => page.mouse.dblclick(...at(0.25)));
		isNear(clicked.from + clicked.length / 4, start + day / 4);
		expect(clicked.length).toBe(day / 2);
		const back = await reads(() => page.goBack());
		expect([back.from, back.length]).toEqual([start, day]);
		await page.mouse.move(...at(0.75));
		const wheeled = await reads(async () => {
			await page.keyboard.down('Control');
			await page.mouse.wheel(0, -100);
			await page.mouse.wheel(0, -100);
			await page.keyboard.up('Control');
		});
		isNear(wheeled.from + 0.75 * wheeled.length, start + 0.75 * day);
		expect(wheeled.length).toBe(day / 2);

		// A drag is undone, too. Moving leaves nothing to undo.
		const dragged = await reads(async () => {
			await page.mouse.move(...at(0.25));
			await page.mouse.down();
			await page.mouse.move(...at(0.5), { steps: 4 });
			await page.mouse.up();
		});
		isNear(dragged.length, day / 8);
		await reads(() => page.getByRole('button', { name: 'Earlier' }).click());
		expect((await reads(() => page.goBack())).from).toBe(wheeled.from);
	});

	test('the address brings back what was shown, and keys outside of the plot do not act on it', async () => {
		const shown = await open({ route: '/trend?ids=13,16,11,18&from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z' });
		const { page, histories, reload } = shown;
		await settle(shown);
		expect(histories).toMatchObject([{ ids: [13, 16, 11, 18], start: Date.parse('2026-01-01'), end: Date.parse('2026-01-02') }]);
		expect(await page.locator('.plot-unit').allInnerTexts()).toEqual(['m³/h', 'm']);
		expect(await page.locator('.plot-strip').count()).toBe(9);
		await reload();
		await settle(shown);
		expect(histories.at(-1)).toEqual(histories[0]);
		await page.getByRole('combobox', { name: 'Add a variable' }).press('n');
		expect(paramsOf(shown).get('from')).toBe('2026-01-01T00:00:00Z');
	});

	test('a board is opened, changed and saved; a board that somebody else saved is never overwritten', async () => {
		const token = await signIn(target, 'a');
		const save = async (body: object) => (await call(target, 'POST', '/saveChart', { token, body })).body.data;
		const removeLater = (id: number) =>
			onTestFinished(async () => void (await call(target, 'POST', `/deleteChart/${id}`, { token })));
		const board = await save({ id: 0, title: 'Levels', series: [{ varId: 4, label: 'Raw', color: '#123456' }] });
		removeLater(board.id);
		const stored = async (id: number) =>
			(await call(target, 'GET', '/getCharts', { token })).body.data.find((chart: { id: number }) => chart.id === id);
		const refusal = expect.stringContaining('412 (Precondition Failed)');
		const shown = await open({}, [refusal, refusal]);
		const { page } = shown;
		await page.getByRole('combobox', { name: 'Chart board' }).selectOption('Levels');
		await settle(shown);
		expect(paramsOf(shown).get('chart')).toBe(String(board.id));
		await page.locator('.legend .name', { hasText: 'Raw' }).waitFor();
		const add = async (name: string) => {
			await page.getByRole('combobox', { name: 'Add a variable' }).fill(name);
			await page
				.getByRole('option', { name: new RegExp(`^${name}`) })
				.first()
				.click();
			await settle(shown);
		};
		await add('Network tank level');
		const openDialog = () => page.getByRole('button', { name: 'Save as a chart' }).click();
		const store = () => page.getByRole('button', { name: 'Save', exact: true }).click();
		const typeTitle = (title: string) => page.getByRole('dialog').getByLabel('Title').fill(title);
		await openDialog();
		await store();
		await page.getByText('Chart “Levels” saved').waitFor({ state: 'attached' });
		expect(await stored(board.id)).toMatchObject({
			version: 2,
			series: [{ varId: 4, label: 'Raw', color: '#123456' }, { varId: 16 }],
		});

		// Somebody else saves it, and this page does not know.
		await save({ id: board.id, title: 'Theirs', series: [{ varId: 10 }] });
		await openDialog();
		expect(await page.getByRole('button', { name: 'Save', exact: true }).isEnabled()).toBe(false);
		await typeTitle('Mine');
		await store();
		const conflict = page.getByRole('dialog', { name: 'Somebody else saved this chart' });
		await conflict.getByText('Treated tank level').first().waitFor();
		const sides = await conflict.getByRole('radio').all();
		expect(await Promise.all(sides.map((side) => side.getAttribute('aria-label')))).toEqual([
			'Title: Theirs: Theirs',
			'Title: Mine: Mine',
			'Treated tank level: Theirs: Treated tank level',
			'Treated tank level: Mine: nothing',
			'Raw tank level: Theirs: nothing',
			'Raw tank level: Mine: Raw tank level',
			'Network tank level: Theirs: nothing',
			'Network tank level: Mine: Network tank level',
		]);
		expect(await stored(board.id)).toMatchObject({ title: 'Theirs', version: 3 });
		for (const side of sides.filter((_, index) => index % 2 === 1)) await side.check();
		await conflict.getByRole('button', { name: 'Go on with the choice' }).click();
		expect(await stored(board.id)).toMatchObject({ title: 'Theirs', version: 3 });
		await store();
		await page.getByRole('dialog').waitFor({ state: 'detached' });
		expect(await stored(board.id)).toMatchObject({ title: 'Mine', version: 4 });

		await save({ id: board.id, title: 'Theirs again', series: [{ varId: 10 }] });
		await openDialog();
		await typeTitle('Mine again');
		await store();
		await page.getByRole('button', { name: 'Take theirs, drop mine' }).click();
		await settle(shown);
		expect([paramsOf(shown).get('ids'), (await stored(board.id)).version]).toEqual(['10', 5]);

		await openDialog();
		await page.getByRole('radio', { name: 'As a new chart' }).check();
		await page.getByLabel('Title').fill(' ');
		await store();
		await page.getByText('Type a title.').waitFor();
		await page.getByLabel('Title').fill('Copy');
		await page.keyboard.press('Enter');
		await page.getByRole('dialog').waitFor({ state: 'detached' });
		expect(await stored(Number(paramsOf(shown).get('chart')))).toMatchObject({ title: 'Copy', version: 1 });
		removeLater(Number(paramsOf(shown).get('chart')));
	});

	test('by mouse: compare with the day before, the week before and another range; the buttons lead through the views', async () => {
		const shown = await open({ route: '/trend?ids=13,18&range=6h' });
		const { page, histories } = shown;
		await settle(shown);
		const compare = page.getByRole('combobox', { name: 'Compare with' });
		const lengthOf = ({ start, end }: Record<string, unknown>) => Number(end) - Number(start);
		const reads = async (count: number, act: () => Promise<unknown>) => {
			const before = histories.length;
			await act();
			await expect.poll(() => histories.length).toBe(before + count);
			await settle(shown);
			return histories.slice(before);
		};
		const [now = {}, then = {}] = await reads(2, () => compare.selectOption('Same time, day before'));
		expect(paramsOf(shown).get('compare')).toBe('day');
		expect([lengthOf(now), lengthOf(then)]).toEqual([6 * 60 * minute, 6 * 60 * minute]);
		expect(Math.abs(Number(now['start']) - Number(then['start']) - 24 * 60 * minute)).toBeLessThanOrEqual(60 * minute);
		expect(await page.locator('.legend').getByText('Day before:').count()).toBeGreaterThan(1);
		await page.getByRole('columnheader', { name: /Distribution flow.*Day before/ }).waitFor();
		// A zoom keeps the comparison.
		await reads(2, () => page.getByRole('button', { name: 'Zoom in' }).click());
		expect(paramsOf(shown).get('compare')).toBe('day');
		await reads(2, () => compare.selectOption('Same time, week before'));
		await page.locator('.legend').getByText('Week before:').first().waitFor();

		await compare.selectOption('Another range…');
		const start = page.getByRole('dialog').getByLabel('From', { exact: true });
		await start.fill('2099-01-01T00:00');
		await page.getByRole('button', { name: 'Show', exact: true }).click();
		await page.getByText('The start must be before now, and 1 Jan 2099 00:00 is not.').waitFor();
		await start.fill('2026-01-01T06:00');
		const [, typed = {}] = await reads(2, () => page.getByRole('button', { name: 'Show', exact: true }).click());
		expect(Math.abs(Number(typed['start']) - Date.parse('2026-01-01T05:00:00Z'))).toBeLessThanOrEqual(10_000);
		await page
			.locator('.legend')
			.getByText(/^From 1 Jan (2026 )?06:0/)
			.first()
			.waitFor();

		const [back, forward] = [
			page.getByRole('button', { name: 'Previous view' }),
			page.getByRole('button', { name: 'Next view' }),
		];
		expect(await forward.isDisabled()).toBe(true);
		await reads(2, () => back.click());
		expect(paramsOf(shown).get('compare')).toBe('week');
		await reads(2, () => back.click());
		await reads(2, () => back.click());
		expect([paramsOf(shown).get('compare'), paramsOf(shown).get('range')]).toEqual(['day', '6h']);
		await reads(1, () => back.click());
		expect([...paramsOf(shown).keys()]).toEqual(['ids', 'range']);
		// The screen before is another one: the browser's own Back leads there.
		expect(await back.isDisabled()).toBe(true);
		await reads(2, () => forward.click());
		await reads(1, () => compare.selectOption('Compare with…'));
		expect(await page.locator('.compared').count()).toBe(0);

		// The demo has the day before in a day only; of three hours ago it has everything.
		await shown.goTo('/trend?ids=13,18&range=1h&compare=3h');
		await page.locator('.curves .compared').first().waitFor();
		await page.locator('.plot-strip .compared').first().waitFor();
	});

	test('by keyboard: compare with the day before, zoom, and back', async () => {
		const shown = await open({ route: '/trend?ids=13&range=6h' });
		const { page, focusByKey } = shown;
		await settle(shown);
		await focusByKey(page.getByRole('combobox', { name: 'Compare with' }));
		await page.keyboard.press('ArrowDown');
		await expect.poll(() => paramsOf(shown).get('compare')).toBe('day');
		await page.locator('.legend').getByText('Day before:').waitFor();
		await focusByKey(plotOf(shown));
		await page.keyboard.press('ArrowLeft');
		await expect
			.poll(() => plotOf(shown).getAttribute('aria-valuetext'))
			.toMatch(/; Distribution flow [\d.]+ m³\/h, Day before ([\d.]+|—) m³\/h$/);
		await page.keyboard.press('+');
		await expect.poll(() => paramsOf(shown).get('range')).not.toBe('6h');
		await focusByKey(page.getByRole('button', { name: 'Previous view' }), 'Shift+Tab');
		await page.keyboard.press('Enter');
		await expect.poll(() => [paramsOf(shown).get('range'), paramsOf(shown).get('compare')]).toEqual(['6h', 'day']);
	});

	test('a range whose points are longer than a day is not compared with the day before, and says so', async () => {
		const shown = await open({ route: '/trend?ids=13&from=2020-01-01T00:00:00Z&to=2026-01-01T00:00:00Z&compare=day' });
		await shown.page.getByText('The points are longer than what lies between the two ranges.').waitFor();
		expect(await shown.page.locator('.compared').count()).toBe(0);
	});

	test('an opened chart is deleted after a question, and its curves stay', async () => {
		const token = await signIn(target, 'a');
		const { body } = await call(target, 'POST', '/saveChart', {
			token,
			body: { id: 0, title: 'Night', series: [{ varId: 13 }] },
		});
		const shown = await open({ route: `/trend?chart=${body.data.id}&range=1h` });
		const { page } = shown;
		await settle(shown);
		await page.getByRole('button', { name: 'Delete' }).click();
		const dialog = page.getByRole('dialog', { name: 'Delete Night?' });
		await dialog.getByText('Its variables stay').waitFor();
		expect(await shown.violations()).toEqual([]);
		await page.keyboard.press('Escape');
		await dialog.waitFor({ state: 'detached' });
		expect((await call(target, 'GET', `/getCharts?ids=${body.data.id}`, { token })).body.data).toHaveLength(1);
		await page.getByRole('button', { name: 'Delete' }).press('Enter');
		await dialog.getByRole('button', { name: 'Delete' }).press('Enter');
		await dialog.waitFor({ state: 'detached' });
		await page.getByText('Chart “Night” deleted').waitFor();
		expect((await call(target, 'GET', `/getCharts?ids=${body.data.id}`, { token })).body.data).toEqual([]);
		await expect.poll(() => [paramsOf(shown).get('chart'), paramsOf(shown).get('ids')]).toEqual([null, '13']);
		await settle(shown);
		await expect.poll(() => page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
		await expect.poll(() => page.locator(':focus').count()).toBe(1);

		await shown.goTo(`/trend?chart=${body.data.id}&ids=13&range=1h`);
		await page.getByText('The chart in the address is deleted.').waitFor();
		await settle(shown);
		await page.locator('main').getByRole('link', { name: 'Changes' }).click();
		await page
			.locator('main tbody tr', { hasText: /deleted/ })
			.filter({ hasText: 'Night' })
			.waitFor();
	});

	test.each([
		['range=1h', false],
		['range=banana', true],
		['from=2099-01-01T00:00Z&to=2099-01-02T00:00Z', true],
	])('the range %s of an address is shown, or it is said what is shown instead', async (range, isOther) => {
		const shown = await open({ route: `/trend?ids=13&${range}`, size: { width: 320, height: 900 } });
		const { page } = shown;
		await settle(shown);
		const note = page.getByText(/^The range in the address .* Shown instead: \d.* – \d.*\.$/);
		expect(await note.count()).toBe(isOther ? 1 : 0);
		await shown.expectAccessible();
		// A range that is chosen on the screen replaces that of the address.
		await page.getByRole('radio', { name: '6 h' }).check();
		await note.waitFor({ state: 'detached' });
	});

	test('a range of two years names them on its axis, in its table and at its ends', async () => {
		const shown = await open({ route: '/trend?ids=13&from=2024-12-20T00:00:00Z&to=2025-01-12T00:00:00Z' });
		await settle(shown);
		const { page } = shown;
		await page
			.locator('.trend-tools')
			.getByText(/^20 Dec 2024 .* – 12 Jan 2025 /)
			.waitFor();
		expect(await page.locator('.time-axis small').allTextContents()).toEqual(['2024', '2025']);
		await expect.poll(() => page.locator('.trend-table tbody th').first().textContent()).toMatch(/\d{4} \d\d:\d\d$/);
	});

	test('the help lists the keys of this screen and of others, and what is drawn', async () => {
		const shown = await open({ route: '/trend?ids=13' });
		const { page } = shown;
		await settle(shown);
		await page.keyboard.press('?');
		const help = page.getByRole('dialog', { name: 'Help' });
		await help.getByRole('heading', { name: 'Marks of alarms' }).waitFor();
		const here = await help.locator('section').first().innerText();
		for (const label of ['Zoom in', 'Search', 'Pause and go on']) expect(here).toContain(label);
		expect(await help.locator('section').nth(1).innerText()).toMatch(/Editors: save/);
		for (const drawing of ['.range-bar .excess', '.sparkline path.band', '.strip i', '.alarm-mark'])
			expect(await help.locator(drawing).count(), drawing).toBeGreaterThan(0);
		expect(await shown.violations()).toEqual([]);
		await page.keyboard.press('Escape');
		await help.waitFor({ state: 'detached' });
		await page.getByRole('button', { name: 'Account and preferences' }).first().click();
		await page.getByRole('button', { name: 'Help' }).click();
		await help.waitFor();
	});

	test('CSV has the rows of the table', async () => {
		// A range that does not follow has the same rows in the table and in the file.
		const end = Math.floor(Date.now() / minute) * minute;
		const [from, to] = [end - 60 * minute, end].map((at) => new Date(at).toISOString());
		const shown = await open({ route: `/trend?ids=13,11&from=${from}&to=${to}`, language: 'es' });
		const { page } = shown;
		await settle(shown);
		await plotOf(shown).press('ArrowLeft');
		const rows = await page.getByRole('grid').getAttribute('aria-rowcount');
		const value = await page.locator('tr[aria-selected=true] td').first().innerText();
		const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
		expect(download.suggestedFilename()).toMatch(
			/^Distribution flow, Distribution pump 1 (\d{4}-\d\d-\d\d \d{4}) - (\d{4}-\d\d-\d\d \d{4})\.csv$/,
		);
		const csv: string[][] = parse(readFileSync(await download.path(), 'utf8'), { bom: true, delimiter: ';' });
		expect(csv[0]).toEqual([
			'Hora (UTC)',
			'Hora (local, Europe/Madrid)',
			'Distribution flow [m³/h]',
			'Distribution flow mín. [m³/h]',
			'Distribution flow máx. [m³/h]',
			'Distribution pump 1',
		]);
		expect(csv).toHaveLength(Number(rows));
		const decimals = value.split(',')[1]?.length ?? 0;
		expect(decimals).toBeGreaterThan(0);
		expect(csv.at(-1)?.[2]).toMatch(/^\d+(,\d+)?$/);
		expect(Number(csv.at(-1)?.[2]?.replace(',', '.')).toFixed(decimals)).toBe(value.replace(',', '.'));
	});

	test('the time zone of the view holds for the clock, the range and its windows, in this browser from then on', async () => {
		const shown = await open({ route: '/trend?ids=13&from=2026-11-20T12:00:00Z&to=2026-11-20T18:00:00Z' });
		const { page, histories } = shown;
		await settle(shown);
		expect(histories.at(-1)).toMatchObject({ timeZone: 'Europe/Madrid' });
		await page.getByRole('button', { name: 'Account and preferences' }).first().click();
		const field = page.getByLabel('Time zone');
		await field.fill('America/Bogot');
		await page.getByText('There is no such time zone').waitFor();
		expect(await page.locator('.clock').innerText()).toMatch(/CES?T/);
		await field.pressSequentially('a');
		await page.getByText('There is no such time zone').waitFor({ state: 'detached' });
		await page.keyboard.press('Escape');
		await expect.poll(() => page.locator('.clock').innerText()).toContain('UTC-5');
		await expect.poll(() => histories.at(-1)).toMatchObject({ timeZone: 'America/Bogota' });
		await settle(shown);
		await page.getByRole('button', { name: 'Choose…' }).click();
		expect(await page.getByRole('dialog').getByLabel('From').inputValue()).toBe('2026-11-20T07:00');
		await page.getByRole('dialog').getByLabel('To').fill('2026-11-20T12:30');
		await page.getByRole('dialog').getByRole('button', { name: 'Show' }).click();
		await expect.poll(() => paramsOf(shown).get('to')).toBe('2026-11-20T17:30:00.000Z');
		expect(await page.evaluate(() => localStorage.getItem('caudal.time-zone'))).toBe('America/Bogota');
	});

	test('a gap is a gap: no line through it, words in it, and no number at the crosshair', async () => {
		const token = await signIn(target, 'b');
		const end = Math.floor(Date.now() / minute) * minute;
		const query = {
			calc_topic: 'gap/level',
			calc_field: 'value',
			calc_time: 1,
			calc_unit: 'h',
			calc_period: 1,
			calc_unit_period: 'm',
			calc_type_period: 'last',
		};
		const variable = { id: 0, name: 'Level', unit: 'm', type: 'last', process: 'test', calc: false, varsTsdb: { Level: query } };
		const { id } = (await call(target, 'POST', '/saveVariable', { token, body: variable })).body.data;
		onTestFinished(async () => void (await call(target, 'POST', `/deleteVar/${id}`, { token })));
		const minutes = Array.from({ length: 60 }, (_, index) => index).filter((index) => index < 20 || index >= 40);
		await target.feed(
			tenants.b.tsdb_name,
			minutes.map((index) => `gap/level value=${index % 2} ${end - (60 - index) * minute}`).join('\n'),
		);
		const shown = await open({
			tenant: 'b',
			route: `/trend?ids=${id}&from=${new Date(end - 60 * minute).toISOString()}&to=${new Date(end).toISOString()}`,
		});
		const { page } = shown;
		await settle(shown);
		const path = (await page.locator('.curves .curve').getAttribute('d')) ?? '';
		expect(
			path
				.split('M')
				.slice(1)
				.map((line) => line.split('L').length),
		).toEqual([20, 20]);
		expect(await page.locator('.gap-words').innerText()).toBe('No data 20 min');
		expect(await page.locator('.quality-lane i').count()).toBe(1);
		const over = (await page.locator('.plot-over').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
		await page.mouse.move(over.x + over.width / 2, over.y + 100);
		await expect.poll(() => page.locator('.legend .quality').first().innerText()).toBe('No data');
		await expect.poll(() => page.locator('tr[aria-selected=true] td').innerText()).toBe('– –');
		await page.mouse.move(over.x + over.width * 0.0084, over.y + 100);
		await expect.poll(() => page.locator('tr[aria-selected=true] td').innerText()).toBe('0.00');
	});

	test('a range that follows is read with every poll, another one never again', async () => {
		// The clock of the page runs ahead, and the page must not correct it.
		const shown = await open({ route: '/trend?ids=13&range=1h', script: withoutServerTime });
		await settle(shown);
		const { page, histories } = shown;
		await page.clock.install();
		const before = histories.length;
		// The installed clock counts from 0 again, also the time since the page was opened.
		await page.clock.fastForward(60_000);
		await page.keyboard.press('r');
		await expect.poll(() => histories.length).toBe(before + 1);
		await page.keyboard.press('[');
		await expect.poll(() => histories.length).toBe(before + 2);
		await settle(shown);
		await page.clock.fastForward(6000);
		const poll = page.waitForResponse((response) => response.url().endsWith('/multipleDataTsdb'));
		await page.keyboard.press('r');
		await poll;
		expect(histories.length).toBe(before + 2);
	});

	test('a clock that is set forward while the range follows reads it at most once more', async () => {
		const shown = await open({ route: '/trend?ids=13&range=1h' });
		await settle(shown);
		const { page, histories } = shown;
		await page.clock.install();
		const before = histories.length;
		await page.clock.fastForward(6000);
		const poll = page.waitForResponse((response) => response.url().endsWith('/multipleDataTsdb'));
		await page.keyboard.press('r');
		await poll;
		// The range is wanted again every second.
		await page.waitForTimeout(3500);
		expect(histories.length - before).toBeLessThanOrEqual(1);
	});

	test('what cannot be read is said in the place of the curves, and read again on request', async () => {
		const console = await served.open({ route: '/overview' });
		const { page } = console;
		let isFailing = true;
		await page.route('**/history', (route) =>
			isFailing
				? route.fulfill({ status: 413, json: { request: { code: 'too_much', message: 'Too many values.', params: {} } } })
				: route.continue(),
		);
		await console.goTo('/trend?ids=13');
		await page.getByText('Too many values.').waitFor();
		expect(await page.locator('.curves').count()).toBe(0);
		isFailing = false;
		await page.getByRole('button', { name: 'Try again' }).click();
		await settle(console);
	});

	test.each(wideLooks)('has no fault of accessibility in %s, %s, with and without variables', async (language, theme) => {
		const shown = await open({ language, theme, route: '/trend?ids=13,19,23,4,11,18' });
		await settle(shown);
		await plotOf(shown).press('ArrowLeft');
		expect(await shown.violations()).toEqual([]);
		await shown.goTo('/trend');
		await shown.page.getByText(/Choose a variable|Elija una variable/).waitFor();
		expect(await shown.violations()).toEqual([]);
	});

	test('an empty tenant is told how to begin, and 320 pixels are wide enough', async () => {
		const empty = await open({ tenant: 'b' });
		await empty.page.getByText('No variables yet').waitFor();
		expect(await empty.violations()).toEqual([]);
		const narrow = await open({ route: '/trend?ids=13,16,11&range=6h', language: 'es', size: { width: 320, height: 800 } });
		await settle(narrow);
		await narrow.expectAccessible();
	});

	test.each([1440, 320])(
		'the words of limits that are close to each other hide neither a curve nor each other (%i px)',
		async (width) => {
			const token = await signIn(target, 'a');
			for (const threshold of [4.5, 4.51, 4.52]) {
				const name = `Vibration over ${threshold} for a long time, at the pump beside the intake`;
				const body = { id: 0, name, varId: 35, condition: '>', threshold, severity: 'info', message: 'High.' };
				const { body: saved } = await call(target, 'POST', '/saveAlarm', { token, body });
				onTestFinished(async () => void (await call(target, 'POST', `/deleteAlarm/${saved.data.id}`, { token })));
			}
			const shown = await open({ route: '/trend?ids=35', size: { width, height: 1000 } });
			await settle(shown);
			await shown.page.locator('.plot-limits > li').nth(3).waitFor();
			const boxes = await Promise.all(
				(await shown.page.locator('.plot-limits > li, .pane-curves .curves').all()).map((each) => each.boundingBox()),
			);
			expect(boxes.length).toBeGreaterThanOrEqual(5);
			const overlaps = boxes.flatMap((a, index) =>
				boxes.slice(index + 1).filter((b) => {
					if (a === null || b === null) throw new Error('A limit or a curve is not drawn.');
					return a.x < b.x + b.width && b.x < a.x + a.width && a.y + 1 < b.y + b.height && b.y + 1 < a.y + a.height;
				}),
			);
			expect(overlaps).toEqual([]);
		},
	);
});
