import { beforeEach, describe, expect, test } from 'vitest';
import { sessionIds } from '#adapters/session-ids.ts';
import type { OpenIdSession, OpenIdSessions } from '#domain/ports/openid-sessions.ts';
import { makeSession, signedInAt } from '#test/support/builders/identity.ts';

const leaseMs = 10_000;
const now = signedInAt + 60_000;
const found = {
	name: 'Ada (entra)',
	tenants: [{ schema: 's2', database: 'd2', owner: 7, role: 'viewer' } as const],
	claims: { groups: [] },
	idTokenClaims: { sub: ['é'] },
	checkedAt: now,
};

/** Tests of every `OpenIdSessions`. `open` creates an empty one; `races`: how often five take a lease at once. */
export function openIdSessionsContract(name: string, open: () => Promise<OpenIdSessions>, races: number): void {
	describe(`OpenIdSessions: ${name}`, () => {
		let sessions: OpenIdSessions;
		beforeEach(async () => {
			sessions = await open();
		});
		const created = async (overrides: Partial<OpenIdSession> = {}): Promise<OpenIdSession> => {
			const session = makeSession(overrides);
			await sessions.create(session);
			return session;
		};
		const leaseOf = (by: string, from = now) => ({ by, until: from + leaseMs });

		test('returns a session as it was stored, until its end', async () => {
			const session = await created({ providerSession: 'é "x"' });
			expect(await sessions.find(session.id, session.endsAt - 1)).toEqual(session);
			expect(await sessions.find(session.id, session.endsAt)).toBeNull();
			expect(await sessions.find('other', now)).toBeNull();
		});

		test('gives the lease to one of five at once', async () => {
			for (let race = 0; race < races; race += 1) {
				const session = await created({ id: sessionIds.idOf(`sid ${race}`) });
				const outcomes = await Promise.all(
					Array.from({ length: 5 }, (_, index) => sessions.lease(session.id, leaseOf(`by ${index}`), now)),
				);
				expect(outcomes.filter((outcome) => outcome === 'held')).toHaveLength(4);
				expect(outcomes).toContainEqual(session);
			}
		});

		test('gives the lease again to who has it, and to another once it is over or given back', async () => {
			const session = await created();
			const take = (by: string, at: number) => sessions.lease(session.id, leaseOf(by, at), at);
			expect(await take('a', now)).toEqual(session);
			expect(await take('a', now + 1)).toEqual(session);
			expect(await take('b', now + leaseMs)).toBe('held');
			expect(await take('b', now + leaseMs + 1)).toEqual(session);
			await sessions.release(session.id, 'a');
			expect(await take('a', now + leaseMs + 2)).toBe('held');
			await sessions.release(session.id, 'b');
			expect(await take('a', now + leaseMs + 3)).toEqual(session);
		});

		test('gives no lease of a session that is over, removed or unknown, and makes none', async () => {
			const session = await created();
			expect(await sessions.lease(session.id, leaseOf('a'), session.endsAt)).toBeNull();
			await sessions.remove(session.id);
			await sessions.remove(session.id);
			expect(await sessions.lease(session.id, leaseOf('a'), now)).toBeNull();
			await sessions.release(session.id, 'a');
			expect(await sessions.find(session.id, now)).toBeNull();
			expect(await sessions.list()).toEqual([]);
		});

		test('stores what a renewal found, once, counts it and gives the lease back', async () => {
			const session = await created();
			await sessions.lease(session.id, leaseOf('a'), now);
			expect(await sessions.update(session.id, 'b', found)).toBe(false);
			expect(await sessions.update(session.id, 'a', found)).toBe(true);
			const renewed = { ...session, ...found, version: session.version + 1 };
			expect(await sessions.find(session.id, now)).toEqual(renewed);
			expect(await sessions.lease(session.id, leaseOf('b'), now)).toEqual(renewed);
			expect(await sessions.find(session.id, now)).toEqual(renewed);
		});

		test('stores nothing of a renewal whose lease another took, or whose session was removed meanwhile', async () => {
			const session = await created();
			await sessions.lease(session.id, leaseOf('a'), now);
			await sessions.lease(session.id, leaseOf('b', now + leaseMs), now + leaseMs);
			expect(await sessions.update(session.id, 'a', found)).toBe(false);
			await sessions.remove(session.id);
			expect(await sessions.update(session.id, 'b', found)).toBe(false);
			expect(await sessions.find(session.id, now)).toBeNull();
			expect(await sessions.listOf(session.person)).toEqual([]);
		});

		test('says of a session whether a logout of its person ends it: the latest one that is kept', async () => {
			const session = makeSession({ providerSession: 'é "x"', issuedAt: 1000.5 });
			const { person, provider } = session;
			const isOut = (changed: Partial<OpenIdSession> = {}) => sessions.isLoggedOut({ ...session, ...changed });
			const until = signedInAt + 3_600_000;
			const note = (providerSession: string | null, issuedAt: number, of = { person, provider }) =>
				sessions.noteLogout({ ...of, providerSession, issuedAt }, until);
			await note('another', 2000);
			await note(null, 2000, { person: 'person:other', provider });
			await note(null, 2000, { person, provider: 'google' });
			await note('é "x"', 1000);
			expect(await isOut()).toBe(false);
			await note('é "x"', 1000.5);
			await note('é "x"', 999);
			expect([await isOut(), await isOut({ issuedAt: 1001 }), await isOut({ provider: 'google2' })]).toEqual([true, false, true]);
			expect([await isOut({ providerSession: null }), await isOut({ person: 'person:another' })]).toEqual([false, false]);
			await note(null, 1001);
			expect([await isOut({ providerSession: null }), await isOut({ issuedAt: 1001 })]).toEqual([true, true]);
			expect(await isOut({ issuedAt: 1002 })).toBe(false);
			await sessions.create(session);
			expect([await sessions.listOf(person), await sessions.list()]).toEqual([[session], [session]]);
		});

		test('lists the sessions of a person, and all', async () => {
			const stored = await Promise.all([
				created(),
				created({ id: 'b' }),
				created({ id: 'c', person: 'person:other' }),
				created({ id: 'd', provider: 'google' }),
			]);
			const idsOf = (list: readonly OpenIdSession[]) => list.map(({ id }) => id).sort();
			const [first, second, ofOther, ofGoogle] = stored;
			expect(idsOf(await sessions.listOf(first.person))).toEqual(idsOf([first, second, ofGoogle]));
			expect(await sessions.listOf(ofOther.person)).toEqual([ofOther]);
			expect(idsOf(await sessions.list())).toEqual(idsOf(stored));
			expect(await sessions.listOf('person:nobody')).toEqual([]);
		});
	});
}
