import { beforeEach, describe, expect, test } from 'vitest';
import { type BoardKind, boardKinds } from '#domain/board/board-kinds.ts';
import type { AlarmStore } from '#domain/ports/alarm-store.ts';
import type { Idempotency } from '#domain/ports/idempotency.ts';
import {
	type BoardRow,
	type IdempotencyRecord,
	maxRows,
	maxRowsPerCommit,
	minListedRevisions,
	type PanelRow,
	type RowCommit,
	type RowPage,
	type SchemaStore,
	type VariableRow,
} from '#domain/ports/schema-store.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { makeAlarmEvent, makeEventPage } from '#test/support/builders/alarm-rows.ts';
import {
	makeBitsBody,
	makeBoardRow,
	makeBody,
	makeCalculatedBody,
	makePanel,
	makeQuery,
} from '#test/support/builders/builders.ts';

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

/** The adapters of one database that is empty. */
interface SchemaBackend {
	readonly store: SchemaStore;
	readonly idempotency: Idempotency;
	readonly alarms: AlarmStore;
}

/** Tests of every `SchemaStore`. `open` creates a store without any schema. */
export function schemaStoreContract(name: string, open: () => Promise<SchemaBackend>): void {
	describe(`SchemaStore: ${name}`, () => {
		let store: SchemaStore;
		let idempotency: Idempotency;
		let alarms: AlarmStore;
		const revisionOf = async (schema: string) => (await store.revision(schema)).revision;
		beforeEach(async () => {
			({ store, idempotency, alarms } = await open());
		});

		test('a schema without commits is empty and at revision 0', async () => {
			expect(await revisionOf('s')).toBe(0);
			expect(await store.list('s', 'variable')).toEqual([]);
			expect(await store.get('s', [key(1), { kind: 'panel' }])).toEqual([null, null]);
			expect(await store.snapshot('s', 'all')).toEqual({ revision: 0, listed: 0, changes: [], marks: [], variables: new Map() });
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
			expect(await revisionOf('s')).toBe(1);
			expect(await store.commit('s', [create(1)])).toBe('conflict');
			expect(await revisionOf('s')).toBe(1);
			await store.commit('s', [{ key: key(1), expected: 1, put: variableRow(1, 2) }]);
			expect(await revisionOf('s')).toBe(2);
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
			expect(await revisionOf('s')).toBe(1);
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
			expect(await revisionOf('s')).toBe(2);
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
			expect(await revisionOf('s')).toBe(1);
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
			expect(await revisionOf('s')).toBe(0);
			expect(await idempotency.claim({ ...claim, token: 'request 2' }, 'body', 1001)).toMatchObject({ state: 'done' });
		});

		const event = (number: number) => makeAlarmEvent({ kind: 'changed', origin: { writer: 'definition', number } });
		const journal = async () => (await alarms.events('s', makeEventPage())).events.map(({ origin }) => origin.number);

		test('adds the events of a commit to the journal, with its rows and its idempotency record', async () => {
			await idempotency.claim(claim, 'body', 1000);
			expect(await store.commit('s', [create(1)], makeRecord(), { events: [event(1), event(2)] })).toBe('committed');
			expect(await journal()).toEqual([2, 1]);
			expect(await store.commit('s', [create(2)], undefined, { events: [event(3)] })).toBe('committed');
			expect(await journal()).toEqual([3, 2, 1]);
			expect(await revisionOf('s')).toBe(2);
		});

		test('adds no event of a commit that is refused', async () => {
			await store.commit('s', [create(1)]);
			expect(await store.commit('s', [create(1)], undefined, { events: [event(1)] })).toBe('conflict');
			expect(await store.commit('s', [create(2)], makeRecord(), { events: [event(1)] })).toBe('claim_lost');
			const { revision: expectedRevision, lastId } = await store.schemaMetadata('s');
			await store.correctMetadata('s', { expectedRevision, variables: maxRows.variable, lastId });
			expect(await store.commit('s', [create(2)], undefined, { events: [event(1)] })).toBe('full');
			expect(await journal()).toEqual([]);
		});

		test('changes nothing in a conflict: an event that is stored', async () => {
			await store.commit('s', [create(1)], undefined, { events: [event(1)] });
			expect(await store.commit('s', [create(2)], undefined, { events: [event(2), event(1)] })).toBe('conflict');
			expect([await journal(), await revisionOf('s')]).toEqual([[1], 1]);
			expect(await store.list('s', 'variable')).toEqual([variableRow(1)]);
		});

		test('accepts maxRowsPerCommit rows and events in one commit, and not one more', async () => {
			const rows = Array.from({ length: 53 }, (_, index) => create(index + 1));
			const events = (count: number) => Array.from({ length: count }, (_, index) => event(index + 1));
			await expect(store.commit('s', rows, undefined, { events: events(maxRowsPerCommit - 52) })).rejects.toThrow(RangeError);
			expect(await store.commit('s', rows, undefined, { events: events(maxRowsPerCommit - 53) })).toBe('committed');
			expect(await journal()).toHaveLength(45);
		});

		test('counts the variables and the last id', async () => {
			expect(await store.schemaMetadata('s')).toMatchObject({ revision: 0, variables: 0, lastId: 0 });
			const id = await store.nextId('s');
			await store.commit('s', [
				create(id),
				create(id + 1),
				{ key: { kind: 'chart', id: 7 }, expected: null, put: chartRow(7, id) },
			]);
			expect(await store.schemaMetadata('s')).toMatchObject({ revision: 1, variables: 2, lastId: id });
			await store.commit('s', [{ key: key(id), expected: 1, put: null }]);
			expect(await store.schemaMetadata('s')).toMatchObject({ revision: 2, variables: 1, lastId: id });
		});

		test('corrects the metadata at the expected revision, and never lowers the last id', async () => {
			await store.commit('s', [create(8)]);
			expect(await store.correctMetadata('s', { expectedRevision: 1, variables: 5, lastId: 9 })).toBe('committed');
			expect(await store.schemaMetadata('s')).toMatchObject({ revision: 1, variables: 5, lastId: 9 });
			expect(await store.nextId('s')).toBe(10);
			expect(await store.correctMetadata('s', { expectedRevision: 1, variables: 1, lastId: 8 })).toBe('committed');
			expect(await store.schemaMetadata('s')).toMatchObject({ revision: 1, variables: 1, lastId: 10 });
			for (const expectedRevision of [0, 2])
				expect(await store.correctMetadata('s', { expectedRevision, variables: 7, lastId: 70 })).toBe('conflict');
			expect(await store.schemaMetadata('s')).toMatchObject({ revision: 1, variables: 1, lastId: 10 });
		});

		test('creates missing metadata when revision 0 is expected, and not otherwise', async () => {
			expect(await store.correctMetadata('s', { expectedRevision: 1, variables: 2, lastId: 3 })).toBe('conflict');
			expect(await store.schemaMetadata('s')).toMatchObject({ revision: 0, variables: 0, lastId: 0 });
			expect(await store.correctMetadata('s', { expectedRevision: 0, variables: 2, lastId: 3 })).toBe('committed');
			expect(await store.schemaMetadata('s')).toMatchObject({ revision: 0, variables: 2, lastId: 3 });
			await store.commit('s', [create(4)]);
			expect(await store.schemaMetadata('s')).toMatchObject({ revision: 1, variables: 3, lastId: 3 });
		});

		const chartKey = (id: number) => ({ kind: 'chart', id }) as const;
		const createChart = (id: number): RowCommit => ({ key: chartKey(id), expected: null, put: chartRow(id, 1) });
		/** Repeats a commit while others conflict with it. */
		const commitSoon = async (rows: readonly RowCommit[]) => {
			for (;;) {
				const outcome = await store.commit('s', rows);
				if (outcome !== 'conflict') return outcome;
				await new Promise((resolve) => setTimeout(resolve, Math.random() * 50));
			}
		};
		const setBoards = async (boards: Readonly<Record<BoardKind, number>>) => {
			const { revision: expectedRevision, variables, lastId } = await store.schemaMetadata('s');
			expect(await store.correctMetadata('s', { expectedRevision, variables, boards, lastId })).toBe('committed');
		};

		test('counts the boards of each kind', async () => {
			await store.commit('s', [create(1)]);
			expect(await store.commit('s', [createChart(1), createChart(2)])).toBe('committed');
			expect(await store.commit('s', [createChart(3)])).toBe('committed');
			expect(await store.commit('s', [{ key: chartKey(1), expected: 1, put: chartRow(1, 1, 2) }])).toBe('committed');
			expect(await store.commit('s', [{ key: chartKey(2), expected: 1, put: null }])).toBe('committed');
			const { boards } = await store.schemaMetadata('s');
			expect([boards.chart, boards.diagram ?? 0, boards.alarm ?? 0]).toEqual([2, 0, 0]);
			await setBoards({ chart: 5, diagram: 6, alarm: 7, correction: 8, report: 9, entry: 10 });
			expect((await store.schemaMetadata('s')).boards).toEqual({
				chart: 5,
				diagram: 6,
				alarm: 7,
				correction: 8,
				report: 9,
				entry: 10,
			});
		});

		test.each(boardKinds)('refuses a new %s beyond the limit; others change and go', async (kind) => {
			const row = (id: number, version = 1): BoardRow => ({ ...makeBoardRow(kind, id), version, rowVersion: version });
			const add = (id: number): RowCommit => ({ key: { kind, id }, expected: null, put: row(id) });
			expect(await store.commit('s', [add(1), add(2)])).toBe('committed');
			await setBoards({ chart: 0, diagram: 0, alarm: 0, correction: 0, report: 0, entry: 0, [kind]: maxRows[kind] + 1 });
			expect(await store.commit('s', [add(3)])).toBe('full');
			expect(await store.commit('s', [{ key: { kind, id: 1 }, expected: 1, put: row(1, 2) }])).toBe('committed');
			expect(await store.commit('s', [{ key: { kind, id: 1 }, expected: 2, put: null }])).toBe('committed');
			expect(await store.commit('s', [add(3)])).toBe('full');
			expect(await store.commit('s', [{ key: { kind, id: 2 }, expected: 1, put: null }])).toBe('committed');
			expect(await store.commit('s', [add(3), add(4)])).toBe('full');
			expect(await store.commit('s', [add(3)])).toBe('committed');
			expect(await store.commit('s', [add(4)])).toBe('full');
			expect(await store.commit('s', [add(1), { key: { kind, id: 9 }, expected: 1 }])).toBe('conflict');
			expect((await store.list('s', kind)).map(({ board }) => board.content.id)).toEqual([3]);
		});

		test('64 parallel saves never pass a limit', { timeout: 60_000 }, async () => {
			await store.commit('s', [createChart(1)]);
			await setBoards({ chart: maxRows.chart - 5, diagram: 0, alarm: 0, correction: 0, report: 0, entry: 0 });
			const outcomes = await Promise.all(Array.from({ length: 64 }, (_, index) => commitSoon([createChart(index + 2)])));
			expect(outcomes.filter((outcome) => outcome === 'committed')).toHaveLength(5);
			expect(outcomes.filter((outcome) => outcome === 'full')).toHaveLength(59);
			expect((await store.schemaMetadata('s')).boards.chart).toBe(maxRows.chart);
			expect(await store.list('s', 'chart')).toHaveLength(6);
		});

		test('lists the definitions that each revision changed, also where several commits run at once', async () => {
			await store.commit('s', [create(1), create(2)]);
			await store.commit('s', [createChart(1), { key: key(1), expected: 1, put: variableRow(1, 2), keepsDefinition: true }]);
			await store.commit('s', [
				{ key: key(1), expected: 2, put: variableRow(1, 3) },
				{ key: key(2), expected: 1 },
			]);
			await store.commit('s', [{ key: key(9), expected: 1, put: null }]);
			await store.commit('s', [{ key: key(2), expected: 1, put: null }]);
			const expected = { revision: 4, listed: 4, changes: [[1, 2], [], [1], [2]] };
			expect(await store.schemaMetadata('s')).toMatchObject(expected);
			expect(await store.revision('s')).toMatchObject(expected);
			const { marks } = await store.snapshot('s', []);
			expect([marks.length, marks.every((mark) => mark >= 0)]).toEqual([4, true]);
			expect(await store.snapshot('s', [])).toEqual({ ...expected, marks, variables: new Map() });
			for (const ids of [[1], 'all'] as const)
				expect(await store.snapshot('s', ids)).toEqual({ ...expected, marks, variables: new Map([[1, variableRow(1, 3)]]) });
			await Promise.all(Array.from({ length: 8 }, (_, index) => commitSoon([create(index + 10)])));
			const { revision, listed, changes } = await store.schemaMetadata('s');
			expect([revision, listed, changes.length]).toEqual([12, 12, 12]);
			expect(changes.slice(4).flat().sort()).toEqual([10, 11, 12, 13, 14, 15, 16, 17]);
		});

		test('keeps the changes of the last 50 revisions, and not many more', { timeout: 60_000 }, async () => {
			const revisions = 3 * minListedRevisions + 7;
			for (let id = 1; id <= revisions; id += 1) expect(await store.commit('s', [create(id)])).toBe('committed');
			const { revision, listed, changes } = await store.schemaMetadata('s');
			expect([revision, listed]).toEqual([revisions, revisions]);
			expect(changes.length).toBeGreaterThanOrEqual(minListedRevisions);
			expect(changes.length).toBeLessThanOrEqual(2 * minListedRevisions);
			expect(changes).toEqual(Array.from(changes, (_, index) => [revisions - changes.length + index + 1]));
			const lane = async (first: number) => {
				for (let id = first; id < first + 30; id += 1) expect(await commitSoon([create(id)])).toBe('committed');
			};
			await Promise.all([1000, 2000, 3000, 4000].map(lane));
			const later = await store.schemaMetadata('s');
			expect([later.revision, later.listed]).toEqual([revisions + 120, revisions + 120]);
			expect(later.changes.length).toBeGreaterThanOrEqual(minListedRevisions);
			expect(new Set(later.changes.slice(-minListedRevisions).flat()).size).toBe(minListedRevisions);
			expect(
				later.changes
					.slice(-minListedRevisions)
					.flat()
					.every((id) => id >= 1000),
			).toBe(true);
		});

		test('pages variables by ascending id', async () => {
			await store.commit('s', [create(10), create(9), create(100), create(2)]);
			const page = async (after: number, limit: number) => {
				const { rows, next } = await store.page('s', 'variable', { after, limit });
				return [rows.map(({ variable }) => variable.id), next];
			};
			expect(await page(0, 2)).toEqual([[2, 9], 9]);
			expect(await page(9, 2)).toEqual([[10, 100], null]);
			expect(await page(3, 1)).toEqual([[9], 9]);
			expect(await page(0, 1000)).toEqual([[2, 9, 10, 100], null]);
			expect(await page(100, 1)).toEqual([[], null]);
			expect(await store.page('other', 'variable', { after: 0, limit: 1 })).toEqual({ rows: [], next: null });
		});

		test('pages boards in the order of their keys, each kind by itself', async () => {
			const ids = [2, 9, 10, 99, 100, 1000];
			await store.commit('s', [
				...ids.map(createChart),
				{ key: { kind: 'diagram', id: 5 }, expected: null, put: makeBoardRow('diagram', 5) },
			]);
			for (const limit of [1, 2, 4, 6, 1000]) {
				const seen: number[] = [];
				let after: number | null = 0;
				for (let pages = 1; after !== null; pages += 1) {
					const { rows, next }: RowPage<'chart'> = await store.page('s', 'chart', { after, limit });
					expect(rows.length).toBe(Math.min(limit, ids.length - seen.length));
					seen.push(...rows.map(({ board }) => board.content.id));
					expect(next).toBe(pages * limit >= ids.length ? null : seen.at(-1));
					after = next;
				}
				expect(seen).toEqual([10, 100, 1000, 2, 9, 99]);
			}
			expect((await store.page('s', 'chart', { after: 11, limit: 2 })).rows.map(({ board }) => board.content.id)).toEqual([2, 9]);
			expect((await store.page('s', 'diagram', { after: 0, limit: 9 })).rows).toEqual([makeBoardRow('diagram', 5)]);
			expect(await store.page('s', 'alarm', { after: 0, limit: 9 })).toEqual({ rows: [], next: null });
		});

		test('ends a page early at 5.5 MB', { timeout: 60_000 }, async () => {
			const large = (id: number): RowCommit => ({
				key: key(id),
				expected: null,
				put: {
					...variableRow(id),
					referencedBy: new Map(Array.from({ length: 17_000 }, (_, each) => [`diagram#${1000 + each}`, []])),
				},
			});
			for (let id = 1; id <= 20; id += 10)
				expect(
					await store.commit(
						's',
						Array.from({ length: 10 }, (_, index) => large(id + index)),
					),
				).toBe('committed');
			const first = await store.page('s', 'variable', { after: 0, limit: 1000 });
			expect([first.rows.length, first.next]).toEqual([15, 15]);
			const second = await store.page('s', 'variable', { after: 15, limit: 1000 });
			expect([second.rows.map(({ variable }) => variable.id), second.next]).toEqual([[16, 17, 18, 19, 20], null]);
		});

		test('separates schemas with similar names', async () => {
			await store.commit('a', [create(1), { key: { kind: 'panel' }, expected: null, put: panelRow(1) }]);
			for (const other of ['A', 'a ', 'b', 'a#1']) {
				expect(await store.list(other, 'variable')).toEqual([]);
				expect(await store.get(other, [key(1), { kind: 'panel' }])).toEqual([null, null]);
				expect(await store.commit(other, [{ key: key(1), expected: 1, put: null }])).toBe('conflict');
				expect(await revisionOf(other)).toBe(0);
				expect(await store.nextId(other)).toBe(1);
			}
			expect(await store.list('a', 'variable')).toEqual([variableRow(1)]);
		});
	});
}
