import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { type AttemptScope, attemptWindowMs, knownSourceMs, type SignInAttempts } from '#domain/ports/sign-in-attempts.ts';
import { withFileFaults } from './sqlite-fault.ts';

const tables = `
	CREATE TABLE IF NOT EXISTS sign_in_attempt (
		scope TEXT, id TEXT, at INTEGER NOT NULL, PRIMARY KEY (scope, id)
	) STRICT, WITHOUT ROWID;
	CREATE INDEX IF NOT EXISTS sign_in_attempt_by_time ON sign_in_attempt (at);
	CREATE TABLE IF NOT EXISTS known_source (
		email TEXT, source TEXT, at INTEGER NOT NULL, PRIMARY KEY (email, source)
	) STRICT, WITHOUT ROWID;
`;

const timesSchema = v.array(v.object({ at: v.number() }));

/** `SignInAttempts` in SQLite, for one machine. Adding a row deletes the expired rows of its table. */
export function createSqliteSignInAttempts(database: DatabaseSync): SignInAttempts {
	database.exec(tables);
	const removeOld = database.prepare('DELETE FROM sign_in_attempt WHERE at <= ?');
	// Inserts nothing once there are `limit` attempts since `since`.
	const insert = database.prepare(`
		INSERT INTO sign_in_attempt SELECT :scope, :id, :at
		WHERE (SELECT count(*) FROM sign_in_attempt WHERE scope = :scope AND at > :since) < :limit`);
	const times = database.prepare('SELECT at FROM sign_in_attempt WHERE scope = ? AND at > ? ORDER BY at DESC');
	const remove = database.prepare('DELETE FROM sign_in_attempt WHERE scope = ? AND id = ?');
	const forgetSources = database.prepare('DELETE FROM known_source WHERE at <= ?');
	const remember = database.prepare('INSERT OR REPLACE INTO known_source VALUES (?, ?, ?)');
	const findSource = database.prepare('SELECT at FROM known_source WHERE email = ? AND source = ? AND at > ?');
	return withFileFaults({
		count: async (scope, { id, at }, limit) => {
			const since = at - attemptWindowMs;
			removeOld.run(since);
			const { changes } = insert.run({ scope: scopeKey(scope), id, at, since, limit });
			// Empty when this attempt was counted; otherwise the times of the attempts that fill the limit.
			return changes > 0 ? [] : v.parse(timesSchema, times.all(scopeKey(scope), since)).map((row) => row.at);
		},
		withdraw: async (scope, { id }) => {
			remove.run(scopeKey(scope), id);
		},
		remember: async (email, source, at) => {
			forgetSources.run(at - knownSourceMs);
			remember.run(email, source, at);
		},
		isKnown: async (email, source, now) => findSource.get(email, source, now - knownSourceMs) !== undefined,
	});
}

const scopeKey = ({ email, source }: AttemptScope): string => JSON.stringify([email, source]);
