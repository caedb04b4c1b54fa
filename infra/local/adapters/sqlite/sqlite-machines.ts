import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { readable } from '#adapters/invalid-row.ts';
import { defaultJournalDays } from '#adapters/stored-change.ts';
import { parseListedMachine, parseStoredMachine, storedMachineOf } from '#adapters/stored-machine.ts';
import type { Machines } from '#domain/ports/machines.ts';
import { changeWriter } from './sqlite-change-journal.ts';
import { inCommit } from './sqlite-database.ts';
import { withFileFaults } from './sqlite-fault.ts';

const table = `
	CREATE TABLE IF NOT EXISTS machine (
		client_id TEXT NOT NULL PRIMARY KEY, schema TEXT NOT NULL, version INTEGER NOT NULL, machine TEXT NOT NULL, hashes TEXT NOT NULL,
		last_used_at INTEGER
	) STRICT, WITHOUT ROWID;
	CREATE INDEX IF NOT EXISTS machine_by_schema ON machine (schema)
`;

const columns = 'client_id AS clientId, schema, version, machine, hashes, last_used_at AS lastUsedAt';

const storedSchema = v.object({
	clientId: v.string(),
	schema: v.string(),
	version: v.number(),
	machine: v.string(),
	hashes: v.string(),
	lastUsedAt: v.nullable(v.number()),
});

/** `Machines` in SQLite, for one machine. `days`: how many days entries stay in the journal of changes; 0: for ever. */
export function createSqliteMachines(database: DatabaseSync, days: number = defaultJournalDays.changes): Machines {
	database.exec(table);
	const journal = changeWriter(database, days);
	const find = database.prepare(`SELECT ${columns} FROM machine WHERE client_id = ?`);
	const list = database.prepare(`SELECT ${columns} FROM machine WHERE schema = ?`);
	const insert = database.prepare(`
		INSERT INTO machine VALUES (:clientId, :schema, :version, :machine, :hashes, NULL) ON CONFLICT DO NOTHING`);
	const update = database.prepare(`
		UPDATE machine SET version = :version, machine = :machine, hashes = :hashes
		WHERE client_id = :clientId AND version = :replaced`);
	const remove = database.prepare('DELETE FROM machine WHERE client_id = ? AND version = ?');
	const noteUse = database.prepare('UPDATE machine SET last_used_at = ? WHERE client_id = ?');
	return withFileFaults({
		find: async (clientId) => {
			const row = v.parse(v.optional(storedSchema), find.get(clientId));
			if (row === undefined) return null;
			const { lastUsedAt, ...stored } = row;
			return parseStoredMachine(stored, lastUsedAt);
		},
		list: async (schema) =>
			readable(
				schema,
				v.parse(v.array(storedSchema), list.all(schema)),
				({ machine, lastUsedAt }) => parseListedMachine(machine, lastUsedAt),
				({ clientId }) => `machine#${clientId}`,
			),
		save: async (machine, replaced, change) =>
			inCommit(database, () => {
				const { schema, clientId, version } = machine;
				const row = { clientId, version, ...storedMachineOf(machine) };
				// `schema` is a parameter of the first statement only. A parameter that a statement does not have is an error.
				const { changes } = replaced === null ? insert.run({ ...row, schema }) : update.run({ ...row, replaced });
				if (changes === 0) return 'conflict';
				journal.add(schema, [change]);
				return 'saved';
			}),
		remove: async ({ schema, clientId, version }, change) =>
			inCommit(database, () => {
				if (remove.run(clientId, version).changes === 0) return 'conflict';
				journal.add(schema, [change]);
				return 'removed';
			}),
		noteUse: async (clientId, at) => {
			noteUse.run(at, clientId);
		},
	});
}
