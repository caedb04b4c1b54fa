import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import type { SignInFailures } from '#domain/ports/sign-in-failures.ts';
import { normalizeEmail } from '#domain/use-cases/sign-in.ts';
import { failureWindowMs } from '#domain/use-cases/sign-in-limit.ts';

const table = `
	CREATE TABLE IF NOT EXISTS sign_in_failure (email TEXT NOT NULL, at INTEGER NOT NULL, source TEXT NOT NULL) STRICT;
	CREATE INDEX IF NOT EXISTS sign_in_failure_by_email ON sign_in_failure (email, at);
	CREATE INDEX IF NOT EXISTS sign_in_failure_by_time ON sign_in_failure (at);
`;

const storedSchema = v.object({ at: v.number(), source: v.string() });

/** `SignInFailures` in SQLite, for one machine. What has left the window is forgotten with each new failure. */
export function createSqliteSignInFailures(database: DatabaseSync): SignInFailures {
	database.exec(table);
	const insert = database.prepare('INSERT INTO sign_in_failure VALUES (?, ?, ?)');
	const forget = database.prepare('DELETE FROM sign_in_failure WHERE at < ?');
	const recent = database.prepare('SELECT at, source FROM sign_in_failure WHERE email = ? AND at >= ? ORDER BY at DESC LIMIT ?');
	return {
		record: async (email, { at, source }) => {
			forget.run(at - failureWindowMs);
			insert.run(normalizeEmail(email), at, source);
		},
		recent: async (email, since, limit) =>
			recent.all(normalizeEmail(email), since, limit).map((stored) => v.parse(storedSchema, stored)),
	};
}
