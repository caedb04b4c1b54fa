import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import type { SymbolKind } from '#domain/board/symbol-kinds.ts';
import type { Schemas } from '#infra/openapi/api.ts';
import { drawnDiagramOf } from '#page/screens/diagram/symbols/drawn-diagram.ts';
import { pipePoints } from '#page/screens/diagram/symbols/pipe-geometry.ts';
import type { Point } from '#page/screens/diagram/symbols/symbol-geometry.ts';
import { call, signIn } from '#test/e2e/target.ts';
import { leaveBackground } from '#test/support/builders/damage.ts';
import { type ConsoleOptions, isFocused, wideLooks } from '#test/support/console-page.ts';
import { expectFocus } from '#test/support/expect-focus.ts';
import { drawnOf, withinOf } from '#test/support/rebuilt-diagram.ts';
import { serveConsole } from '#test/support/serve-console.ts';

type Diagram = Schemas['Diagram'];
type Entry = Diagram['items'][number] | NonNullable<Diagram['shapes']>[number];

/** The words of the kinds, and their keys in the drawing. */
const tools: Readonly<Record<SymbolKind, readonly [word: string, key: string]>> = {
	value: ['Value', 'd'],
	tank: ['Tank', 't'],
	pump: ['Pump', 'p'],
	valve: ['Valve', 'v'],
	filter: ['Filter', 'f'],
	source: ['Source', 's'],
	network: ['Network', 'n'],
	text: ['Text', 'x'],
	frame: ['Frame', 'r'],
	join: ['Join', 'j'],
};

const expectFocusOn = (element: Locator) => expect.poll(() => element.evaluate(isFocused)).toBe(true);

describe.skipIf(inject('chromium') === null)('editing a process diagram, in Chromium', () => {
	const served = serveConsole({ DEMO_PLANT: 'on' });
	const { target } = served;
	let token: string;
	let names: ReadonlyMap<number, string>;
	let demo: Diagram;
	const listed = async () => (await call(target, 'GET', '/getDiagrams', { token })).body.data;
	beforeAll(async () => {
		token = await signIn(target, 'a');
		const { body } = await call(target, 'GET', '/getVarsTsdb', { token });
		names = new Map(body.data.map(({ id, name }: { readonly id: number; readonly name: string }) => [id, name]));
		demo = (await listed()).find(({ title }: Diagram) => title === 'Plant overview');
	});
	const remove = (id: number) => onTestFinished(async () => void (await call(target, 'POST', `/deleteDiagram/${id}`, { token })));
	const create = async (body: object): Promise<number> => {
		const { id } = (await call(target, 'POST', '/saveDiagram', { token, body: { id: 0, items: [], ...body } })).body.data;
		remove(id);
		return id;
	};
	const stored = async (title: string): Promise<Diagram> => (await listed()).find((diagram: Diagram) => diagram.title === title);
	const open = async (options: ConsoleOptions) => {
		const console = await served.open(options);
		onTestFinished(() => expect(console.faults).toEqual([]));
		const { page } = console;
		return { ...console, area: page.getByRole('application'), side: page.locator('.edit-side') };
	};
	const edit = async (page: Page) => {
		await page.getByRole('radio', { name: 'Edit' }).check();
		await page.locator('.editing').waitFor();
	};
	const save = async (page: Page, title: string): Promise<Diagram> => {
		await page.getByText('not saved yet').waitFor({ state: 'detached' });
		const saved = await stored(title);
		remove(saved.id);
		return saved;
	};
	const kindOf = ({ kind }: Entry): SymbolKind => kind ?? 'value';
	const varIdOf = (entry: Entry): number | null => ('varId' in entry ? entry.varId : null);
	const bitOf = (entry: Entry): number | null => ('bit' in entry && typeof entry.bit === 'number' ? entry.bit : null);
	const tapOf = (entry: Entry): readonly number[] | null => ('tap' in entry && Array.isArray(entry.tap) ? entry.tap : null);

	test('draws the demo from nothing by mouse', { timeout: 240_000 }, async () => {
		// High enough for the forms, too: a page that scrolls would move the drawing away from the mouse.
		const { page, area, side } = await open({ route: '/diagram/new', size: { width: 1440, height: 1600 } });
		await area.waitFor();
		const box = await area.boundingBox();
		if (box === null) throw new Error('There is no drawing.');
		const at = ([x = 0, y = 0]: readonly number[]): readonly [number, number] => [box.x + x * box.width, box.y + y * box.height];
		const click = (place: readonly number[]) => page.mouse.click(...at(place));
		const drag = async (from: readonly number[], to: readonly number[]) => {
			await page.mouse.move(...at(from));
			await page.mouse.down();
			await page.mouse.move(...at(to), { steps: 4 });
			await page.mouse.up();
		};
		const take = (word: string) => page.getByRole('button', { name: word, exact: true }).first().click();
		const bind = async (varId: number) => {
			const name = names.get(varId) ?? '';
			await side.getByRole('combobox', { name: 'Variable' }).fill(name);
			await side.getByRole('option').filter({ hasText: name }).first().click();
		};
		const draw = async (entry: Entry) => {
			const kind = kindOf(entry);
			const [varId, tap] = [varIdOf(entry), tapOf(entry)];
			const { x, y, w, h } = entry;
			await take(tools[kind][0]);
			if (typeof w === 'number' && typeof h === 'number') await drag([x - w / 2, y - h / 2], [x + w / 2, y + h / 2]);
			else await click([x, y]);
			// The new symbol gets the focus in the next frame. A list that is opened before would lose it, and close. A value is new when it is bound.
			const drawn = page.locator('.editing [data-entry]:focus');
			if (kind !== 'value') await drawn.waitFor();
			if (varId !== null) await bind(varId);
			if (kind === 'value') await drawn.waitFor();
			await side.getByLabel('Kind').waitFor();
			const bit = bitOf(entry);
			if (bit !== null) await side.getByLabel('Bit', { exact: true }).selectOption(String(bit));
			if (typeof entry.label === 'string') await side.getByLabel('Label').fill(entry.label);
			if (typeof entry.turn === 'number') await side.getByRole('radio', { name: `${entry.turn}°` }).check();
			if (typeof entry.words === 'string') await side.getByRole('radio', { name: new RegExp(entry.words, 'i') }).check();
			if (Array.isArray(entry.scale)) {
				await side.getByLabel(/^Full at/).fill(String(entry.scale[1]));
				await side.getByLabel(/^Empty at/).fill(String(entry.scale[0]));
			}
			if (tap === null) return;
			await side.getByRole('button', { name: 'Add a leader' }).click();
			const mark = await page.locator('.edit-mark.tap').boundingBox();
			if (mark === null) throw new Error('The leader has no end.');
			const grip = [(mark.x + mark.width / 2 - box.x) / box.width, (mark.y + mark.height / 2 - box.y) / box.height];
			await drag(grip, tap);
		};
		for (const entry of [...demo.items, ...(demo.shapes ?? [])]) await draw(entry);
		const { byKey, pipes, ratio } = drawnDiagramOf(demo);
		/** Inside of the symbol, further from its edge than the grid may have moved that. */
		const inside = (place: Point | undefined, key: string): readonly number[] => {
			const { x = 0, y = 0 } = byKey.get(key) ?? {};
			const [px, py] = place ?? [0, 0];
			return [px + Math.sign(x - px) * 0.008, py + Math.sign(y - py) * 0.008];
		};
		await take('Pipe');
		for (const { from, to, via = [], ...pipe } of pipes) {
			const points = pipePoints({ from, to }, byKey, ratio) ?? [];
			await click(inside(points[0], from[0]));
			for (const bend of via) await click(bend);
			await click(inside(points.at(-1), to[0]));
			await side.getByText('Flows when').waitFor();
			if (pipe.varId !== null) await bind(pipe.varId);
			if (pipe.bit !== null) await side.getByLabel('Bit', { exact: true }).selectOption(String(pipe.bit));
			if (pipe.isThin) await side.getByLabel(/^Thin line/).check();
		}
		await page.getByLabel('Title').fill('By mouse');
		await page.getByRole('button', { name: 'Save diagram' }).click();
		const [drawn, original] = [drawnOf(await save(page, 'By mouse')), drawnOf(demo)];
		const sized = (entries: typeof drawn.items | typeof drawn.shapes) =>
			entries.map(({ w, h, ...entry }) => ({ ...entry, kind: entry.kind ?? 'value', size: [w ?? null, h ?? null] }));
		expect(withinOf(sized(drawn.items), sized(original.items), 0.01)).toEqual(sized(original.items));
		expect(withinOf(sized(drawn.shapes), sized(original.shapes), 0.01)).toEqual(sized(original.shapes));
		// Ends and bends are on the grid of a drawing whose symbols are, too.
		expect(withinOf(drawn.pipes, original.pipes, 0.015)).toEqual(original.pipes);
	});

	test('draws the demo from nothing by keyboard alone', { timeout: 400_000 }, async () => {
		const { page, area, side, focusByKey } = await open({ route: '/diagram/new' });
		await focusByKey(page.getByLabel('Title'));
		await page.keyboard.type('By keys');
		await focusByKey(area, 'Shift+Tab');
		const type = async (field: Locator, text: string | number) => {
			await focusByKey(field);
			await page.keyboard.press('Control+a');
			await page.keyboard.type(String(text));
		};
		const press = async (key: string, times = 1) => {
			for (let time = 0; time < times; time += 1) await page.keyboard.press(key);
		};
		const chooseVariable = async (varId: number) => {
			await page.keyboard.type(names.get(varId) ?? '');
			await press('Enter');
		};
		const bind = async (varId: number | null, bit: number | null) => {
			if (varId === null) return;
			await focusByKey(side.getByRole('combobox', { name: 'Variable' }));
			await chooseVariable(varId);
			if (bit === null) return;
			await focusByKey(side.getByLabel('Bit', { exact: true }));
			await page.keyboard.type(String(bit));
		};
		const radio = async (group: string, places: readonly string[], wanted: string) => {
			const [checked] = await side.getByRole('radiogroup', { name: group }).getByRole('radio', { checked: true }).all();
			if (checked === undefined) throw new Error(`Nothing is chosen of ${group}.`);
			await focusByKey(checked);
			const now = await checked.evaluate((input) =>
				String((input as unknown as { parentElement: { textContent: string } }).parentElement.textContent),
			);
			const from = places.findIndex((place) => now.startsWith(place));
			const to = places.indexOf(wanted);
			await press(to >= from ? 'ArrowRight' : 'ArrowLeft', Math.abs(to - from));
		};
		const draw = async (entry: Entry) => {
			const kind = kindOf(entry);
			const [varId, tap] = [varIdOf(entry), tapOf(entry)];
			await press(tools[kind][1]);
			if (kind === 'value') {
				await expectFocusOn(side.getByRole('combobox', { name: 'Variable' }));
				await chooseVariable(varId ?? 0);
			} else await press('Enter');
			await expectFocusOn(page.locator('.editing [data-entry][aria-pressed=true]'));
			await press('Enter');
			await expectFocusOn(side.locator('input, select').first());
			if (typeof entry.label === 'string') await type(side.getByLabel('Label'), entry.label);
			const bit = bitOf(entry);
			if (kind !== 'value') await bind(varId, bit);
			else if (bit !== null) {
				await focusByKey(side.getByLabel('Bit', { exact: true }));
				await page.keyboard.type(String(bit));
			}
			if (Array.isArray(entry.scale)) {
				await type(side.getByLabel(/^Empty at/), entry.scale[0] ?? 0);
				await type(side.getByLabel(/^Full at/), entry.scale[1] ?? 0);
			}
			await type(side.getByLabel('x', { exact: true }).first(), entry.x);
			await type(side.getByLabel('y', { exact: true }).first(), entry.y);
			if (typeof entry.w === 'number') await type(side.getByLabel('Width'), entry.w);
			if (typeof entry.h === 'number') await type(side.getByLabel('Height'), entry.h);
			if (typeof entry.turn === 'number') await radio('Turn', ['0°', '90°', '180°', '270°'], `${entry.turn}°`);
			if (typeof entry.words === 'string')
				await radio(
					'Words',
					['Above', 'Below', 'Left', 'Right'],
					`${entry.words.slice(0, 1).toUpperCase()}${entry.words.slice(1)}`,
				);
			if (tap !== null) {
				await focusByKey(side.getByRole('button', { name: 'Add a leader' }));
				await press('Enter');
				await type(side.getByRole('group', { name: 'Leader to what it measures' }).getByLabel('x'), tap[0] ?? 0);
				await type(side.getByRole('group', { name: 'Leader to what it measures' }).getByLabel('y'), tap[1] ?? 0);
			}
			await press('Escape');
			await expectFocusOn(page.locator('.editing [data-entry][aria-pressed=true]'));
		};
		const entries = [...demo.items, ...(demo.shapes ?? [])];
		for (const entry of entries) await draw(entry);
		const entryOf = (key: string) => page.locator(`.editing [data-entry="${entries.findIndex((entry) => entry.key === key)}"]`);
		const end = async (which: 'From' | 'To', [, wanted, at]: readonly (string | number | null | undefined)[]) => {
			const fields = side.locator('.ports').nth(which === 'From' ? 0 : 1);
			await focusByKey(fields.getByLabel('Side'));
			await page.keyboard.type(String(wanted));
			if (typeof at === 'number') await type(fields.getByLabel('At', { exact: true }), at);
		};
		for (const { from, to, via = [], ...pipe } of drawnDiagramOf(demo).pipes) {
			await focusByKey(entryOf(from[0]));
			await press('l');
			await focusByKey(entryOf(to[0]));
			await press('Enter');
			await press('Escape');
			await press('Enter');
			await expectFocusOn(side.locator('input, select').first());
			await end('From', from);
			await end('To', to);
			for (const [index, [x, y]] of via.entries()) {
				await focusByKey(side.getByRole('button', { name: 'Add a bend' }));
				await press('Enter');
				await focusByKey(side.getByLabel(`x ${index + 1}`), 'Shift+Tab');
				await type(side.getByLabel(`x ${index + 1}`), x);
				await type(side.getByLabel(`y ${index + 1}`), y);
			}
			await bind(pipe.varId, pipe.bit);
			if (pipe.isThin) {
				await focusByKey(side.getByLabel(/^Thin line/));
				await press('Space');
			}
			await focusByKey(area, 'Shift+Tab');
		}
		await press('Control+s');
		const saved = await save(page, 'By keys');
		const { items, shapes, pipes, ratio } = drawnOf(saved);
		const original = drawnOf(demo);
		expect(ratio).toBe(original.ratio);
		expect(items).toEqual(original.items);
		expect(shapes).toEqual(original.shapes);
		expect(withinOf(pipes, original.pipes, 1e-6)).toEqual(original.pipes);
	});

	const small = {
		ratio: 1.6,
		items: [{ varId: 4, kind: 'tank', x: 0.2, y: 0.5, w: 0.1, h: 0.2, label: 'Left', key: 'a' }],
		shapes: [
			{ kind: 'tank', x: 0.5, y: 0.5, w: 0.1, h: 0.2, label: 'Middle', key: 'b' },
			{ kind: 'join', x: 0.8, y: 0.8, key: 'c' },
		],
		pipes: [{ from: ['a', 'right'], to: ['b', 'left'], via: [[0.35, 0.5]] }],
	};

	test('several are chosen, moved, copied and pasted with their pipes, and every step is undone', async () => {
		const id = await create({ ...small, title: 'Several' });
		const { page, area, side } = await open({ route: `/diagram/${id}` });
		await edit(page);
		const entry = (name: string) => page.locator('.editing button', { hasText: name });
		const counts = () =>
			page
				.locator('.drawn-list')
				.getByText(/of 500 drawn/)
				.innerText();
		await entry('Left').click({ position: { x: 40, y: 25 } });
		await entry('Middle').click({ position: { x: 40, y: 25 }, modifiers: ['Shift'] });
		await side.getByRole('heading', { name: '2 chosen' }).waitFor();
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('Control+c');
		await page.keyboard.press('Control+v');
		await expect.poll(counts).toContain('1 of 48 variables · 7 of 500 drawn');
		await page.keyboard.press('Control+s');
		await page.getByText('not saved yet').waitFor({ state: 'detached' });
		const saved = await stored('Several');
		expect(saved.items.map(({ x, y, key }) => [x, y, key])).toEqual([
			[0.2, 0.51, 'a'],
			[0.23, 0.54, 't1'],
		]);
		expect(saved.pipes).toEqual([
			{ from: ['a', 'right'], to: ['b', 'left'], via: [[0.35, 0.51]] },
			{ from: ['t1', 'right'], to: ['t2', 'left'], via: [[0.38, 0.54]] },
		]);
		await area.focus();
		await page.keyboard.press('Control+a');
		await page.keyboard.press('Delete');
		await expect.poll(counts).toContain('0 of 500 drawn');
		await expectFocus(page);
		await page.keyboard.press('Control+z');
		await expect.poll(counts).toContain('7 of 500 drawn');
		await page.keyboard.press('Control+y');
		await expect.poll(counts).toContain('0 of 500 drawn');
		await page.keyboard.press('Control+z');
		await page.getByText('not saved yet').waitFor({ state: 'detached' });
		// What was held was removed, so the next symbol with the focus is chosen.
		await entry('Left').first().focus();
		await page.locator('.editing button[aria-pressed=true]', { hasText: 'Left' }).waitFor();
		// A symbol goes with its pipes.
		await entry('Middle')
			.last()
			.click({ position: { x: 40, y: 25 } });
		await page.keyboard.press('Delete');
		await expect.poll(counts).toContain('5 of 500 drawn');
	});

	const svg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 10">${content}</svg>`;

	test.each([
		['not shown', svg('<pattern id="p"><rect fill="url(#p)"/></pattern><rect fill="url(#p)" width="16" height="10"/>')],
		['shown without its script', svg('<script/><rect width="16" height="10" fill="#ccd"/>')],
	] as const)(
		'a stored drawing that is refused now is %s, and a symbol above it is moved, saved and restored',
		async (shown, background) => {
			const id = await create({ ...small, title: `Drawing ${shown}` });
			await leaveBackground(target.store, 'plant_a', id, background);
			const { page } = await open({ route: `/diagram/${id}` });
			const notice = page.getByText('The background is not shown: it is not a picture, or takes too long to draw.');
			const image = page.locator('.drawing > img');
			const expectShown = async () => {
				await (shown === 'not shown' ? notice : image).first().waitFor();
				expect([await notice.count(), await image.count()]).toEqual(shown === 'not shown' ? [1, 0] : [0, 1]);
			};
			await expectShown();
			await edit(page);
			await expectShown();
			await page.locator('.editing button', { hasText: 'Left' }).click({ position: { x: 40, y: 25 } });
			await page.keyboard.press('ArrowDown');
			await page.keyboard.press('Control+s');
			await page.getByText('not saved yet').waitFor({ state: 'detached' });
			await expectFocus(page);
			expect(await stored(`Drawing ${shown}`)).toMatchObject({ version: 2, background, items: [{ x: 0.2, y: 0.51 }] });
			await expectShown();
			// Versions are saved by the same request.
			await page.getByRole('button', { name: 'Changes', exact: true }).click();
			const history = page.getByRole('region', { name: 'Changes' });
			await history.getByRole('grid').locator('tr[tabindex]').first().click();
			await history.getByRole('button', { name: 'Restore version 1…' }).click();
			await page.getByRole('dialog').getByRole('button', { name: 'Restore as version 3' }).click();
			await expect.poll(async () => (await stored(`Drawing ${shown}`)).version).toBe(3);
			expect(await stored(`Drawing ${shown}`)).toMatchObject({ background, items: [{ x: 0.2, y: 0.5 }] });
		},
	);

	test('a tank of metres has water only with a scale, and a new one is said to need both of its values', async () => {
		const id = await create({ ...small, title: 'Scale' });
		const { page, side } = await open({ route: `/diagram/${id}` });
		const water = page.locator('.drawing .d-water, .drawing .d-surface, .drawing .d-scale');
		await page.locator('.drawing .d-plate .value').waitFor();
		expect(await water.count()).toBe(0);
		await edit(page);
		await page.locator('.editing button', { hasText: 'Left' }).click({ position: { x: 40, y: 25 } });
		await side.getByText('No level is drawn without both.').waitFor();
		expect(await side.getByLabel('Full at, m').inputValue()).toBe('');
		await side.getByLabel('Full at, m').fill('4');
		await side.getByText('No level is drawn without both.').waitFor();
		expect(await water.count()).toBe(0);
		await side.getByLabel('Empty at, m').fill('0');
		await page.locator('.editing .d-water').waitFor();
		await page.getByRole('button', { name: 'Discard' }).click();
	});

	test('a pump of a number is on or off, its size is its width, and removing it leads to the drawing', async () => {
		const id = await create({
			title: 'Pump',
			items: [{ varId: 4, kind: 'pump', x: 0.3, y: 0.5, w: 0.06, label: 'Lift', key: 'p' }],
		});
		const { page, area, side } = await open({ route: `/diagram/${id}` });
		await page.locator('.drawing').getByText('Running').waitFor();
		await edit(page);
		const pump = page.locator('.editing button', { hasText: 'Lift' });
		await pump.getByText('Running').waitFor();
		await page.locator('.drawn-list').getByText('Running').waitFor();
		await pump.focus();
		await page.keyboard.press('Control+ArrowRight');
		await page.getByText('Lift: 0.07 wide', { exact: true }).waitFor();
		await side.getByRole('button', { name: 'Remove from the diagram' }).click();
		await expectFocusOn(area);
		await page.getByRole('button', { name: 'Discard' }).click();
	});

	test('a rectangle chooses, a corner sizes, and a pipe is turned round', async () => {
		const id = await create({ ...small, title: 'Corners' });
		const { page, area, side } = await open({ route: `/diagram/${id}` });
		await edit(page);
		const box = await area.boundingBox();
		if (box === null) throw new Error('There is no drawing.');
		const drag = async (from: Point, to: Point) => {
			await page.mouse.move(box.x + from[0] * box.width, box.y + from[1] * box.height);
			await page.mouse.down();
			await page.mouse.move(box.x + to[0] * box.width, box.y + to[1] * box.height, { steps: 4 });
			await page.mouse.up();
		};
		await drag([0.05, 0.2], [0.65, 0.75]);
		await side.getByRole('heading', { name: '2 chosen' }).waitFor();
		await page.locator('.editing button', { hasText: 'Middle' }).click({ position: { x: 40, y: 25 } });
		await page.keyboard.press('Escape');
		await page.locator('.editing button', { hasText: 'Middle' }).click({ position: { x: 40, y: 25 } });
		await drag([0.55, 0.6], [0.6, 0.7]);
		expect(
			await Promise.all(['x', 'y', 'Width', 'Height'].map((label) => side.getByLabel(label, { exact: true }).inputValue())),
		).toEqual(['0.525', '0.55', '0.15', '0.3']);
		await page.getByRole('radio', { name: 'Pipes 1' }).check();
		await page.getByRole('row').filter({ hasText: 'Left, right → Middle, left' }).click();
		await side.getByRole('button', { name: 'Turn round' }).click();
		await page.getByRole('row').filter({ hasText: 'Middle, left → Left, right' }).waitFor();
		await side.getByRole('button', { name: 'Turn round' }).click();
		await page.getByRole('row').filter({ hasText: 'Left, right → Middle, left' }).waitFor();
		await page.keyboard.press('Control+z');
		await page.getByRole('row').filter({ hasText: 'Middle, left → Left, right' }).waitFor();
		await page.keyboard.press('Control+s');
		await page.getByText('not saved yet').waitFor({ state: 'detached' });
		expect((await stored('Corners')).pipes).toEqual([{ from: ['b', 'left'], to: ['a', 'right'], via: [[0.35, 0.5]] }]);
	});

	test('a full drawing takes nothing more, and an empty one begins with the plant', async () => {
		const joins = Array.from({ length: 499 }, (_, index) => ({
			kind: 'join',
			x: (index % 25) / 25,
			y: Math.floor(index / 25) / 20,
		}));
		const id = await create({ title: 'Full', shapes: joins });
		const { page, area } = await open({ route: `/diagram/${id}` });
		await edit(page);
		const tank = page.getByRole('button', { name: 'Tank', exact: true });
		expect(await tank.isDisabled()).toBe(false);
		await area.focus();
		await page.keyboard.press('j');
		await page.keyboard.press('Enter');
		await page.getByText('500 of 500 drawn').waitFor();
		expect(await tank.isDisabled()).toBe(true);
		const empty = await open({ route: '/diagram/new' });
		await empty.page.getByRole('button', { name: /^A frame for each process/ }).click();
		await expectFocus(empty.page);
		const frames = await empty.page.locator('.editing .d-frame').count();
		expect(frames).toBeGreaterThan(2);
		await empty.page.keyboard.press('Control+z');
		await empty.page.getByRole('button', { name: /^The pumps and states of the panel/ }).click();
		await empty.page.locator('.editing .d-pump').first().waitFor();
		await empty.page.getByRole('button', { name: 'Discard' }).click();
	});

	test('what edits is loaded with the first edit', async () => {
		const requested: string[] = [];
		const { page } = await open({ route: '/diagram' });
		page.on('request', (request) => requested.push(request.url()));
		await page.locator('.drawing').waitFor();
		expect(requested.filter((url) => url.includes('edited-diagram'))).toEqual([]);
		await edit(page);
		expect(requested.filter((url) => url.includes('edited-diagram'))).toHaveLength(1);
	});

	test.each(wideLooks)('has no fault of accessibility in %s, %s, with each form', async (language, theme) => {
		const id = await create({ ...small, title: 'Access' });
		const { page, area, expectAccessible } = await open({ route: `/diagram/${id}`, language, theme });
		await page.getByRole('radio', { name: language === 'en' ? 'Edit' : 'Editar' }).check();
		await area.waitFor();
		await expectAccessible();
		await area.focus();
		await page.keyboard.press('Tab');
		await page.locator('.edit-outline').waitFor();
		await expectAccessible();
		await page.keyboard.press('l');
		await page.locator('.edit-start').waitFor({ state: 'attached' });
		await expectAccessible();
		await page.keyboard.press('Tab');
		await page.keyboard.press('Enter');
		await page.locator('.edit-chosen').first().waitFor({ state: 'attached' });
		await expectAccessible();
		await page.keyboard.press('Escape');
		await page.keyboard.press('d');
		await expectAccessible();
	});
});
