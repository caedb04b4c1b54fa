import { expect, test } from 'vitest';
import { sessionIds } from '#adapters/session-ids.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import {
	createSqliteOpenIdSessions,
	createSqliteOpenIdSessionTokens,
} from '#infra/local/adapters/sqlite/sqlite-openid-sessions.ts';
import { isOpenTo } from '#infra/tools/grant/changes.ts';
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

test('a session that cannot be read lets nobody in, and is ended as others are', async () => {
	const database = openDatabase(':memory:');
	const sessions = createSqliteOpenIdSessions(database);
	const [read, unread] = [makeSession(), makeSession({ id: 'unread' })];
	for (const session of [read, unread]) await sessions.create(session);
	const found = { name: 'Ada', tenants: [{ schema: 's', database: 'd', owner: 1, role: 'of a newer release' }] };
	database.prepare("UPDATE openid_session SET found = ? WHERE id = 'unread'").run(JSON.stringify(found));
	const now = signedInAt + 1;
	expect(await sessions.find('unread', now)).toBeNull();
	expect(await sessions.lease('unread', { by: 'a', until: now + 9 }, now)).toBeNull();
	const listed = await sessions.listOf(read.person);
	expect(await sessions.list()).toEqual(listed);
	expect(listed).toContainEqual(read);
	expect(listed.find(({ id }) => id === 'unread')).toMatchObject({ issuedAt: unread.issuedAt, tenants: [], endsAt: 0 });
	const [tenant] = read.tenants;
	if (tenant === undefined) throw new Error('The session has no tenant.');
	expect(listed.filter(isOpenTo({ provider: read.provider, ...tenant }))).toHaveLength(2);
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
