import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { failureWindowMs, type SignInFailures } from '#domain/ports/sign-in-failures.ts';
import { normalizeEmail } from '#domain/ports/users.ts';
import { withFileFaults } from './sqlite-fault.ts';

const table = `
	CREATE TABLE IF NOT EXISTS sign_in_failure (email TEXT NOT NULL, at INTEGER NOT NULL, source TEXT NOT NULL) STRICT;
	CREATE INDEX IF NOT EXISTS sign_in_failure_by_email ON sign_in_failure (email, at);
	CREATE INDEX IF NOT EXISTS sign_in_failure_by_time ON sign_in_failure (at);
`;

const storedSchema = v.array(v.object({ at: v.number(), source: v.string() }));

/** `SignInFailures` in SQLite, for one machine. Each new failure deletes those that are older than the window. */
export function createSqliteSignInFailures(database: DatabaseSync): SignInFailures {
	database.exec(table);
	const insert = database.prepare('INSERT INTO sign_in_failure VALUES (?, ?, ?)');
	const removeOld = database.prepare('DELETE FROM sign_in_failure WHERE at < ?');
	const recent = database.prepare('SELECT at, source FROM sign_in_failure WHERE email = ? AND at >= ? ORDER BY at DESC LIMIT ?');
	return withFileFaults({
		record: async (email, { at, source }) => {
			removeOld.run(at - failureWindowMs);
			insert.run(normalizeEmail(email), at, source);
		},
		recent: async (email, since, limit) => v.parse(storedSchema, recent.all(normalizeEmail(email), since, limit)),
	});
}
