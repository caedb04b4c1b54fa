import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boardOf, completeBoard, parseBoard, referencesOf, withoutVariable } from '#domain/board/board.ts';
import type { Diagram } from '#domain/board/diagram.ts';
import { diagramItemKinds, shapeKinds, symbolKinds } from '#domain/board/symbol-kinds.ts';
import { anyDiagram, makeDiagramBody, smallDiagram } from '#test/support/builders/diagrams.ts';
import { issuesOf } from '#test/support/validation-issues.ts';
import { readVectors } from '#test/support/vectors.ts';

/** The fields of a diagram beside its id and title, and the paths of its issues. */
interface DiagramVector {
	readonly reason: string;
	readonly diagram: object;
	readonly refused: readonly string[];
}

const vectors = readVectors<DiagramVector>('diagrams');
const pathsIn = (input: unknown) => Object.keys(issuesOf(() => parseBoard('diagram', input))).toSorted();
const many = <Entry>(count: number, entryOf: (index: number) => Entry) =>
	Array.from({ length: count }, (_, index) => entryOf(index));
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('parseBoard of a diagram', () => {
	test.each(vectors)('$reason: issues at $refused', ({ diagram, refused }) => {
		const issues = issuesOf(() => parseBoard('diagram', makeDiagramBody(diagram)));
		expect(Object.keys(issues).toSorted()).toEqual(refused);
		for (const message of Object.values(issues)) expect(message).toMatch(/^[A-Z].*\.$/s);
	});

	test('returns what was sent', () => {
		fc.assert(
			fc.property(anyDiagram, (diagram) => {
				expect(plain(parseBoard('diagram', diagram))).toEqual(plain(diagram));
			}),
		);
	});

	test('counts items, shapes and pipes together', () => {
		const item = { varId: 1, x: 0, y: 0 };
		const join = (index: number) => ({ kind: 'join', key: `k${index}`, x: 0, y: 0 });
		const pipe = { from: ['k0', 'left'], to: ['k1', 'left'] };
		const body = (items: number, shapes: number, pipes: number) =>
			makeDiagramBody({ items: many(items, () => item), shapes: many(shapes, join), pipes: many(pipes, () => pipe) });
		expect(pathsIn(body(200, 200, 100))).toEqual([]);
		expect(issuesOf(() => parseBoard('diagram', body(201, 200, 100)))).toEqual({
			request: 'At most 500 items, shapes and pipes; this has 501.',
		});
		expect(pathsIn(body(0, 2, 501))).toEqual(['pipes']);
		expect(pathsIn(body(501, 501, 0))).toEqual(['items', 'shapes']);
	});

	test('counts the variables of pipes, too', () => {
		const shapes = [{ kind: 'join', key: 'a', x: 0, y: 0 }];
		const pipeOf = (varId: number) => ({ from: ['a', 'left'], to: ['a', 'top'], varId });
		const body = (pipes: number) =>
			makeDiagramBody({
				items: many(24, (i) => ({ varId: i + 1, x: 0, y: 0 })),
				shapes,
				pipes: many(pipes, (i) => pipeOf(i + 25)),
			});
		expect(pathsIn(body(24))).toEqual([]);
		expect(issuesOf(() => parseBoard('diagram', body(25)))).toEqual({
			request: 'At most 48 different variables; this refers to 49.',
		});
	});

	test('limits a background by its bytes', () => {
		expect(pathsIn(makeDiagramBody({ background: 'é'.repeat(100_000) }))).toEqual([]);
		expect(pathsIn(makeDiagramBody({ background: `${'é'.repeat(100_000)}x` }))).toEqual(['background']);
		expect(pathsIn(makeDiagramBody({ background: '\ud83d' }))).toEqual(['background']);
	});

	test('names each kind once in its table', () => {
		expect(Object.keys(symbolKinds).toSorted()).toEqual([...new Set([...diagramItemKinds, ...shapeKinds])].toSorted());
	});
});

describe('referencesOf a diagram', () => {
	test('are those of its items and pipes, by their paths', () => {
		const diagram = parseBoard('diagram', makeDiagramBody(smallDiagram));
		expect(referencesOf(boardOf('diagram', diagram))).toEqual([
			{ path: 'items.0', varId: 4, bit: undefined },
			{ path: 'items.1', varId: 18, bit: 3 },
			{ path: 'items.2', varId: 4, bit: undefined },
			{ path: 'pipes.0', varId: 4, bit: undefined },
			{ path: 'pipes.1', varId: 18, bit: 5 },
		]);
	});
});

describe('a diagram without a variable', () => {
	test('loses its values, and keeps its symbols as shapes and its pipes without a variable', () => {
		const diagram = parseBoard('diagram', makeDiagramBody(smallDiagram));
		const { items, shapes, pipes, ...rest } = smallDiagram;
		expect(plain(withoutVariable(boardOf('diagram', diagram), 4))).toEqual({
			...makeDiagramBody(rest),
			items: [items[1]],
			shapes: [
				...shapes,
				{ key: 'raw', kind: 'tank', x: 0.2, y: 0.3, w: 0.1, h: 0.2, scale: [0, 4], label: 'Raw', words: 'above' },
			],
			pipes: [{ from: ['riv', 'top', 0.2], to: ['raw', 'left'], via: [[0.1, 0.3]], thin: true }, pipes[1], pipes[2]],
		});
	});

	test('of before has no fields that it did not have', () => {
		const diagram = parseBoard('diagram', {
			id: 1,
			title: 'D',
			items: [
				{ varId: 4, x: 0, y: 0 },
				{ varId: 5, x: 0, y: 0 },
			],
		});
		expect(withoutVariable(boardOf('diagram', diagram), 4)).toStrictEqual({
			id: 1,
			title: 'D',
			items: [{ varId: 5, x: 0, y: 0 }],
		});
	});

	test('is a diagram that can be saved, does not refer to it, and has every key and pipe that it had', () => {
		let deleted = 0;
		fc.assert(
			fc.property(anyDiagram, fc.integer({ min: 1, max: 4 }), (raw, varId) => {
				const diagram = parseBoard('diagram', raw);
				const left = withoutVariable(boardOf('diagram', diagram), varId);
				if (left === null) return expect.unreachable();
				expect(parseBoard('diagram', plain(left))).toEqual(plain(left));
				const before = referencesOf(boardOf('diagram', diagram));
				deleted += before.length - referencesOf(boardOf('diagram', left)).length;
				expect(referencesOf(boardOf('diagram', left)).length).toBe(before.filter((each) => each.varId !== varId).length);
				expect(referencesOf(boardOf('diagram', left)).every((each) => each.varId !== varId)).toBe(true);
				expect(keysOf(left).toSorted()).toEqual(keysOf(diagram).toSorted());
				expect(left.pipes?.map(({ from, to, via }) => ({ from, to, via }))).toEqual(
					diagram.pipes?.map(({ from, to, via }) => ({ from, to, via })),
				);
			}),
		);
		expect(deleted).toBeGreaterThan(0);
	});
});

const keysOf = ({ items, shapes }: Diagram): readonly string[] => [...items, ...(shapes ?? [])].flatMap(({ key }) => key ?? []);

describe('a saved diagram', () => {
	const background = '<svg xmlns="http://www.w3.org/2000/svg"/>';
	const stored = boardOf('diagram', parseBoard('diagram', makeDiagramBody({ ...smallDiagram, ratio: 1.6, background })));
	const save = (fields: object) =>
		plain(completeBoard(boardOf('diagram', parseBoard('diagram', makeDiagramBody(fields))), stored).content);

	test('keeps what a client of before does not send', () => {
		const moved = smallDiagram.items.map((item) => ({ ...item, x: 0.9 }));
		expect(save({ items: moved })).toEqual({ ...makeDiagramBody({ ...smallDiagram, ratio: 1.6, background }), items: moved });
	});

	test('loses what is sent as null', () => {
		expect(save({ items: [], ratio: null, shapes: null, pipes: null, background: null })).toEqual(makeDiagramBody({ items: [] }));
	});

	test('refuses to remove a symbol of a pipe that it keeps, and names the end of the pipe', () => {
		const boxes = smallDiagram.items.map(({ varId, x, y }) => ({ varId, x, y }));
		expect(Object.keys(issuesOf(() => save({ items: boxes }))).toSorted()).toEqual([
			'pipes.0.to',
			'pipes.1.from',
			'pipes.1.to',
			'pipes.2.from',
		]);
		expect(issuesOf(() => save({ items: boxes }))['pipes.0.to']).toBe(
			'There is no symbol with the key raw: draw the pipe to one that exists.',
		);
	});

	test('counts the variables of what it keeps', () => {
		const items = [...smallDiagram.items, ...many(47, (index) => ({ varId: index + 100, x: 0, y: 0 }))];
		expect(issuesOf(() => save({ items }))).toEqual({ request: 'At most 48 different variables; this refers to 49.' });
	});
});
