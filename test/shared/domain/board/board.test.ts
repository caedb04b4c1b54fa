import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Alarm } from '#domain/board/alarm.ts';
import { boardName, boardOf, boardWithId, parseBoard, referencesOf, withoutVariable } from '#domain/board/board.ts';
import { type BoardKind, boardKinds } from '#domain/board/board-kinds.ts';
import { isActive } from '#domain/board/condition.ts';
import { bitsByVariable } from '#domain/board/reference.ts';
import { issuesOf } from '#test/support/validation-issues.ts';
import { readVectors } from '#test/support/vectors.ts';

/** The raw text of a board, and the paths of its issues. */
interface BoardVector {
	readonly kind: BoardKind;
	readonly reason: string;
	readonly json: string;
	readonly refused: readonly string[];
}

const vectors = readVectors<BoardVector>('boards');
const pathsIn = (kind: BoardKind, input: unknown): readonly string[] =>
	Object.keys(issuesOf(() => parseBoard(kind, input))).toSorted();

const makeChart = (varIds: readonly number[]) => ({ id: 1, title: 'Flows', series: varIds.map((varId) => ({ varId })) });
const makeDiagram = (varIds: readonly number[]) => ({
	id: 1,
	title: 'Plant',
	items: varIds.map((varId) => ({ varId, x: 0, y: 1 })),
});
const makeAlarm = (overrides: Partial<Alarm> = {}): Alarm => ({
	id: 1,
	name: 'Overflow',
	varId: 3,
	condition: '>',
	threshold: 5,
	severity: 'warning',
	message: 'Full.',
	...overrides,
});
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

describe('parseBoard', () => {
	test.each(vectors)('$kind with issues at $refused: $reason', ({ kind, json, refused }) => {
		const issues = issuesOf(() => parseBoard(kind, JSON.parse(json)));
		expect(Object.keys(issues).toSorted()).toEqual(refused);
		for (const message of Object.values(issues)) expect(message).toMatch(/^[A-Z].*\.$/s);
	});

	test('takes null in an optional field for an absent field', () => {
		const item = { varId: 1, x: 0, y: 1, label: null, bit: null };
		const diagram = parseBoard('diagram', { id: 1, title: 'D', items: [item] });
		expect(JSON.parse(JSON.stringify(diagram))).toStrictEqual({ id: 1, title: 'D', items: [{ varId: 1, x: 0, y: 1 }] });
		const chart = parseBoard('chart', { id: 1, title: 'C', series: [{ varId: 1, label: null, color: null }] });
		expect(JSON.parse(JSON.stringify(chart))).toStrictEqual({ id: 1, title: 'C', series: [{ varId: 1 }] });
	});

	test('parses a valid board again to the same board, without unknown fields', () => {
		for (const { kind, json, refused } of vectors) {
			if (refused.length > 0) continue;
			const board = parseBoard(kind, JSON.parse(json));
			expect(parseBoard(kind, JSON.parse(JSON.stringify(board)))).toEqual(board);
			expect(JSON.stringify(board)).not.toMatch(/__proto__|constructor|toString|version/);
		}
	});

	test.each([
		['chart', 'series', makeChart],
		['diagram', 'items', makeDiagram],
	] as const)('%s: accepts 500 %s of 48 variables', (kind, list, make) => {
		const items = (count: number) => upTo(count).map((each) => (each % 48) + 1);
		expect(pathsIn(kind, make(items(500)))).toEqual([]);
		expect(pathsIn(kind, make(items(501)))).toEqual([list]);
		expect(pathsIn(kind, make(upTo(48)))).toEqual([]);
		expect(pathsIn(kind, make(upTo(49)))).toEqual(['request']);
		expect(pathsIn(kind, make(upTo(501)))).toEqual([list]);
	});

	test.each([
		['chart', 'series', makeChart],
		['diagram', 'items', makeDiagram],
	] as const)('%s: reports too many %s together with other issues, and does not look at them', (kind, list, make) => {
		const items = [null, ...upTo(501).map((varId) => ({ varId, x: 0, y: 0 }))];
		expect(pathsIn(kind, { ...make([]), title: '', [list]: items })).toEqual([list, 'title'].toSorted());
		expect(pathsIn(kind, { ...make([]), title: '', [list]: items.slice(0, 50) })).toEqual(
			[`${list}.0`, 'request', 'title'].toSorted(),
		);
	});

	test('does not apply the limits of one kind to another', () => {
		expect(pathsIn('chart', { ...makeChart([1]), items: upTo(49).map((varId) => ({ varId })) })).toEqual([]);
		expect(pathsIn('alarm', { ...makeAlarm(), series: upTo(501).map((varId) => ({ varId })) })).toEqual([]);
	});

	test.each([
		[
			'chart',
			'title',
			'series.0.label',
			(text: string) => ({ ...makeChart([]), title: text, series: [{ varId: 1, label: text }] }),
		],
		[
			'diagram',
			'items.0.label',
			'title',
			(text: string) => ({ id: 1, title: text, items: [{ varId: 1, x: 0, y: 0, label: text }] }),
		],
		['alarm', 'message', 'name', (text: string) => makeAlarm({ name: text, message: text })],
	] as const)('%s: accepts texts of at most 1000 characters', (kind, first, second, make) => {
		expect(pathsIn(kind, make('😀'.repeat(1000)))).toEqual([]);
		expect(pathsIn(kind, make('😀'.repeat(1001)))).toEqual([first, second].toSorted());
	});

	test.each(boardKinds)('%s: rejects any JSON with issues only', (kind) => {
		const fields = ['id', 'title', 'name', 'series', 'items', 'varId', 'bit', 'condition', 'threshold', 'severity', 'message'];
		const item = fc.oneof(
			fc.jsonValue({ maxDepth: 0 }),
			fc.dictionary(fc.constantFrom('varId', 'x', 'y', 'label'), fc.jsonValue({ maxDepth: 1 })),
		);
		const likely = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.array(item));
		fc.assert(
			fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...fields), likely)), (input) => {
				pathsIn(kind, input);
			}),
			{ numRuns: 300 },
		);
	});

	test('rejects a board with one changed value with issues only, or returns a board that parses again', () => {
		let accepted = 0;
		const valid = vectors.filter(({ refused }) => refused.length === 0);
		const replacement = fc.oneof(
			fc.jsonValue({ maxDepth: 1 }),
			fc.constantFrom<unknown>(Number.POSITIVE_INFINITY, -0, 2 ** 53, '', '\ud83d', '==', 'info', 0.5),
		);
		fc.assert(
			fc.property(fc.constantFrom(...valid), fc.nat({ max: 14 }), replacement, ({ kind, json }, place, value) => {
				let index = 0;
				const changed: unknown = JSON.parse(json, (_, each: unknown) => {
					index += 1;
					return index === place + 1 ? value : each;
				});
				if (pathsIn(kind, changed).length > 0) return;
				accepted += 1;
				const board = parseBoard(kind, changed);
				expect(parseBoard(kind, JSON.parse(JSON.stringify(board)))).toEqual(board);
			}),
			{ numRuns: 1000 },
		);
		expect(accepted).toBeGreaterThan(0);
	});

	test('reports every independent issue at once', () => {
		const invalid = {
			id: [-1, 1.5, '1', null],
			name: ['', 5],
			varId: [0, 1.5, null],
			bit: [8, -1, 'x'],
			condition: ['=', null],
			threshold: ['5', null],
			severity: ['bad', 1],
			message: ['', {}],
		};
		const changes = fc.record(
			Object.fromEntries(Object.entries(invalid).map(([key, values]) => [key, fc.constantFrom<unknown>(...values)])),
			{ requiredKeys: [] },
		);
		fc.assert(
			fc.property(changes, (changed) => {
				expect(pathsIn('alarm', { ...makeAlarm(), ...changed })).toEqual(Object.keys(changed).toSorted());
			}),
		);
	});
});

describe('referencesOf, bitsByVariable and withoutVariable', () => {
	const chart = boardOf('chart', makeChart([3, 4, 3]));
	const diagram = boardOf(
		'diagram',
		parseBoard('diagram', {
			id: 1,
			title: 'Plant',
			items: [
				{ varId: 3, x: 0, y: 0, bit: 7 },
				{ varId: 4, x: 0, y: 0 },
				{ varId: 3, x: 0, y: 0, bit: 0 },
				{ varId: 3, x: 0, y: 0, bit: 7 },
				{ varId: 3, x: 0, y: 0 },
			],
		}),
	);
	const alarm = boardOf('alarm', makeAlarm({ bit: 2 }));

	test('return every item with the path that an issue about it has', () => {
		expect(referencesOf(chart)).toEqual([
			{ path: 'series.0', varId: 3 },
			{ path: 'series.1', varId: 4 },
			{ path: 'series.2', varId: 3 },
		]);
		expect(referencesOf(diagram)[2]).toEqual({ path: 'items.2', varId: 3, bit: 0 });
		expect(referencesOf(alarm)).toEqual([{ path: '', varId: 3, bit: 2 }]);
	});

	test('return every variable once, with its bits ascending', () => {
		expect([...bitsByVariable(referencesOf(diagram))]).toEqual([
			[3, [0, 7]],
			[4, []],
		]);
		expect([...bitsByVariable([])]).toEqual([]);
	});

	test('remove a deleted variable from charts and diagrams, and delete its alarms', () => {
		expect(withoutVariable(chart, 3)).toEqual(makeChart([4]));
		expect(withoutVariable(boardOf('chart', makeChart([3])), 3)).toEqual(makeChart([]));
		expect(withoutVariable(diagram, 3)).toEqual({ id: 1, title: 'Plant', items: [{ varId: 4, x: 0, y: 0 }] });
		expect(withoutVariable(chart, 9)).toEqual(chart.content);
		expect(withoutVariable(alarm, 3)).toBeNull();
	});

	test('boardName returns the title or the name', () => {
		expect([chart, diagram, alarm].map((board) => boardName(board))).toEqual(['Flows', 'Plant', 'Overflow']);
	});

	test('boardWithId changes the id of a copy', () => {
		expect(boardWithId(chart, 9)).toEqual({ kind: 'chart', content: { ...chart.content, id: 9 } });
		expect(chart.content.id).toBe(1);
	});
});

describe('isActive', () => {
	/** Whether each condition holds for a value below, at and above the threshold. */
	const table = {
		'>': [false, false, true],
		'>=': [false, true, true],
		'<': [true, false, false],
		'<=': [true, true, false],
		'==': [false, true, false],
		'!=': [true, false, true],
	} as const satisfies Readonly<Record<Alarm['condition'], readonly boolean[]>>;
	const conditions: readonly Alarm['condition'][] = ['>', '>=', '<', '<=', '==', '!='];

	test.each(conditions)('%s holds below, at and above the threshold as in the table', (condition) => {
		for (const [below, threshold, above] of [
			[-1, 0, 1],
			[-5e-324, 0, 5e-324],
			[4.999999999999999, 5, 5.000000000000001],
			[-1e308, -1e307, 1e308],
		] as const)
			expect([below, threshold, above].map((value) => isActive(makeAlarm({ condition, threshold }), value))).toEqual(
				table[condition],
			);
	});

	test.each(conditions)('%s treats -0 as 0', (condition) => {
		expect(isActive(makeAlarm({ condition, threshold: 0 }), -0)).toBe(table[condition][1]);
	});

	test('follows the table for any value', () => {
		const number = fc.double({ noNaN: true, noDefaultInfinity: true });
		fc.assert(
			fc.property(fc.constantFrom(...conditions), number, fc.option(number), (condition, threshold, other) => {
				const value = other ?? threshold;
				const side = value - threshold === 0 ? 1 : value - threshold < 0 ? 0 : 2;
				expect(isActive(makeAlarm({ condition, threshold }), value)).toBe(table[condition][side]);
			}),
		);
	});
});
