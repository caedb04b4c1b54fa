import fc from 'fast-check';
import { expect, test } from 'vitest';
import { itemsOf, parsePanel } from '#domain/panel/panel.ts';
import { issuesOf } from '#test/support/validation-issues.ts';
import { readVectors } from '#test/support/vectors.ts';

interface PanelVector {
	readonly reason: string;
	readonly json: string;
	/** The paths of the issues; none when the panel is valid. */
	readonly keys: readonly string[];
}

const vectors = readVectors<PanelVector>('panels');

test.each(vectors)('parsePanel, issues at $keys: $reason', ({ json, keys }) => {
	expect(Object.keys(issuesOf(() => parsePanel(JSON.parse(json)))).sort()).toStrictEqual(keys);
});

const pump = { id: 1, name: 'Pump 1', varId: 3, type: 'pump' };
const valve = { id: 1, name: 'Valve', varId: 4, type: 'status', bit: 5 };

test('drops unknown fields', () => {
	const sent = { title: 'Station', pumps: [{ ...pump, value: 1, unit: null }], states: [valve], version: 2 };
	expect(parsePanel(sent)).toStrictEqual({ title: 'Station', pumps: [pump], states: [valve] });
});

test('takes null in an optional field for an absent field', () => {
	const panel = parsePanel({ title: 'Station', pumps: [{ ...pump, bit: null }], states: null });
	expect(JSON.parse(JSON.stringify(panel))).toStrictEqual({ title: 'Station', pumps: [pump], states: [] });
});

const items = (count: number, type: 'pump' | 'status', first = 1) =>
	Array.from({ length: count }, (_, index) => ({ id: index, name: 'Item', varId: first + index, type }));
const keysOf = (input: unknown): readonly string[] => Object.keys(issuesOf(() => parsePanel(input))).sort();

test('accepts 90 variables of pumps and states together and rejects 91', () => {
	const panel = { title: 'Station', pumps: items(60, 'pump'), states: items(30, 'status', 61) };
	expect(keysOf(panel)).toStrictEqual([]);
	expect(keysOf({ ...panel, states: items(31, 'status', 61) })).toStrictEqual(['request']);
	expect(keysOf({ ...panel, states: items(90, 'status') })).toStrictEqual([]);
});

test('reports too many variables together with other issues', () => {
	const [first, ...others] = items(91, 'pump');
	expect(keysOf({ title: '', pumps: [{ ...first, name: '' }, ...others] })).toStrictEqual(['pumps.0.name', 'request', 'title']);
});

test('accepts a title and names of at most 1000 characters', () => {
	const named = (title: string) => ({ title, pumps: [{ ...pump, name: title }] });
	expect(keysOf(named('😀'.repeat(1000)))).toStrictEqual([]);
	expect(keysOf(named('😀'.repeat(1001)))).toStrictEqual(['pumps.0.name', 'title']);
});

test('reports every independent issue at once', () => {
	const invalid = {
		id: [null, '1', {}],
		name: ['', 5],
		varId: [0, 1.5, null, '3'],
		type: ['Pump', null, 'valve'],
		bit: [8, -1, '0'],
	};
	const item = fc.record(
		Object.fromEntries(Object.entries(invalid).map(([key, values]) => [key, fc.constantFrom<unknown>(...values)])),
		{ requiredKeys: [] },
	);
	const title = fc.constantFrom<unknown>('Station', '', 5, null);
	fc.assert(
		fc.property(title, fc.array(item, { maxLength: 3 }), fc.array(item, { maxLength: 3 }), (sentTitle, pumps, states) => {
			const paths = [
				...(sentTitle === 'Station' ? [] : ['title']),
				...pumps.flatMap((changes, index) => Object.keys(changes).map((key) => `pumps.${index}.${key}`)),
				...states.flatMap((changes, index) => Object.keys(changes).map((key) => `states.${index}.${key}`)),
				...(pumps.length + states.length === 0 ? ['request'] : []),
			];
			const sent = {
				title: sentTitle,
				pumps: pumps.map((changes, id) => ({ ...pump, id, ...changes })),
				states: states.map((changes, id) => ({ ...valve, id, ...changes })),
			};
			expect(keysOf(sent)).toStrictEqual(paths.sort());
		}),
	);
});

test('reads an absent list as empty', () => {
	expect(parsePanel({ title: 'Station', pumps: [pump] })).toStrictEqual({ title: 'Station', pumps: [pump], states: [] });
});

test('does not share the default list between panels', () => {
	const [first, second] = [parsePanel({ title: 'a', pumps: [pump] }), parsePanel({ title: 'b', pumps: [pump] })];
	expect(first.states).not.toBe(second.states);
});

test('itemsOf returns the paths that issues about the items have', () => {
	const panel = parsePanel({ title: 'Station', pumps: [pump, { ...pump, id: 2 }], states: [valve] });
	expect(itemsOf(panel).map(({ path, item }) => [path, item.id])).toStrictEqual([
		['pumps.0', 1],
		['pumps.1', 2],
		['states.0', 1],
	]);
});

test('parses a valid panel again to the same panel', () => {
	for (const { json, keys } of vectors) {
		if (keys.length > 0) continue;
		const panel = parsePanel(JSON.parse(json));
		expect(parsePanel(JSON.parse(JSON.stringify(panel)))).toEqual(panel);
	}
});

test('rejects any other input with issues only', () => {
	const item = fc.oneof(
		fc.jsonValue({ maxDepth: 1 }),
		fc.constant({ ...pump }),
		fc.record({ id: fc.double(), varId: fc.double() }),
	);
	const list = fc.oneof(fc.array(item, { maxLength: 4 }), fc.jsonValue({ maxDepth: 1 }));
	const body = fc.oneof(
		fc.jsonValue(),
		fc.record({ title: fc.oneof(fc.string(), fc.jsonValue({ maxDepth: 0 })), pumps: list, states: list }, { requiredKeys: [] }),
	);
	fc.assert(fc.property(body, (sent) => void issuesOf(() => parsePanel(sent))));
});

test('accepts 1000 pumps and 1000 states, and refuses one more without looking at them', () => {
	const items = (count: number, type: string) =>
		Array.from({ length: count }, (_, id) => ({ id, name: 'n', varId: (id % 90) + 1, type }));
	const body = { title: 'Station', pumps: items(1000, 'pump'), states: items(1000, 'status') };
	expect(issuesOf(() => parsePanel(body))).toEqual({});
	expect(issuesOf(() => parsePanel({ ...body, pumps: Array(1001).fill({}), states: Array(1001).fill({ varId: 1 }) }))).toEqual({
		pumps: 'At most 1000 pumps; this has 1001.',
		states: 'At most 1000 states; this has 1001.',
	});
});
