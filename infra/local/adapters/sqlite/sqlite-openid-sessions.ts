import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { openTokens, sealTokens } from '#adapters/session-cipher.ts';
import { sessionIds } from '#adapters/session-ids.ts';
import { parseStoredSession, storedFoundOf, storedSessionOf, unended } from '#adapters/stored-session.ts';
import { logoutKey, logoutKeysOf } from '#domain/identity/provider-logout.ts';
import type { OpenIdSession, OpenIdSessions, OpenIdSessionTokens } from '#domain/ports/openid-sessions.ts';
import { inTransaction } from './sqlite-database.ts';
import { withFileFaults } from './sqlite-fault.ts';

/** `lease_by` and `lease_until` are null while nobody has the lease. */
const sessionTable = `
	CREATE TABLE IF NOT EXISTS openid_session (
		id TEXT NOT NULL PRIMARY KEY, person TEXT NOT NULL, provider TEXT NOT NULL, sign_in TEXT NOT NULL, found TEXT NOT NULL,
		version INTEGER NOT NULL, ends_at INTEGER NOT NULL, lease_by TEXT, lease_until INTEGER
	) STRICT, WITHOUT ROWID;
	CREATE INDEX IF NOT EXISTS openid_session_by_person ON openid_session (person);
	CREATE INDEX IF NOT EXISTS openid_session_by_end ON openid_session (ends_at);
`;

const logoutTable = `
	CREATE TABLE IF NOT EXISTS openid_logout (
		key TEXT NOT NULL PRIMARY KEY, issued_at REAL NOT NULL, ends_at INTEGER NOT NULL
	) STRICT, WITHOUT ROWID;
	CREATE INDEX IF NOT EXISTS openid_logout_by_end ON openid_logout (ends_at);
`;

const tokensTable = `
	CREATE TABLE IF NOT EXISTS openid_session_tokens (
		id TEXT NOT NULL PRIMARY KEY, sealed TEXT NOT NULL, ends_at INTEGER NOT NULL
	) STRICT, WITHOUT ROWID;
	CREATE INDEX IF NOT EXISTS openid_session_tokens_by_end ON openid_session_tokens (ends_at);
`;

const columns = 'id, person, provider, sign_in AS signIn, found, version, ends_at AS endsAt';

const sealedSchema = v.optional(v.object({ sealed: v.string() }));

/** `OpenIdSessions` in SQLite, for one machine. A new session deletes the sessions that are over at its beginning, and the logouts. */
export function createSqliteOpenIdSessions(database: DatabaseSync): OpenIdSessions {
	const find = sessionFinder(database);
	database.exec(logoutTable);
	const removeEnded = ['openid_session', 'openid_logout'].map((table) =>
		database.prepare(`DELETE FROM ${table} WHERE ends_at <= ?`),
	);
	const insert = database.prepare(`
		INSERT INTO openid_session VALUES (:id, :person, :provider, :signIn, :found, :version, :endsAt, NULL, NULL)`);
	const takeLease = database.prepare(`
		UPDATE openid_session SET lease_by = :by, lease_until = :until
		WHERE id = :id AND ends_at > :now AND (lease_by IS NULL OR lease_until <= :now OR lease_by = :by) RETURNING ${columns}`);
	const release = database.prepare('UPDATE openid_session SET lease_by = NULL, lease_until = NULL WHERE id = ? AND lease_by = ?');
	const update = database.prepare(`
		UPDATE openid_session SET found = :found, version = version + 1, lease_by = NULL, lease_until = NULL
		WHERE id = :id AND lease_by = :by`);
	const remove = database.prepare('DELETE FROM openid_session WHERE id = ?');
	const noteLogout = database.prepare(`
		INSERT INTO openid_logout VALUES (:key, :issuedAt, :until)
		ON CONFLICT (key) DO UPDATE SET issued_at = :issuedAt, ends_at = :until WHERE issued_at < :issuedAt`);
	const findLogout = database.prepare('SELECT 1 FROM openid_logout WHERE key = ? AND issued_at >= ?');
	const listOf = database.prepare(`SELECT ${columns} FROM openid_session WHERE person = ? ORDER BY id`);
	const list = database.prepare(`SELECT ${columns} FROM openid_session ORDER BY id`);
	const current = (id: string, now: number): OpenIdSession | null => {
		const session = find(id);
		return session === null ? null : unended(session, now);
	};
	return withFileFaults({
		find: async (id, now) => current(id, now),
		create: async (session) =>
			inTransaction(database, () => {
				for (const each of removeEnded) each.run(session.createdAt);
				insert.run(storedSessionOf(session));
			}),
		lease: async (id, { by, until }, now) =>
			inTransaction(database, () => {
				const leased = takeLease.get({ id, by, until, now });
				if (leased !== undefined) return unended(parseStoredSession(leased), now);
				return current(id, now) === null ? null : 'held';
			}),
		release: async (id, by) => {
			release.run(id, by);
		},
		update: async (id, by, found) => update.run({ id, by, found: storedFoundOf(found) }).changes > 0,
		remove: async (id) => {
			remove.run(id);
		},
		noteLogout: async (logout, until) => {
			noteLogout.run({ key: logoutKey(logout), issuedAt: logout.issuedAt, until });
		},
		isLoggedOut: async (session) => logoutKeysOf(session).some((key) => findLogout.get(key, session.issuedAt) !== undefined),
		listOf: async (person) => listOf.all(person).map(parseStoredSession),
		list: async () => list.all().map(parseStoredSession),
	});
}

/** Creates the function that returns a session, also one that is over. Call it in the transaction that relies on the session. */
export function sessionFinder(database: DatabaseSync): (id: string) => OpenIdSession | null {
	database.exec(sessionTable);
	const find = database.prepare(`SELECT ${columns} FROM openid_session WHERE id = ?`);
	return (id) => {
		const row = find.get(id);
		return row === undefined ? null : parseStoredSession(row);
	};
}

/** `OpenIdSessionTokens` in SQLite, for one machine. Each write deletes the rows that may go. */
export function createSqliteOpenIdSessionTokens(database: DatabaseSync, now: () => number = Date.now): OpenIdSessionTokens {
	database.exec(tokensTable);
	const find = database.prepare('SELECT sealed FROM openid_session_tokens WHERE id = ?');
	const removeEnded = database.prepare('DELETE FROM openid_session_tokens WHERE ends_at <= ?');
	const put = database.prepare('INSERT OR REPLACE INTO openid_session_tokens VALUES (?, ?, ?)');
	const remove = database.prepare('DELETE FROM openid_session_tokens WHERE id = ?');
	return withFileFaults({
		find: async (sid) => {
			const id = sessionIds.idOf(sid);
			const row = v.parse(sealedSchema, find.get(id));
			return row === undefined ? null : openTokens(sid, id, row.sealed);
		},
		put: async (sid, tokens, endsAt) =>
			inTransaction(database, () => {
				const id = sessionIds.idOf(sid);
				removeEnded.run(now());
				put.run(id, sealTokens(sid, id, tokens), endsAt);
			}),
		remove: async (id) => {
			remove.run(id);
		},
	});
}
