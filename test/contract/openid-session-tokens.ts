import { beforeEach, describe, expect, test } from 'vitest';
import { openTokens } from '#adapters/session-cipher.ts';
import { sessionIds } from '#adapters/session-ids.ts';
import type { OpenIdSessions, OpenIdSessionTokens } from '#domain/ports/openid-sessions.ts';
import { makeSession, signedInAt } from '#test/support/builders/identity.ts';

/** Tokens, the sessions that they are of, and what is stored of both. */
export interface SessionTokensBackend {
	readonly sessions: OpenIdSessions;
	readonly tokens: OpenIdSessionTokens;
	/** Returns every stored row of sessions and of tokens. */
	readonly dump: () => Promise<readonly Readonly<Record<string, unknown>>[]>;
	/** Stores the row of tokens of one session under the id of another one. */
	readonly copy: (id: string, to: string) => Promise<void>;
}

const endsAt = signedInAt + 3_600_000;
const secrets = { refreshToken: 'refresh é "token"', idToken: 'a.b.c' };

/** Tests of every `OpenIdSessionTokens`. `open` creates an empty one. */
export function openIdSessionTokensContract(name: string, open: () => Promise<SessionTokensBackend>): void {
	describe(`OpenIdSessionTokens: ${name}`, () => {
		let backend: SessionTokensBackend;
		beforeEach(async () => {
			backend = await open();
		});

		test('returns the tokens that were put last, also none', async () => {
			const { tokens } = backend;
			const sid = sessionIds.newSid();
			expect(await tokens.find(sid)).toBeNull();
			await tokens.put(sid, secrets, endsAt);
			expect(await tokens.find(sid)).toEqual(secrets);
			await tokens.put(sid, { refreshToken: null, idToken: null }, endsAt);
			expect(await tokens.find(sid)).toEqual({ refreshToken: null, idToken: null });
		});

		test('finds nothing after a removal, and another session keeps its own', async () => {
			const { tokens } = backend;
			const [sid, other] = [sessionIds.newSid(), sessionIds.newSid()];
			await tokens.put(sid, secrets, endsAt);
			await tokens.put(other, { ...secrets, idToken: null }, endsAt);
			await tokens.remove(sessionIds.idOf(sid));
			await tokens.remove(sessionIds.idOf(sid));
			expect([await tokens.find(sid), await tokens.find(other)]).toEqual([null, { ...secrets, idToken: null }]);
		});

		test('opens with no other sid, and no row under the id of another session', async () => {
			const { tokens, copy } = backend;
			const [sid, other] = [sessionIds.newSid(), sessionIds.newSid()];
			await tokens.put(sid, secrets, endsAt);
			await copy(sessionIds.idOf(sid), sessionIds.idOf(other));
			expect(await tokens.find(other)).toBeNull();
			expect(await tokens.find(sessionIds.idOf(sid))).toBeNull();
		});

		test('holds nothing in its rows and in those of sessions that opens the tokens', async () => {
			const { tokens, sessions, dump } = backend;
			const sid = sessionIds.newSid();
			const id = sessionIds.idOf(sid);
			await sessions.create(makeSession({ id }));
			await tokens.put(sid, secrets, endsAt);
			const rows = await dump();
			const text = JSON.stringify(rows);
			for (const secret of [sid, ...Object.values(secrets)]) expect(text).not.toContain(secret);
			const values = rows.flatMap((row) => Object.values(row).map(String));
			const sealed = values.filter((value) => openTokens(sid, id, value) !== null);
			expect(sealed).toHaveLength(1);
			for (const key of values) for (const value of values) expect(openTokens(key, id, value)).toBeNull();
		});
	});
}
