import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { claimMs, type Idempotency } from '#domain/ports/idempotency.ts';
import type { IdempotencyRecord } from '#domain/ports/schema-store.ts';
import { inTransaction } from './sqlite-database.ts';
import { withFileFaults } from './sqlite-fault.ts';

/** `until`: when a claim or a stored response expires. `response` is null while the request of the claim runs. */
const table = `
	CREATE TABLE IF NOT EXISTS idempotency (
		key TEXT PRIMARY KEY, token TEXT NOT NULL, fingerprint TEXT NOT NULL, until INTEGER NOT NULL, response TEXT
	) STRICT, WITHOUT ROWID;
	CREATE INDEX IF NOT EXISTS idempotency_by_time ON idempotency (until);
`;

const storedSchema = v.object({ fingerprint: v.string(), response: v.nullable(v.string()) });

/** `Idempotency` in SQLite, for one machine, in the database of the rows. Each new claim deletes expired rows. */
export function createSqliteIdempotency(database: DatabaseSync): Idempotency {
	database.exec(table);
	const removeExpired = database.prepare('DELETE FROM idempotency WHERE until <= ?');
	const find = database.prepare('SELECT fingerprint, response FROM idempotency WHERE key = ?');
	const insert = database.prepare('INSERT INTO idempotency VALUES (?, ?, ?, ?, NULL)');
	const release = database.prepare('DELETE FROM idempotency WHERE key = ? AND token = ? AND response IS NULL');
	return withFileFaults({
		claim: async ({ key, token }, fingerprint, now) =>
			inTransaction(database, () => {
				removeExpired.run(now);
				const stored = find.get(key);
				if (stored === undefined) {
					insert.run(key, token, fingerprint, now + claimMs);
					return { state: 'claimed' };
				}
				const { fingerprint: firstFingerprint, response } = v.parse(storedSchema, stored);
				if (firstFingerprint !== fingerprint) return { state: 'other_request' };
				return response === null ? { state: 'running' } : { state: 'done', response };
			}),
		release: async ({ key, token }) => {
			release.run(key, token);
		},
	});
}

/**
 * Creates the function that stores an idempotency record and returns whether the claim still holds. Call it in the transaction of the
 * record's commit.
 */
export function idempotencyRecordWriter(database: DatabaseSync) {
	database.exec(table);
	const update = database.prepare(
		'UPDATE idempotency SET response = ?, until = ? WHERE key = ? AND token = ? AND response IS NULL',
	);
	return ({ claim, response, keepUntil }: IdempotencyRecord): boolean =>
		update.run(response, keepUntil, claim.key, claim.token).changes > 0;
}
