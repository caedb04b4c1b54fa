import { beforeEach, describe, expect, test } from 'vitest';
import { digest } from '#adapters/session-ids.ts';
import { openIdPersonId } from '#domain/identity/subject.ts';
import { exchangeToken } from '#domain/use-cases/exchange-token.ts';
import { logOutFromProvider } from '#domain/use-cases/log-out-from-provider.ts';
import { signInOpenId } from '#domain/use-cases/sign-in-openid.ts';
import { makeOpenIdDeps, makeProvider, sentCode } from '#test/support/builders/openid-deps.ts';

const at = Date.UTC(2026, 10, 28, 12);
const ada = openIdPersonId(digest, 'https://idp.example', 'ada');
const portal = makeProvider({ name: 'portal', clientId: undefined, audiences: ['caudal'] });

describe('logOutFromProvider', () => {
	let made: ReturnType<typeof makeOpenIdDeps>;
	beforeEach(async () => {
		made = makeOpenIdDeps(at, [makeProvider({}), portal]);
		await made.grant();
		await made.grant({ provider: 'portal' });
	});

	/** Signs in with an ID token of that time, in seconds after `at`, and of that session at the provider. */
	const signIn = async (issuedAfter: number, sid?: string) => {
		made.answers.claims = { sub: 'ada', groups: ['ops'], iat: at / 1000 + issuedAfter, ...(sid === undefined ? {} : { sid }) };
		await signInOpenId(made.deps, sentCode, '203.0.113.7', made.clock.now);
	};
	const exchange = async (issuedAfter: number, sid: string) => {
		const [iat, exp] = [at / 1000 + issuedAfter, at / 1000 + 3600];
		made.answers.claims = { sub: 'ada', groups: ['ops'], iat, exp, sid };
		const deps = { ...made.deps, openId: { ...made.deps.openId, verifyForeign: async () => ({ ...(await foreign()) }) } };
		return exchangeToken(deps, { subjectToken: 'jwt', schema: null, scope: '' }, '203.0.113.7', made.clock.now);
	};
	const foreign = async () => ({ provider: portal, claims: (await made.deps.openId.verifyForeign('jwt')).claims });
	const logOut = (issuedAfter: number, session: string | null = null) => {
		made.answers.logout = { issuedAt: at / 1000 + issuedAfter, session };
		return logOutFromProvider(made.deps, 'jwt');
	};
	const left = async () => (await made.sessions.listOf(ada)).map((each) => [each.issuedAt - at / 1000, each.providerSession]);

	test('ends the sessions that began with an earlier ID token, whatever the clock here says', async () => {
		// This clock is 90 s ahead of the provider's.
		made.clock.now = at + 90_000;
		await signIn(0);
		await signIn(10);
		await signIn(11);
		await logOut(10);
		expect(await left()).toEqual([[11, null]]);
	});

	test('ends the sessions that a token names by its sid, also exchanged ones of another entry of the issuer', async () => {
		await signIn(0, 'one');
		await signIn(0, 'two');
		await exchange(0, 'one');
		await exchange(0, 'two');
		await logOut(5, 'one');
		expect((await left()).sort()).toEqual([
			[0, 'two'],
			[0, 'two'],
		]);
		await logOut(5);
		// Without a sid the logout is one of the client only that it names.
		expect(await left()).toEqual([[0, 'two']]);
	});

	test('a token that comes again ends no new session', async () => {
		await logOut(5);
		await signIn(6);
		await logOut(5);
		expect(await left()).toEqual([[6, null]]);
	});

	test('a sign-in that stores its session only after the logout gets no token', async () => {
		const { create } = made.deps.openIdSessions;
		const late = {
			...made.deps.openIdSessions,
			create: async (session: Parameters<typeof create>[0]) => {
				await logOut(5);
				await create(session);
			},
		};
		made.answers.claims = { sub: 'ada', groups: ['ops'], iat: at / 1000 };
		const signingIn = signInOpenId({ ...made.deps, openIdSessions: late }, sentCode, '203.0.113.7', at);
		await expect(signingIn).rejects.toMatchObject({ code: 'sign_in_refused' });
		expect([made.signed, made.told]).toEqual([[], []]);
	});

	test('a session that the list of the person lacks at first is ended a second later', async () => {
		await signIn(0);
		const { listOf } = made.sessions;
		const lists = [async () => [], listOf];
		const openIdSessions = { ...made.sessions, listOf: (person: string) => (lists.shift() ?? listOf)(person) };
		made.answers.logout = { issuedAt: at / 1000 };
		await logOutFromProvider({ ...made.deps, openIdSessions }, 'jwt');
		expect([await left(), made.clock.now]).toEqual([[], at + 1000]);
	});

	test('a token from before the logout is not exchanged any more, one from after it is', async () => {
		await logOut(5, 'one');
		expect(await exchange(5, 'one')).toEqual({ error: 'invalid_request', cause: 'signed out at the provider' });
		expect(await exchange(5, 'two')).toMatchObject({ scope: 'service' });
		expect(await exchange(6, 'one')).toMatchObject({ scope: 'service' });
		expect(made.signed).toHaveLength(2);
	});
});
