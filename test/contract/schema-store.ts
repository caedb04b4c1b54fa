import { beforeEach, describe, expect, test } from 'vitest';
import type { Idempotency } from '#domain/ports/idempotency.ts';
import {
	type BoardRow,
	type IdempotencyRecord,
	maxRowsPerCommit,
	type PanelRow,
	type RowCommit,
	type SchemaStore,
	type VariableRow,
} from '#domain/ports/schema-store.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { makeBitsBody, makeBody, makeCalculatedBody, makePanel, makeQuery } from '#test/support/builders/builders.ts';

const row = (id: number, stamp = 1, body = makeBody()): VariableRow => ({
	kind: 'variable',
	version: 1,
	rowVersion: stamp,
	variable: parseVariable({ ...body, id }),
	referencedBy: new Map(),
	deleting: false,
});
const panelRow = (varId: number): PanelRow => ({ kind: 'panel', version: 1, rowVersion: 1, panel: makePanel(varId) });
const chartRow = (id: number, varId: number, stamp = 1): BoardRow => ({
	kind: 'chart',
	version: stamp,
	rowVersion: stamp,
	board: { kind: 'chart', content: { id, title: 'Chart', series: [{ varId, label: 'Flow' }] } },
});
const key = (id: number) => ({ kind: 'variable', id }) as const;
const create = (id: number, body = makeBody()): RowCommit => ({ key: key(id), expected: null, put: row(id, 1, body) });

/** What every `SchemaStore` promises. `open` gives a store that never saw the schemas it is asked for. */
export const schemaStoreContract = (
	name: string,
	open: () => Promise<{ store: SchemaStore; idempotency: Idempotency }>,
): void => {
	describe(`SchemaStore: ${name}`, () => {
		let store: SchemaStore;
		let idempotency: Idempotency;
		beforeEach(async () => {
			({ store, idempotency } = await open());
		});

		test('a schema never written to is empty at revision 0', async () => {
			expect(await store.revision('s')).toBe(0);
			expect(await store.list('s', 'variable')).toEqual([]);
			expect(await store.get('s', [key(1), { kind: 'panel' }])).toEqual([null, null]);
			expect(await store.snapshot('s', 'all')).toEqual({ revision: 0, variables: new Map() });
		});

		test.each([
			['simple', makeBody()],
			['calculated', makeCalculatedBody('a + b / 2')],
			['bit-compressed', makeBitsBody()],
			['named __proto__', makeBody({ name: '__proto__' })],
			[
				'with text of every kind',
				makeBody({ name: 'Ω "quoted" \u0000 \n 😀', varsTsdb: { 'Ω "quoted" \u0000 \n 😀': makeQuery() } }),
			],
		])('gives a variable back as it was stored: %s', async (_, body) => {
			expect(await store.commit('s', [create(7, body)])).toBe('committed');
			expect(await store.get('s', [key(7)])).toEqual([row(7, 1, body)]);
			expect(await store.list('s', 'variable')).toEqual([row(7, 1, body)]);
			expect((await store.snapshot('s', [7])).variables).toEqual(new Map([[7, row(7, 1, body)]]));
		});

		test('every commit advances the revision by one, and a conflict does not', async () => {
			await store.commit('s', [create(1)]);
			expect(await store.revision('s')).toBe(1);
			expect(await store.commit('s', [create(1)])).toBe('conflict');
			expect(await store.revision('s')).toBe(1);
			await store.commit('s', [{ key: key(1), expected: 1, put: row(1, 2) }]);
			expect(await store.revision('s')).toBe(2);
			expect((await store.snapshot('s', [1])).revision).toBe(2);
		});

		test.each([
			['a changed row of another version', [{ key: key(1), expected: 2, put: row(1, 3) }]],
			['a changed row that is not there', [{ key: key(9), expected: 1, put: row(9, 2) }]],
			['a new row that is there', [{ key: key(1), expected: null, put: row(1) }]],
			['a deleted row of another version', [{ key: key(1), expected: 2, put: null }]],
			['a row only relied on, of another version', [create(2), { key: key(1), expected: 2 }]],
			['a row only relied on, that is not there', [create(2), { key: key(9), expected: 1 }]],
			['a row relied on to be absent, that is there', [create(2), { key: key(1), expected: null }]],
			['a panel relied on to be absent, that is there', [create(2), { key: { kind: 'panel' }, expected: null }]],
		] satisfies [string, RowCommit[]][])('changes nothing where it conflicts: %s', async (_, rows) => {
			await store.commit('s', [create(1), { key: { kind: 'panel' }, expected: null, put: panelRow(1) }]);
			expect(await store.commit('s', rows)).toBe('conflict');
			expect(await store.list('s', 'variable')).toEqual([row(1)]);
			expect(await store.get('s', [{ kind: 'panel' }])).toEqual([panelRow(1)]);
			expect(await store.revision('s')).toBe(1);
		});

		test('commits on condition of rows that it leaves as they are', async () => {
			await store.commit('s', [create(1)]);
			const panel: RowCommit = { key: { kind: 'panel' }, expected: null, put: panelRow(1) };
			expect(await store.commit('s', [panel, { key: key(1), expected: 1 }, { key: key(2), expected: null }])).toBe('committed');
			expect(await store.get('s', [{ kind: 'panel' }, key(1), key(2)])).toEqual([panelRow(1), row(1), null]);
		});

		test('takes as many rows in one commit as it says', async () => {
			const rows = Array.from({ length: maxRowsPerCommit }, (_, index) => create(index + 1));
			expect(await store.commit('s', rows)).toBe('committed');
			expect(await store.list('s', 'variable')).toHaveLength(maxRowsPerCommit);
			await expect(
				store.commit(
					's',
					Array.from({ length: maxRowsPerCommit + 1 }, (_, index) => create(index + 200)),
				),
			).rejects.toThrow(RangeError);
		});

		test('lists by ascending id, deleted ones left out', async () => {
			await store.commit('s', [create(10), create(9), create(100), create(2)]);
			await store.commit('s', [{ key: key(9), expected: 1, put: null }]);
			expect((await store.list('s', 'variable')).map(({ variable }) => variable.id)).toEqual([2, 10, 100]);
			expect([...(await store.snapshot('s', [9, 2, 77])).variables.keys()]).toEqual([2]);
			expect([...(await store.snapshot('s', 'all')).variables.keys()].sort((a, b) => a - b)).toEqual([2, 10, 100]);
		});

		test('gives each id once, under concurrency and after deletion', async () => {
			const ids = await Promise.all(Array.from({ length: 20 }, () => store.nextId('s')));
			expect(new Set(ids).size).toBe(20);
			expect(Math.min(...ids)).toBe(1);
			const last = Math.max(...ids);
			await store.commit('s', [create(last)]);
			await store.commit('s', [{ key: key(last), expected: 1, put: null }]);
			expect(await store.nextId('s')).toBeGreaterThan(last);
		});

		test('of writers that rely on one row, exactly one gets through', async () => {
			await store.commit('s', [create(1)]);
			const outcomes = await Promise.all(
				Array.from({ length: 8 }, () => store.commit('s', [{ key: key(1), expected: 1, put: row(1, 2) }])),
			);
			expect(outcomes.filter((outcome) => outcome === 'committed')).toHaveLength(1);
			expect(await store.revision('s')).toBe(2);
		});

		test('keeps what uses a variable, and that it is going', async () => {
			const used: VariableRow = {
				...row(3),
				referencedBy: new Map([
					['chart#7', []],
					['diagram#12', [0, 7]],
				]),
				deleting: true,
			};
			await store.commit('s', [{ key: key(3), expected: null, put: used }]);
			expect(await store.get('s', [key(3)])).toEqual([used]);
			expect((await store.snapshot('s', 'all')).variables.get(3)).toEqual(used);
		});

		test('keeps boards of each kind apart, listed by ascending id', async () => {
			const put = (kind: 'chart' | 'diagram' | 'alarm', id: number, board: BoardRow['board']): RowCommit => ({
				key: { kind, id },
				expected: null,
				put: { kind, version: 1, rowVersion: 1, board },
			});
			const diagram = { kind: 'diagram', content: { id: 2, title: 'D', items: [{ varId: 1, bit: 0, x: 0, y: 1 }] } } as const;
			const alarm = {
				kind: 'alarm',
				content: { id: 2, name: 'A', varId: 1, condition: '>=', threshold: 0.5, severity: 'info', message: 'M' },
			} as const;
			const charts = [10, 9, 100, 2].map((id) => ({ key: { kind: 'chart', id } as const, expected: null, put: chartRow(id, 1) }));
			const boards = [
				put('diagram', 2, { ...diagram, content: { ...diagram.content, items: [...diagram.content.items] } }),
				put('alarm', 2, alarm),
			];
			expect(await store.commit('s', [...charts, ...boards])).toBe('committed');
			expect((await store.list('s', 'chart')).map(({ board }) => board.content.id)).toEqual([2, 9, 10, 100]);
			expect((await store.list('s', 'diagram')).map(({ board }) => board)).toEqual([diagram]);
			expect(await store.get('s', [{ kind: 'alarm', id: 2 }])).toMatchObject([{ rowVersion: 1, board: alarm }]);
			expect(await store.list('s', 'variable')).toEqual([]);
			await store.commit('s', [{ key: { kind: 'chart', id: 2 }, expected: 1, put: null }]);
			expect(
				await store.get('s', [
					{ kind: 'chart', id: 2 },
					{ kind: 'diagram', id: 2 },
				]),
			).toMatchObject([null, { kind: 'diagram' }]);
		});

		const claim = { key: 'client key', token: 'request 1' };
		const receipt = (changes: Partial<IdempotencyRecord> = {}): IdempotencyRecord => ({
			claim,
			response: '{"answer":1}',
			keepUntil: 10_000_000,
			...changes,
		});

		test('keeps a receipt in the commit that it belongs to, once', async () => {
			expect(await idempotency.claim(claim, 'body', 1000)).toEqual({ state: 'claimed' });
			expect(await store.commit('s', [create(1)], receipt())).toBe('committed');
			expect(await idempotency.claim({ ...claim, token: 'request 2' }, 'body', 1001)).toEqual({
				state: 'done',
				response: '{"answer":1}',
			});
			expect(await store.commit('s', [create(2)], receipt({ response: '{"answer":2}' }))).toBe('claim_lost');
			expect(await store.list('s', 'variable')).toEqual([row(1)]);
			expect(await store.revision('s')).toBe(1);
		});

		test('changes nothing where the claim is another request’s, and keeps no receipt where a row conflicts', async () => {
			await idempotency.claim(claim, 'body', 1000);
			const other = receipt({ claim: { ...claim, token: 'request 2' } });
			expect(await store.commit('s', [create(1)], other)).toBe('claim_lost');
			expect(await store.commit('s', [create(1)], receipt({ claim: { key: 'never claimed', token: 't' } }))).toBe('claim_lost');
			await store.commit('s', [create(1)]);
			expect(await store.commit('s', [create(1)], receipt())).toBe('conflict');
			expect(await idempotency.claim({ ...claim, token: 'request 3' }, 'body', 1001)).toEqual({ state: 'running' });
		});

		test('keeps a receipt without changing a row, and leaves the revision', async () => {
			await idempotency.claim(claim, 'body', 1000);
			expect(await store.commit('s', [{ key: key(1), expected: null }], receipt())).toBe('committed');
			expect(await store.revision('s')).toBe(0);
			expect(await idempotency.claim({ ...claim, token: 'request 2' }, 'body', 1001)).toMatchObject({ state: 'done' });
		});

		test('counts its variables and the ids that it gave', async () => {
			expect(await store.schemaMetadata('s')).toEqual({ revision: 0, variables: 0, lastId: 0 });
			const id = await store.nextId('s');
			await store.commit('s', [
				create(id),
				create(id + 1),
				{ key: { kind: 'chart', id: 7 }, expected: null, put: chartRow(7, id) },
			]);
			expect(await store.schemaMetadata('s')).toEqual({ revision: 1, variables: 2, lastId: id });
			await store.commit('s', [{ key: key(id), expected: 1, put: null }]);
			expect(await store.schemaMetadata('s')).toEqual({ revision: 2, variables: 1, lastId: id });
		});

		test('a head is corrected at the revision that it was judged by, and its counter never lowered', async () => {
			await store.commit('s', [create(8)]);
			expect(await store.correctMetadata('s', { expectedRevision: 1, variables: 5, lastId: 9 })).toBe('committed');
			expect(await store.schemaMetadata('s')).toEqual({ revision: 1, variables: 5, lastId: 9 });
			expect(await store.nextId('s')).toBe(10);
			expect(await store.correctMetadata('s', { expectedRevision: 1, variables: 1, lastId: 8 })).toBe('committed');
			expect(await store.schemaMetadata('s')).toEqual({ revision: 1, variables: 1, lastId: 10 });
			for (const expectedRevision of [0, 2])
				expect(await store.correctMetadata('s', { expectedRevision, variables: 7, lastId: 70 })).toBe('conflict');
			expect(await store.schemaMetadata('s')).toEqual({ revision: 1, variables: 1, lastId: 10 });
		});

		test('a head that is not there is made where revision 0 is expected, and nowhere else', async () => {
			expect(await store.correctMetadata('s', { expectedRevision: 1, variables: 2, lastId: 3 })).toBe('conflict');
			expect(await store.schemaMetadata('s')).toEqual({ revision: 0, variables: 0, lastId: 0 });
			expect(await store.correctMetadata('s', { expectedRevision: 0, variables: 2, lastId: 3 })).toBe('committed');
			expect(await store.schemaMetadata('s')).toEqual({ revision: 0, variables: 2, lastId: 3 });
			await store.commit('s', [create(4)]);
			expect(await store.schemaMetadata('s')).toEqual({ revision: 1, variables: 3, lastId: 3 });
		});

		test('one schema sees nothing of another, whatever their names', async () => {
			await store.commit('a', [create(1), { key: { kind: 'panel' }, expected: null, put: panelRow(1) }]);
			for (const other of ['A', 'a ', 'b', 'a#1']) {
				expect(await store.list(other, 'variable')).toEqual([]);
				expect(await store.get(other, [key(1), { kind: 'panel' }])).toEqual([null, null]);
				expect(await store.commit(other, [{ key: key(1), expected: 1, put: null }])).toBe('conflict');
				expect(await store.revision(other)).toBe(0);
				expect(await store.nextId(other)).toBe(1);
			}
			expect(await store.list('a', 'variable')).toEqual([row(1)]);
		});
	});
};
