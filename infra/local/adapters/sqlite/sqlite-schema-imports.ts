import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { boardKinds } from '#domain/board/board-kinds.ts';
import type { SchemaImports } from '#domain/ports/schema-imports.ts';
import { inCommit } from './sqlite-database.ts';
import { withFileFaults } from './sqlite-fault.ts';

const markedSchema = v.optional(v.object({ importing: v.nullable(v.string()) }));

/** `SchemaImports` in SQLite, in the tables of `createSqliteSchemaStore`, which must have been created. */
export function createSqliteSchemaImports(database: DatabaseSync): SchemaImports {
	const current = database.prepare('SELECT importing FROM head WHERE schema = ?');
	// Only a schema without a row of `head` gets one here. It has no boards yet, so every count is known: 0.
	const begin = database.prepare(`
		INSERT OR IGNORE INTO head (schema, revision, last_id, importing, ${boardKinds.join()})
		VALUES (?, ?, ?, ?, ${boardKinds.map(() => '0').join()})`);
	const end = database.prepare('UPDATE head SET importing = NULL WHERE schema = ? AND importing = ?');
	return withFileFaults<SchemaImports>({
		current: async (schema) => v.parse(markedSchema, current.get(schema))?.importing ?? null,
		begin: async (schema, { importId, revision, lastId }) =>
			inCommit(database, () => begin.run(schema, revision, lastId, importId).changes > 0),
		end: async (schema, importId) => {
			end.run(schema, importId);
		},
	});
}
