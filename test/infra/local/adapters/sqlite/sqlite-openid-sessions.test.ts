import { expect, test } from 'vitest';
import { sessionIds } from '#adapters/session-ids.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import {
	createSqliteOpenIdSessions,
	createSqliteOpenIdSessionTokens,
} from '#infra/local/adapters/sqlite/sqlite-openid-sessions.ts';
import { openIdSessionTokensContract } from '#test/contract/openid-session-tokens.ts';
import { openIdSessionsContract } from '#test/contract/openid-sessions.ts';
import { makeSession, signedInAt } from '#test/support/builders/identity.ts';

openIdSessionsContract('SQLite', async () => createSqliteOpenIdSessions(openDatabase(':memory:')), 200);

openIdSessionTokensContract('SQLite', async () => {
	const database = openDatabase(':memory:');
	const tokens = createSqliteOpenIdSessionTokens(database);
	const copy = database.prepare(
		'INSERT INTO openid_session_tokens SELECT ?, sealed, ends_at FROM openid_session_tokens WHERE id = ?',
	);
	return {
		sessions: createSqliteOpenIdSessions(database),
		tokens,
		dump: async () =>
			['openid_session', 'openid_session_tokens'].flatMap((table) => database.prepare(`SELECT * FROM ${table}`).all()),
		copy: async (id, to) => {
			copy.run(to, id);
		},
	};
});

test('deletes the rows of sessions that are over', async () => {
	const database = openDatabase(':memory:');
	const sessions = createSqliteOpenIdSessions(database);
	const tokens = createSqliteOpenIdSessionTokens(database, () => signedInAt);
	await sessions.create(makeSession({ id: 'over', endsAt: signedInAt }));
	await tokens.put('over', { refreshToken: 'r', idToken: null }, signedInAt);
	await sessions.create(makeSession());
	await tokens.put('sid', { refreshToken: 'r', idToken: null }, signedInAt + 1);
	const idsIn = (table: string) => database.prepare(`SELECT id FROM ${table}`).all();
	expect(idsIn('openid_session')).toEqual([{ id: makeSession().id }]);
	expect(idsIn('openid_session_tokens')).toEqual([{ id: sessionIds.idOf('sid') }]);
});
