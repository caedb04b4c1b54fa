import { beforeEach, describe, expect, test } from 'vitest';
import { parseBoard } from '#domain/board/board.ts';
import type { AlarmRows } from '#domain/ports/alarm-store.ts';
import type { BoardRow, RowCommit } from '#domain/ports/schema-store.ts';
import { makeEvaluatorState, makeOperatorState, makeOutbox } from '#test/support/builders/alarm-rows.ts';
import { makeAlarmBody, makeBoardRow } from '#test/support/builders/builders.ts';
import type { AlarmBackend } from '../alarm-store.ts';

const alarmRow = (id: number, overrides: Partial<BoardRow> = {}): BoardRow => ({
	kind: 'alarm',
	version: 1,
	rowVersion: 1,
	board: { kind: 'alarm', content: parseBoard('alarm', makeAlarmBody({ id, deadband: 0, noDataSeconds: 0 })) },
	...overrides,
});
const create = (row: BoardRow): RowCommit => ({
	key: { kind: row.kind, id: row.board.content.id },
	expected: null,
	put: row,
});

/** Tests of reading the alarms of a schema and their rows. */
export function rowCases(open: () => Promise<AlarmBackend>): void {
	describe('the rows of alarms', () => {
		let backend: AlarmBackend;
		beforeEach(async () => {
			backend = await open();
		});

		test('are returned as they were stored, each alarm and each schema by itself', async () => {
			const { alarms } = backend;
			const state = makeEvaluatorState({ value: 0, since: 0, cause: 'no_data', pendingSince: 0 });
			const operator = makeOperatorState({ reason: 'Ω "quoted" \u0000 \n 😀' });
			const outbox = makeOutbox();
			expect(await alarms.commit('s', { alarmId: 7, state: { expected: null, put: state } })).toBe('committed');
			expect(await alarms.commit('s', { alarmId: 7, operator: { expected: null, put: operator } })).toBe('committed');
			expect(await alarms.commit('s', { alarmId: 7, outbox: { expected: null, put: outbox } })).toBe('committed');
			const other = makeEvaluatorState({ value: -1.5 });
			expect(await alarms.commit('s', { alarmId: 77, state: { expected: null, put: other } })).toBe('committed');
			expect(await alarms.commit('t', { alarmId: 7, state: { expected: null, put: other } })).toBe('committed');
			const seven: AlarmRows = { state, operator, outbox };
			const seventySeven: AlarmRows = { state: other, operator: null, outbox: null };
			expect(await alarms.rows('s')).toEqual({
				rows: new Map([
					[7, seven],
					[77, seventySeven],
				]),
				unreadable: new Set(),
			});
			expect(await alarms.rowsOf('s', [7, 8, 7])).toEqual({ rows: new Map([[7, seven]]), unreadable: new Set() });
			expect((await alarms.rowsOf('t', [7, 77])).rows).toEqual(new Map([[7, seventySeven]]));
		});

		test('of 120 alarms are read at once', async () => {
			const { alarms } = backend;
			const ids = Array.from({ length: 120 }, (_, index) => index + 1);
			await Promise.all(
				ids.map((id) => alarms.commit('s', { alarmId: id, state: { expected: null, put: makeEvaluatorState({ value: id }) } })),
			);
			for (const { rows } of [await alarms.rows('s'), await alarms.rowsOf('s', ids)])
				expect([...rows].map(([id, { state }]) => [id, state?.value]).sort(([a = 0], [b = 0]) => Number(a) - Number(b))).toEqual(
					ids.map((id) => [id, id]),
				);
		});

		test('that cannot be parsed are named, and hide no other alarm', async () => {
			const { alarms, damage } = backend;
			for (const alarmId of [7, 8])
				await alarms.commit('s', {
					alarmId,
					state: { expected: null, put: makeEvaluatorState() },
					operator: { expected: null, put: makeOperatorState() },
				});
			await damage('s', 'state', 7);
			const expected = {
				rows: new Map([[8, expect.objectContaining({ state: makeEvaluatorState() })]]),
				unreadable: new Set([7]),
			};
			expect(await alarms.rows('s')).toEqual(expected);
			expect(await alarms.rowsOf('s', [7, 8])).toEqual(expected);
		});

		test('are beside the alarms themselves, which are listed by ascending id with their database', async () => {
			const { alarms, store, damage } = backend;
			const rows = [alarmRow(10, { database: 'plant' }), alarmRow(9), alarmRow(100, { database: 'plant' })];
			await store.commit('s', [...rows, makeBoardRow('chart', 3)].map(create));
			await store.commit('t', [create(alarmRow(1))]);
			expect(await alarms.alarms('s')).toEqual({ alarms: [rows[1], rows[0], rows[2]], unreadable: [] });
			await damage('s', 'alarm', 9);
			expect(await alarms.alarms('s')).toEqual({ alarms: [rows[0], rows[2]], unreadable: ['alarm#9'] });
		});
	});
}
