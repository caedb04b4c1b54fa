import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { changeExpiry, storedChangeOf, storedChangesOf, storedEntriesOf } from '#adapters/stored-change.ts';
import type { Change, ChangeEntry } from '#domain/changes/change-entry.ts';
import { changeKeyStart, changeKeyText, changeTimeStart, changeTimeText, itemKeyText } from '#domain/changes/change-key.ts';
import type { ChangeJournal, ChangePageRequest } from '#domain/ports/change-journal.ts';
import { withFileFaults } from './sqlite-fault.ts';

const table = `
	CREATE TABLE IF NOT EXISTS change (
		schema TEXT NOT NULL, key TEXT NOT NULL, time_key TEXT NOT NULL, expires_at INTEGER, entry TEXT NOT NULL, before TEXT,
		PRIMARY KEY (schema, key)
	) STRICT;
	CREATE UNIQUE INDEX IF NOT EXISTS change_by_time ON change (schema, time_key);
	CREATE INDEX IF NOT EXISTS change_by_expiry ON change (expires_at) WHERE expires_at IS NOT NULL;
`;

/**
 * Most entries that one page looks at, whatever its filters leave out: some 30 ms, in which the process answers nobody else. The page then
 * ends early, with a `next`.
 */
const maxEntriesRead = 5000;

/** In place of a row version in a key: it sorts after the digits of every row version. */
const afterAllVersions = '~';

const entrySchema = v.object({ key: v.string(), entry: v.string() });
const storedSchema = v.object({ ...entrySchema.entries, before: v.nullable(v.string()) });

/** Adds changes to the journal of a schema. Call both functions in the transaction of the commit that makes the changes. */
export interface ChangeWriter {
	/** Returns false when a change with one of their keys is stored already. */
	areNew(schema: string, changes: readonly Change[]): boolean;
	/** Adds new changes, and deletes the expired changes of all schemas. */
	add(schema: string, changes: readonly Change[]): void;
}

/** Creates the writer of changes. `days`: how many days a change stays in the journal; 0: for ever. */
export function changeWriter(database: DatabaseSync, days: number): ChangeWriter {
	database.exec(table);
	const find = database.prepare('SELECT 1 FROM change WHERE schema = ? AND key = ?');
	const removeExpired = database.prepare('DELETE FROM change WHERE expires_at <= ?');
	const insert = database.prepare('INSERT INTO change VALUES (?, ?, ?, ?, ?, ?)');
	return {
		areNew: (schema, changes) => changes.every(({ entry }) => find.get(schema, changeKeyText(entry)) === undefined),
		add: (schema, changes) => {
			for (const change of changes) {
				const { entry, before } = storedChangeOf(change);
				const { at } = change.entry;
				removeExpired.run(at);
				const key = changeKeyText(change.entry);
				const timeKey = changeTimeText(change.entry);
				insert.run(schema, key, timeKey, changeExpiry(change.entry, days), entry, before);
			}
		},
	};
}

/** `ChangeJournal` in SQLite, for one machine. `now`: epoch milliseconds. */
export function createSqliteChangeJournal(database: DatabaseSync, now: () => number = Date.now): ChangeJournal {
	database.exec(table);
	const isAlive = '(expires_at IS NULL OR expires_at > :now)';
	const byTime = database.prepare(`
		SELECT time_key AS key, entry FROM change
		WHERE schema = :schema AND time_key >= :first AND time_key < :last AND ${isAlive} ORDER BY time_key DESC LIMIT ${maxEntriesRead + 1}`);
	const ofItem = database.prepare(`
		SELECT key, entry, before FROM change
		WHERE schema = :schema AND key >= :first AND key < :last AND ${isAlive} ORDER BY key LIMIT :limit`);
	const byKey = database.prepare(`SELECT key, entry FROM change WHERE schema = :schema AND ${isAlive} ORDER BY key`);
	const page = (schema: string, request: ChangePageRequest) => {
		const endKey = changeTimeStart(request.end);
		const last = request.after === null || request.after > endKey ? endKey : request.after;
		const entries: ChangeEntry[] = [];
		/** The key of the last entry that was looked at, after which the next page goes on. */
		let lastKey: string | null = null;
		let readCount = 0;
		for (const row of byTime.iterate({ schema, first: changeTimeStart(request.start), last, now: now() })) {
			if (entries.length === request.limit || readCount === maxEntriesRead) return { entries, next: lastKey };
			const stored = v.parse(entrySchema, row);
			lastKey = stored.key;
			readCount += 1;
			entries.push(...storedEntriesOf(schema, [stored]).filter((entry) => matches(entry, request)));
		}
		return { entries, next: null };
	};
	return withFileFaults({
		page: async (schema, request) => page(schema, request),
		history: async (schema, item, from, limit) => {
			const last = `${itemKeyText(item)}${afterAllVersions}`;
			const first = changeKeyStart({ ...item, rowVersion: from });
			const rows = ofItem.all({ schema, first, last, now: now(), limit });
			return storedChangesOf(schema, v.parse(v.array(storedSchema), rows));
		},
		all: async (schema) => storedEntriesOf(schema, v.parse(v.array(entrySchema), byKey.all({ schema, now: now() }))),
	});
}

/** Whether an entry passes the filters of a request. Null: no filter. */
const matches = (entry: ChangeEntry, { kinds, itemId, actor }: ChangePageRequest): boolean =>
	kinds.includes(entry.kind) && (itemId === null || entry.itemId === itemId) && (actor === null || entry.actor.id === actor);
