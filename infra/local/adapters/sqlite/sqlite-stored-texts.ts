import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { keysOfStoredEntry } from '#adapters/stored-change.ts';
import type { StoredTexts, TextKind } from '#domain/ports/stored-texts.ts';
import { withFileFaults } from './sqlite-fault.ts';

/** The table of each kind, the columns of its key beside the schema, and those with JSON. */
const tables = {
	definitions: { table: 'row', key: ['kind', 'id'], texts: ['body'] },
	alarmStates: { table: 'alarm_row', key: ['kind', 'alarm_id'], texts: ['body'] },
	alarmEvents: { table: 'alarm_event', key: ['key'], texts: ['body'] },
	changes: { table: 'change', key: ['key'], texts: ['entry', 'before'] },
	reportDays: { table: 'report_day', key: ['report_id', 'kept', 'date'], texts: ['body'] },
	machines: { table: 'machine', key: ['client_id'], texts: ['machine'] },
} as const satisfies Record<TextKind, { table: string; key: readonly string[]; texts: readonly string[] }>;

const rowSchema = v.record(v.string(), v.nullable(v.union([v.string(), v.number()])));

/** `StoredTexts` in SQLite, in the tables of the other stores, which must have been created. */
export function createSqliteStoredTexts(database: DatabaseSync): StoredTexts {
	return withFileFaults({
		rewrite: async (schema, kind, rewrite) => {
			const { table, key, texts } = tables[kind];
			const rows = database.prepare(`SELECT ${[...key, ...texts].join(', ')} FROM ${table} WHERE schema = ?`).iterate(schema);
			// Only the rows that change are kept in memory. They are written after all were read.
			const changed = [];
			for (const stored of rows) {
				const row = v.parse(rowSchema, stored);
				const name = key.map((column) => row[column]).join('#');
				const rewritten = texts.map((column) => [column, rewrittenOf(row[column], (text) => rewrite(text, name))] as const);
				if (rewritten.some(([column, text]) => text !== row[column])) changed.push({ row, rewritten });
			}
			for (const { row, rewritten } of changed) {
				const keys = kind === 'changes' ? keysOfStoredEntry(rewritten[0]?.[1]) : undefined;
				if (keys === null) continue;
				const set = [
					...rewritten,
					...(keys === undefined
						? []
						: ([
								['key', keys.key],
								['time_key', keys.at],
							] as const)),
				];
				database
					.prepare(
						`UPDATE ${table} SET ${set.map(([column]) => `${column} = ?`).join(', ')}
						WHERE schema = ? AND ${[...key, ...texts].map((column) => `${column} IS ?`).join(' AND ')}`,
					)
					.run(...set.map(([, text]) => text), schema, ...[...key, ...texts].map((column) => row[column] ?? null));
			}
		},
	});
}

const rewrittenOf = (text: string | number | null | undefined, rewrite: (text: string) => string): string | null =>
	typeof text === 'string' ? rewrite(text) : null;
