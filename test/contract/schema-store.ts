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

const variableRow = (id: number, rowVersion = 1, body = makeBody()): VariableRow => ({
	kind: 'variable',
	version: 1,
	rowVersion,
	variable: parseVariable({ ...body, id }),
	referencedBy: new Map(),
	deleting: false,
});
const panelRow = (varId: number): PanelRow => ({ kind: 'panel', version: 1, rowVersion: 1, panel: makePanel(varId) });
const chartRow = (id: number, varId: number, version = 1): BoardRow => ({
	kind: 'chart',
	version,
	rowVersion: version,
	board: { kind: 'chart', content: { id, title: 'Chart', series: [{ varId, label: 'Flow' }] } },
});
const key = (id: number) => ({ kind: 'variable', id }) as const;
const create = (id: number, body = makeBody()): RowCommit => ({ key: key(id), expected: null, put: variableRow(id, 1, body) });

/** Tests of every `SchemaStore`. `open` creates a store without any schema. */
export function schemaStoreContract(name: string, open: () => Promise<{ store: SchemaStore; idempotency: Idempotency }>): void {
	describe(`SchemaStore: ${name}`, () => {
		let store: SchemaStore;
		let idempotency: Idempotency;
		beforeEach(async () => {
			({ store, idempotency } = await open());
		});

		test('a schema without commits is empty and at revision 0', async () => {
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
		])('returns a variable as it was stored: %s', async (_, body) => {
			expect(await store.commit('s', [create(7, body)])).toBe('committed');
			expect(await store.get('s', [key(7)])).toEqual([variableRow(7, 1, body)]);
			expect(await store.list('s', 'variable')).toEqual([variableRow(7, 1, body)]);
			expect((await store.snapshot('s', [7])).variables).toEqual(new Map([[7, variableRow(7, 1, body)]]));
		});

		test('advances the revision by one with every commit, and not with a conflict', async () => {
			await store.commit('s', [create(1)]);
			expect(await store.revision('s')).toBe(1);
			expect(await store.commit('s', [create(1)])).toBe('conflict');
			expect(await store.revision('s')).toBe(1);
			await store.commit('s', [{ key: key(1), expected: 1, put: variableRow(1, 2) }]);
			expect(await store.revision('s')).toBe(2);
			expect((await store.snapshot('s', [1])).revision).toBe(2);
		});

		test.each([
			['a changed row of another version', [{ key: key(1), expected: 2, put: variableRow(1, 3) }]],
			['a changed row that does not exist', [{ key: key(9), expected: 1, put: variableRow(9, 2) }]],
			['a new row that exists', [{ key: key(1), expected: null, put: variableRow(1) }]],
			['a deleted row of another version', [{ key: key(1), expected: 2, put: null }]],
			['an unchanged row of another version', [create(2), { key: key(1), expected: 2 }]],
			['an unchanged row that does not exist', [create(2), { key: key(9), expected: 1 }]],
			['an absent row that exists', [create(2), { key: key(1), expected: null }]],
			['an absent panel that exists', [create(2), { key: { kind: 'panel' }, expected: null }]],
		] satisfies [string, RowCommit[]][])('changes nothing in a conflict: %s', async (_, rows) => {
			await store.commit('s', [create(1), { key: { kind: 'panel' }, expected: null, put: panelRow(1) }]);
			expect(await store.commit('s', rows)).toBe('conflict');
			expect(await store.list('s', 'variable')).toEqual([variableRow(1)]);
			expect(await store.get('s', [{ kind: 'panel' }])).toEqual([panelRow(1)]);
			expect(await store.revision('s')).toBe(1);
		});

		test('commits on condition of rows that it does not change', async () => {
			await store.commit('s', [create(1)]);
			const panel: RowCommit = { key: { kind: 'panel' }, expected: null, put: panelRow(1) };
			expect(await store.commit('s', [panel, { key: key(1), expected: 1 }, { key: key(2), expected: null }])).toBe('committed');
			expect(await store.get('s', [{ kind: 'panel' }, key(1), key(2)])).toEqual([panelRow(1), variableRow(1), null]);
		});

		test('accepts maxRowsPerCommit rows in one commit, and not one more', async () => {
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

		test('lists rows by ascending id, without the deleted ones', async () => {
			await store.commit('s', [create(10), create(9), create(100), create(2)]);
			await store.commit('s', [{ key: key(9), expected: 1, put: null }]);
			expect((await store.list('s', 'variable')).map(({ variable }) => variable.id)).toEqual([2, 10, 100]);
			expect([...(await store.snapshot('s', [9, 2, 77])).variables.keys()]).toEqual([2]);
			expect([...(await store.snapshot('s', 'all')).variables.keys()].sort((a, b) => a - b)).toEqual([2, 10, 100]);
		});

		test('never gives an id twice, under concurrency and after deletion', async () => {
			const ids = await Promise.all(Array.from({ length: 20 }, () => store.nextId('s')));
			expect(new Set(ids).size).toBe(20);
			expect(Math.min(...ids)).toBe(1);
			const last = Math.max(...ids);
			await store.commit('s', [create(last)]);
			await store.commit('s', [{ key: key(last), expected: 1, put: null }]);
			expect(await store.nextId('s')).toBeGreaterThan(last);
		});

		test('commits exactly one of several concurrent writes that rely on one row', async () => {
			await store.commit('s', [create(1)]);
			const outcomes = await Promise.all(
				Array.from({ length: 8 }, () => store.commit('s', [{ key: key(1), expected: 1, put: variableRow(1, 2) }])),
			);
			expect(outcomes.filter((outcome) => outcome === 'committed')).toHaveLength(1);
			expect(await store.revision('s')).toBe(2);
		});

		test('stores the references to a variable, and that it is being deleted', async () => {
			const referenced: VariableRow = {
				...variableRow(3),
				referencedBy: new Map([
					['chart#7', []],
					['diagram#12', [0, 7]],
				]),
				deleting: true,
			};
			await store.commit('s', [{ key: key(3), expected: null, put: referenced }]);
			expect(await store.get('s', [key(3)])).toEqual([referenced]);
			expect((await store.snapshot('s', 'all')).variables.get(3)).toEqual(referenced);
		});

		test('separates boards by kind, and lists them by ascending id', async () => {
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
		const makeRecord = (overrides: Partial<IdempotencyRecord> = {}): IdempotencyRecord => ({
			claim,
			response: '{"answer":1}',
			keepUntil: 10_000_000,
			...overrides,
		});

		test('stores the idempotency record with its commit, once', async () => {
			expect(await idempotency.claim(claim, 'body', 1000)).toEqual({ state: 'claimed' });
			expect(await store.commit('s', [create(1)], makeRecord())).toBe('committed');
			expect(await idempotency.claim({ ...claim, token: 'request 2' }, 'body', 1001)).toEqual({
				state: 'done',
				response: '{"answer":1}',
			});
			expect(await store.commit('s', [create(2)], makeRecord({ response: '{"answer":2}' }))).toBe('claim_lost');
			expect(await store.list('s', 'variable')).toEqual([variableRow(1)]);
			expect(await store.revision('s')).toBe(1);
		});

		test('changes nothing when another request holds the claim, and stores no record when a row conflicts', async () => {
			await idempotency.claim(claim, 'body', 1000);
			const other = makeRecord({ claim: { ...claim, token: 'request 2' } });
			expect(await store.commit('s', [create(1)], other)).toBe('claim_lost');
			expect(await store.commit('s', [create(1)], makeRecord({ claim: { key: 'never claimed', token: 't' } }))).toBe(
				'claim_lost',
			);
			await store.commit('s', [create(1)]);
			expect(await store.commit('s', [create(1)], makeRecord())).toBe('conflict');
			expect(await idempotency.claim({ ...claim, token: 'request 3' }, 'body', 1001)).toEqual({ state: 'running' });
		});

		test('stores an idempotency record without changing a row or the revision', async () => {
			await idempotency.claim(claim, 'body', 1000);
			expect(await store.commit('s', [{ key: key(1), expected: null }], makeRecord())).toBe('committed');
			expect(await store.revision('s')).toBe(0);
			expect(await idempotency.claim({ ...claim, token: 'request 2' }, 'body', 1001)).toMatchObject({ state: 'done' });
		});

		test('counts the variables and the last id', async () => {
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

		test('corrects the metadata at the expected revision, and never lowers the last id', async () => {
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

		test('creates missing metadata when revision 0 is expected, and not otherwise', async () => {
			expect(await store.correctMetadata('s', { expectedRevision: 1, variables: 2, lastId: 3 })).toBe('conflict');
			expect(await store.schemaMetadata('s')).toEqual({ revision: 0, variables: 0, lastId: 0 });
			expect(await store.correctMetadata('s', { expectedRevision: 0, variables: 2, lastId: 3 })).toBe('committed');
			expect(await store.schemaMetadata('s')).toEqual({ revision: 0, variables: 2, lastId: 3 });
			await store.commit('s', [create(4)]);
			expect(await store.schemaMetadata('s')).toEqual({ revision: 1, variables: 3, lastId: 3 });
		});

		test('separates schemas with similar names', async () => {
			await store.commit('a', [create(1), { key: { kind: 'panel' }, expected: null, put: panelRow(1) }]);
			for (const other of ['A', 'a ', 'b', 'a#1']) {
				expect(await store.list(other, 'variable')).toEqual([]);
				expect(await store.get(other, [key(1), { kind: 'panel' }])).toEqual([null, null]);
				expect(await store.commit(other, [{ key: key(1), expected: 1, put: null }])).toBe('conflict');
				expect(await store.revision(other)).toBe(0);
				expect(await store.nextId(other)).toBe(1);
			}
			expect(await store.list('a', 'variable')).toEqual([variableRow(1)]);
		});
	});
}
