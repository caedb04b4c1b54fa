import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { ownerKey, ownershipsOf } from '#adapters/owner-key.ts';
import type { Owners, WrittenSchemas } from '#domain/ports/owners.ts';
import { withFileFaults } from './sqlite-fault.ts';

const table = 'CREATE TABLE IF NOT EXISTS owner (key TEXT PRIMARY KEY, client_id INTEGER NOT NULL) STRICT, WITHOUT ROWID';

const storedSchema = v.optional(v.object({ clientId: v.number() }));
const namesSchema = v.array(v.object({ schema: v.string() }));

/** `Owners` in SQLite, for one machine. */
export function createSqliteOwners(database: DatabaseSync): Owners {
	database.exec(table);
	const find = database.prepare('SELECT client_id AS clientId FROM owner WHERE key = ?');
	// Claims all of the keys, or none: none when another client owns one of them.
	const claim = database.prepare(`
		INSERT OR IGNORE INTO owner SELECT value, :clientId FROM json_each(:keys)
		WHERE NOT EXISTS (SELECT 1 FROM owner WHERE key IN (SELECT value FROM json_each(:keys)) AND client_id <> :clientId)`);
	const set = database.prepare('INSERT OR REPLACE INTO owner VALUES (?, ?)');
	const list = database.prepare('SELECT key, client_id AS clientId FROM owner');
	const ownerOf = (key: string): number | null => v.parse(storedSchema, find.get(key))?.clientId ?? null;
	return withFileFaults({
		find: async (owned) => ownerOf(ownerKey(owned)),
		claim: async (names, clientId) => {
			const keys = names.map(ownerKey);
			claim.run({ keys: JSON.stringify(keys), clientId });
			return keys.every((key) => ownerOf(key) === clientId);
		},
		set: async ({ clientId, ...owned }) => {
			set.run(ownerKey(owned), clientId);
		},
		list: async () => ownershipsOf(list.all()),
	});
}

/** `WrittenSchemas` in SQLite, from the tables of `createSqliteSchemaStore`, which must have been created. */
export function createSqliteWrittenSchemas(database: DatabaseSync): WrittenSchemas {
	const has = database.prepare('SELECT 1 FROM head WHERE schema = ? AND revision > 0');
	const list = database.prepare('SELECT schema FROM head WHERE revision > 0 ORDER BY schema');
	return withFileFaults({
		has: async (schema) => has.get(schema) !== undefined,
		list: async () => v.parse(namesSchema, list.all()).map(({ schema }) => schema),
	});
}
