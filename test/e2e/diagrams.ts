import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeBitsBody, makeBody } from '#test/support/builders/builders.ts';
import { errorEntry } from '#test/support/error-entry.ts';
import { type CallOptions, call, callOk, signIn, type Target } from './target.ts';

/** Drawings of the process (shared/domain/board/DIAGRAM.md). */
export const diagramsSuite = (target: () => Target): void => {
	describe('diagrams', () => {
		let token: string;
		let level: number;
		let byte: number;
		const saved: number[] = [];

		const request = (method: string, path: string, options: CallOptions = {}) =>
			call(target(), method, path, { ...options, token });
		const post = async (path: string, body?: unknown) => (await callOk(target(), 'POST', path, { token, body })).data;
		const save = async (body: object) => {
			const diagram = await post('/saveDiagram', { id: 0, title: 'Intake', ...body });
			saved.push(diagram.id);
			return diagram;
		};
		const find = async (id: number) => (await request('GET', `/getDiagrams?ids=${id}`)).body.data[0];
		const variable = async (body: object) => (await post('/saveVariable', body)).id;

		beforeAll(async () => {
			token = await signIn(target(), 'a');
			[level, byte] = [await variable(makeBody()), await variable(makeBitsBody())];
		});
		afterAll(async () => {
			for (const id of saved) await post(`/deleteDiagram/${id}`);
		});

		const background = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 10"><path d="M0 8L16 8"/></svg>';
		const drawing = (tank: number, bits: number) => ({
			ratio: 1.6,
			items: [
				{
					key: 'raw',
					kind: 'tank',
					varId: tank,
					x: 0.2,
					y: 0.3,
					w: 0.1,
					h: 0.2,
					scale: [0, 4],
					label: '<b>Raw</b>',
					words: 'above',
				},
				{ key: 'inv', kind: 'valve', varId: bits, bit: 7, x: 0.4, y: 0.3, w: 0.03, turn: 90 },
				{ varId: tank, x: 0.6, y: 0.1, tap: [0.2, 0.3], label: 'Level' },
			],
			shapes: [
				{ key: 'riv', kind: 'source', x: 0.1, y: 0.9, w: 0.2, h: 0.1, label: 'River' },
				{ kind: 'text', x: 0.5, y: 0.5, label: 'to Site B' },
			],
			pipes: [
				{ from: ['riv', 'top', 0.2], to: ['raw', 'left'], via: [[0.1, 0.3]], varId: tank, over: 2, thin: true },
				{ from: ['raw', 'right', 0.9], to: ['inv', 'in'], varId: bits, bit: 0 },
			],
			background,
		});

		test('a drawing is stored and listed as it was sent', async () => {
			const body = drawing(level, byte);
			const { id, version, ...content } = await save(body);
			expect(version).toBe(1);
			expect(content).toEqual({ title: 'Intake', ...body });
			expect(await find(id)).toEqual({ id, version, ...content });
			expect((await post('/saveDiagram', await find(id))).version).toBe(1);
		});

		test('a client of before moves an item and keeps the rest, unless it removes a symbol of a pipe', async () => {
			const body = drawing(level, byte);
			const { id } = await save(body);
			const items = body.items.map((item) => ({ ...item, x: 0.5 }));
			expect(await post('/saveDiagram', { id, title: 'Moved', items })).toEqual({
				...body,
				id,
				title: 'Moved',
				items,
				version: 2,
			});
			const boxes = items.map(({ varId, x, y }) => ({ varId, x, y }));
			const { status, body: answer } = await request('POST', '/saveDiagram', { body: { id, title: 'Boxes', items: boxes } });
			expect([status, Object.keys(answer).sort()]).toEqual([400, ['pipes.0.to', 'pipes.1.from', 'pipes.1.to']]);
			const nothing = { ratio: null, shapes: null, pipes: null, background: null };
			expect(await post('/saveDiagram', { id, title: 'Boxes', items: boxes, ...nothing })).toEqual({
				id,
				title: 'Boxes',
				items: boxes,
				version: 3,
			});
		});

		test('deleting a variable leaves its tank as a shape, its pipes without a variable, and no value', async () => {
			const deleted = await variable(makeBody());
			const body = drawing(deleted, byte);
			const { id } = await save(body);
			expect((await request('GET', `/usages/${deleted}`)).body.data).toEqual([{ kind: 'diagram', id, name: 'Intake' }]);
			expect(await post(`/deleteVar/${deleted}`)).toEqual({ tsdbVar: true });
			const { varId: _, ...tank } = body.items[0] ?? expect.unreachable();
			const [{ varId: __, over: ___, ...pipe } = expect.unreachable(), ...otherPipes] = body.pipes;
			const left = { items: [body.items[1]], shapes: [...body.shapes, tank], pipes: [pipe, ...otherPipes] };
			const now = await find(id);
			expect(now).toEqual({ ...body, ...left, id, title: 'Intake', version: 2 });
			expect((await post('/saveDiagram', { ...now, title: 'Later' })).version).toBe(3);
		});

		test('a bit of which only a pipe tells cannot be taken from its variable', async () => {
			const bits = await variable(makeBitsBody());
			const { id } = await save({
				...drawing(level, bits),
				items: [drawing(level, bits).items[0]],
				pipes: [{ from: ['riv', 'top'], to: ['raw', 'left'], varId: bits, bit: 7 }],
			});
			const body = makeBitsBody({ id: bits, bits: [{ id: 1, name: 'On', bit: 0 }] });
			const { status, body: answer } = await request('POST', '/saveVariable', { body });
			expect([status, answer]).toEqual([409, { bits: errorEntry('in_use', expect.stringContaining(`diagram ${id} (Intake)`)) }]);
			await post(`/deleteDiagram/${id}`);
			await post('/saveVariable', body);
		});

		test.each<[string, () => object, string[]]>([
			[
				'of the variables of pipes',
				() => ({ pipes: [{ from: ['riv', 'top'], to: ['raw', 'left'], varId: 987654 }] }),
				['pipes.0.varId'],
			],
			[
				'of the bits of pipes',
				() => ({ pipes: [{ from: ['riv', 'top'], to: ['raw', 'left'], varId: byte, bit: 3 }] }),
				['pipes.0.bit'],
			],
			[
				'of ends and keys',
				() => ({ shapes: [{ kind: 'join', key: 'raw', x: 0, y: 2 }] }),
				['pipes.0.from', 'shapes.0.key', 'shapes.0.y'],
			],
			[
				'of a background',
				() => ({ ratio: 9, background: background.replace('<path', '<script/><path') }),
				['background', 'ratio'],
			],
		])('names the invalid fields %s, and stores nothing', async (_, fields, paths) => {
			const before = (await request('GET', '/getDiagrams')).body.data;
			const body = { id: 0, title: 'D', ...drawing(level, byte), ...fields() };
			const { status, body: answer } = await request('POST', '/saveDiagram', { body });
			expect([status, Object.keys(answer).sort()]).toEqual([400, paths]);
			if ('background' in answer)
				expect(answer.background).toMatchObject({ code: 'not_allowed_in_svg', params: { found: '<script>' } });
			expect((await request('GET', '/getDiagrams')).body.data).toEqual(before);
		});

		test('499 pipes with 20 bends are stored, and refused where they are outside, too long or too many', async () => {
			const pipes = (place: readonly number[], bends = 20, count = 499) =>
				Array.from({ length: count }, () => ({ from: ['a', 'left'], to: ['a', 'top'], via: Array(bends).fill(place) }));
			const body = (drawn: readonly object[]) => ({
				id: 0,
				title: 'P',
				items: [],
				shapes: [{ kind: 'join', key: 'a', x: 0, y: 0 }],
				pipes: drawn,
			});
			const { id } = await save(body(pipes([0.5, 0.25])));
			expect((await find(id)).pipes).toEqual(pipes([0.5, 0.25]));
			const refused = async (drawn: readonly object[]) => {
				const { status, body: answer } = await request('POST', '/saveDiagram', { body: body(drawn) });
				return [status, Object.keys(answer).length, Object.keys(answer)[0]];
			};
			expect(await refused(pipes([0.5, 1.5]))).toEqual([400, 101, 'pipes.0.via.0.1']);
			expect(await refused(pipes([0.5, 0.5], 21))).toEqual([400, 101, 'pipes.0.via']);
			expect(await refused(pipes([0.123456789012345, 0.123456789012345]))).toEqual([413, 1, 'request']);
			expect(await refused(pipes([0.5, 0.5], 0, 500))).toEqual([400, 1, 'request']);
		});
	});
};
