import type { DatabaseSync } from 'node:sqlite';
import type { AlarmStore } from '#domain/ports/alarm-store.ts';
import type { SchemaStore } from '#domain/ports/schema-store.ts';
import { createSqliteAlarmStore } from '#infra/local/adapters/sqlite/sqlite-alarm-store.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { makeBoardRow, makeVariableRow } from '../builders/builders.ts';

/** A schema `s` with variable 1 and alarm 7 on it, in SQLite. */
export interface OperatedSchema {
	readonly database: DatabaseSync;
	readonly store: SchemaStore;
	readonly alarms: AlarmStore;
	/** The numbers of the attempts that were waited for. */
	readonly pauses: number[];
	readonly pause: (attempt: number) => Promise<void>;
}

export const makeOperatedSchema = async (): Promise<OperatedSchema> => {
	const database = openDatabase(':memory:');
	const store = createSqliteSchemaStore(database);
	await store.commit('s', [
		{ key: { kind: 'variable', id: 1 }, expected: null, put: makeVariableRow(1) },
		{ key: { kind: 'alarm', id: 7 }, expected: null, put: { ...makeBoardRow('alarm', 7), database: 'd' } },
	]);
	const pauses: number[] = [];
	const pause = async (attempt: number) => void pauses.push(attempt);
	// Its tests begin soon after 1970, and no event has expired then.
	const alarms = createSqliteAlarmStore(database, 30, () => 0);
	return { database, store, alarms, pauses, pause };
};
