import { beforeEach, describe, expect, test } from 'vitest';
import { createSavedAlarms, type SavedAlarms } from '#domain/alarm/saved-alarms.ts';
import type { SchemaStore } from '#domain/ports/schema-store.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { makeBoardRow, makeVariableRow } from '#test/support/builders/builders.ts';

const start = 1_795_262_400_000;
const minute = 60_000;

describe('createSavedAlarms', () => {
	let store: SchemaStore;
	let lists: number;
	let alarms: SavedAlarms;
	beforeEach(async () => {
		store = createSqliteSchemaStore(openDatabase(':memory:'));
		lists = 0;
		alarms = createSavedAlarms({
			revision: store.revision,
			list: (schema, kind) => {
				lists += 1;
				return store.list(schema, kind);
			},
		});
		await saveAlarm(9);
	});

	const saveAlarm = (id: number) =>
		store.commit('s', [{ key: { kind: 'alarm', id }, expected: null, put: makeBoardRow('alarm', id) }]);
	const idsAt = async (now: number, schema = 's') => (await alarms.list(schema, now)).map(({ board }) => board.content.id);

	test('reads alarms once more a minute after their revision was first seen, and then never again', async () => {
		const counts: number[] = [];
		for (const after of [0, minute - 1, minute, minute + 1, 1000 * minute]) {
			expect(await idsAt(start + after)).toEqual([9]);
			counts.push(lists);
		}
		expect(counts).toEqual([1, 2, 3, 3, 3]);
	});

	test('shows every change at once, by ascending id', async () => {
		await idsAt(start);
		expect(await idsAt(start + minute)).toEqual([9]);
		await saveAlarm(10);
		expect(await idsAt(start + minute)).toEqual([9, 10]);
		await store.commit('s', [{ key: { kind: 'alarm', id: 9 }, expected: 1, put: null }]);
		expect(await idsAt(start + minute)).toEqual([10]);
	});

	test('shows a row that became visible after the revision of its commit', async () => {
		// The metadata of a commit can be visible before its rows are.
		const seen: number[] = [];
		let hidden = 1;
		alarms = createSavedAlarms({
			revision: store.revision,
			list: async (schema, kind) => (await store.list(schema, kind)).slice(hidden),
		});
		for (const after of [0, 30_000, minute, 2 * minute]) {
			seen.push(...(await idsAt(start + after)));
			hidden = 0;
		}
		expect(seen).toEqual([9, 9, 9]);
	});

	test('shows no alarm of a schema before that was restored and written anew', async () => {
		const at = { revision: 7, listed: 1, changes: [[]], marks: [1] };
		alarms = createSavedAlarms({ revision: async () => at, list: store.list });
		for (const after of [0, minute]) expect(await idsAt(start + after)).toEqual([9]);
		await saveAlarm(10);
		expect(await idsAt(start + minute)).toEqual([9]);
		at.marks = [2];
		expect(await idsAt(start + minute)).toEqual([9, 10]);
	});

	test('counts the minute from the last change of any row', async () => {
		await idsAt(start);
		await idsAt(start + minute);
		const variable = makeVariableRow(1);
		await store.commit('s', [{ key: { kind: 'variable', id: 1 }, expected: null, put: variable }]);
		lists = 0;
		for (const after of [minute, 2 * minute - 1, 2 * minute, 3 * minute]) await idsAt(start + after);
		expect(lists).toBe(3);
	});

	test('keeps schemas apart', async () => {
		for (const now of [start, start + minute, start + 2 * minute]) {
			expect(await idsAt(now)).toEqual([9]);
			expect(await idsAt(now, 't')).toEqual([]);
		}
	});
});
