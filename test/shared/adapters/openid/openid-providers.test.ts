import type { RequestListener } from 'node:http';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createOpenIdProviders } from '#adapters/openid/openid-providers.ts';
import { type Secret, staticSecret } from '#adapters/secret.ts';
import { isOutage } from '#domain/identity/provider-outage.ts';
import { type InteractiveProvider, interactiveProvider, openIdProvidersSchema } from '#domain/identity/provider-settings.ts';
import {
	documentPath,
	endless,
	type FakeProvider,
	first,
	json,
	type KeyName,
	lost,
	publicJwk,
	redirect,
	signToken,
	startFakeProvider,
	tooLong,
} from '#test/support/servers/fake-provider.ts';

const start = Date.UTC(2026, 10, 21, 12);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const sent = { code: 'a-code', codeVerifier: 'a-verifier', redirectUri: 'https://console.example/console' };
const failed = { code: 'dependency_failed' };

let fake: FakeProvider;
let now: number;
beforeEach(async () => {
	now = start;
	fake = await startFakeProvider();
});
afterEach(() => fake.close());

interface Options {
	readonly settings?: Readonly<Record<string, unknown>>;
	readonly secret?: Secret;
	readonly timeoutMs?: number;
	readonly fetch?: typeof fetch;
}

function create({ settings = {}, secret = staticSecret('s'), timeoutMs = 3000, fetch }: Options = {}) {
	const settingsOf = { name: 'fake', label: 'Fake', issuer: fake.issuer, clientId: 'c', audiences: ['urn:caudal'], ...settings };
	const adapter = createOpenIdProviders({
		providers: v.parse(openIdProvidersSchema, [settingsOf]),
		secrets: () => secret,
		timeoutMs,
		httpToo: false,
		now: () => now,
		...(fetch === undefined ? {} : { fetch }),
	});
	const provider = interactiveProvider(adapter.providers, 'fake');
	if (provider === null) throw new Error('The settings have no provider.');
	return { adapter, provider };
}

const tokenOf = (claims: Readonly<Record<string, unknown>>, key: KeyName = 'rsa', kid: string = key): string => {
	const times = { iat: now / 1000, exp: now / 1000 + 300 };
	return signToken(key, { alg: 'RS256', kid }, { iss: fake.issuer, sub: 's', ...times, ...claims });
};
const idToken = (key?: KeyName) => tokenOf({ aud: 'c', nonce: 'n' }, key);
const foreignToken = (key?: KeyName, kid?: string) => tokenOf({ aud: 'urn:caudal' }, key, kid);

describe('the document', () => {
	const ask = ({ adapter, provider }: ReturnType<typeof create>) => adapter.authorization(provider);

	test('says where the page goes, and whether the provider names itself', async () => {
		expect(await ask(create())).toEqual({ authorizationEndpoint: `${fake.issuer}/authorize`, requiresIssuer: true });
		delete fake.document['authorization_response_iss_parameter_supported'];
		expect(await ask(create())).toMatchObject({ requiresIssuer: false });
	});

	test.each([
		['https://idp.example/token', 'fulfilled'],
		['https://169.254.169.254/token', 'rejected'],
		['http://127.0.0.1:9001/token', 'rejected'],
	])('of a provider elsewhere that names %s is %s', async (address, outcome) => {
		const issuer = 'https://idp.example';
		const document = { issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: address };
		const { adapter, provider } = create({ settings: { issuer }, fetch: async () => Response.json(document) });
		const [{ status }] = await Promise.allSettled([adapter.authorization(provider)]);
		expect(status).toBe(outcome);
	});

	test('is kept for an hour, and up to a day while the provider fails', async () => {
		const created = create();
		await ask(created);
		now += hourMs - 1;
		await ask(created);
		expect(fake.count(documentPath)).toBe(1);
		fake.answers.set(documentPath, json(500, {}));
		for (now of [start + hourMs, start + 24 * hourMs - 1]) await ask(created);
		expect(fake.count(documentPath)).toBe(3);
		now = start + 24 * hourMs;
		await expect(ask(created)).rejects.toMatchObject(failed);
	});

	test('is read again at once after a failure', async () => {
		fake.answers.set(documentPath, first(json(500, {}), json(200, fake.document)));
		const created = create();
		await expect(ask(created)).rejects.toMatchObject(failed);
		expect(await ask(created)).toMatchObject({ requiresIssuer: true });
	});

	test('is asked for at the issuer without its last slash, which it has to have', async () => {
		const issuer = `${fake.issuer}/`;
		fake.document['issuer'] = issuer;
		expect(await ask(create({ settings: { issuer } }))).toMatchObject({ requiresIssuer: true });
		expect(fake.count(documentPath)).toBe(1);
	});

	test('is asked for once by several at a time', async () => {
		const created = create();
		await Promise.all([ask(created), ask(created), ask(created)]);
		expect(fake.count(documentPath)).toBe(1);
	});
});

describe('the keys', () => {
	const verify = ({ adapter, provider }: ReturnType<typeof create>, key?: KeyName) =>
		adapter.verifyIdToken(provider, idToken(key), { nonce: 'n' });

	test('are kept for 10 minutes', async () => {
		const created = create();
		await verify(created);
		now += 10 * minuteMs - 1;
		await verify(created);
		expect(fake.count('/keys')).toBe(1);
		now += 1;
		await verify(created);
		expect(fake.count('/keys')).toBe(2);
		now += 10 * minuteMs;
		fake.answers.set('/keys', json(500, {}));
		await expect(verify(created)).rejects.toMatchObject(failed);
	});

	test('are read again at once for a token of the token endpoint', async () => {
		const created = create();
		await verify(created);
		fake.publish(publicJwk('rsa'), publicJwk('nextRsa'));
		expect(await verify(created, 'nextRsa')).toMatchObject({ sub: 's' });
		expect(fake.count('/keys')).toBe(2);
	});

	test('are read once for 50 tokens of others with new kids, and again after 30 s', async () => {
		const { adapter } = create();
		const forge = () =>
			Promise.allSettled(Array.from({ length: 50 }, (_, each) => adapter.verifyForeign(foreignToken('nextRsa', `new-${each}`))));
		await adapter.verifyForeign(foreignToken());
		now += minuteMs;
		const outcomes = await forge();
		expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
		expect(fake.count('/keys')).toBe(2);
		now += 29_999;
		await forge();
		expect(fake.count('/keys')).toBe(2);
		fake.publish(publicJwk('nextRsa'));
		now += 1;
		expect(await adapter.verifyForeign(foreignToken('nextRsa'))).toMatchObject({ claims: { sub: 's' } });
	});

	test('of the settings are used in place of those of the provider, which is not asked', async () => {
		const { adapter } = create({ settings: { keys: { keys: [publicJwk('nextRsa')] } } });
		expect(await adapter.verifyForeign(foreignToken('nextRsa'))).toMatchObject({ provider: { name: 'fake' } });
		await expect(adapter.verifyForeign(foreignToken())).rejects.toMatchObject({ code: 'sign_in_refused' });
		expect(fake.requests).toEqual([]);
	});

	test('of an unknown form are left out', async () => {
		fake.publish({ kid: 'rsa' }, { kty: 'unknown', kid: 'x' }, publicJwk('rsa'));
		expect(await verify(create())).toMatchObject({ sub: 's' });
	});
});

describe('the token endpoint', () => {
	const tokens = { access_token: 'access', id_token: 'id', refresh_token: 'refresh', token_type: 'Bearer' };
	const redeem = ({ adapter, provider }: ReturnType<typeof create>) => adapter.redeem(provider, sent);

	test('gets the code with its verifier, and the id of a client without a secret', async () => {
		fake.answers.set('/token', json(200, tokens));
		const created = create();
		expect(await redeem(created)).toEqual({ idToken: 'id', accessToken: 'access', refreshToken: 'refresh' });
		const [request] = fake.requests.filter(({ path }) => path === '/token');
		expect(Object.fromEntries(request?.form ?? [])).toEqual({
			grant_type: 'authorization_code',
			code: 'a-code',
			code_verifier: 'a-verifier',
			redirect_uri: sent.redirectUri,
			client_id: 'c',
		});
		// None of them is sent over a connection from before.
		expect(fake.requests.map(({ connection }) => connection)).toEqual(['close', 'close']);
		fake.answers.set('/token', json(200, { access_token: 'next' }));
		expect(await created.adapter.refresh(created.provider, 'refresh', 'ada')).toEqual({
			idToken: null,
			accessToken: 'next',
			refreshToken: null,
		});
		expect(Object.fromEntries(fake.requests.at(-1)?.form ?? [])).toEqual({
			grant_type: 'refresh_token',
			refresh_token: 'refresh',
			client_id: 'c',
		});
	});

	test.each<[string, string, boolean, RequestListener]>([
		['503', 'dependency_failed', true, json(503, { error: 'invalid_grant' })],
		['429', 'dependency_failed', true, json(429, {})],
		['a redirect', 'dependency_failed', true, redirect('https://maintenance.example', tokens)],
		['a page', 'dependency_failed', true, (_, response) => void response.end('<html>')],
		['a lost answer', 'dependency_failed', true, lost],
		['no answer', 'dependency_slow', true, () => undefined],
		['a body that never ends', 'dependency_slow', true, endless],
		['its refusal of the client', 'dependency_failed', false, json(401, { error: 'invalid_client' })],
		['403 of any form', 'dependency_failed', false, (_, response) => void response.writeHead(403).end('<html>')],
		['404', 'dependency_failed', false, json(404, {})],
		['JSON of another form', 'dependency_failed', false, json(200, {})],
		['an answer that is too long', 'dependency_failed', false, tooLong(tokens)],
	])('with %s is %s (down: %s) for a refresh', async (_, code, isDown, listener) => {
		fake.answers.set('/token', listener);
		const { adapter, provider } = create({ timeoutMs: 200 });
		const error: unknown = await adapter.refresh(provider, 'r', 'ada').catch((caught: unknown) => caught);
		expect([error, isOutage(error)]).toEqual([expect.objectContaining({ code }), isDown]);
	});

	test('that cannot be reached is down', async () => {
		const created = create();
		await created.adapter.authorization(created.provider);
		fake.close();
		const error: unknown = await created.adapter.refresh(created.provider, 'r', 'ada').catch((caught: unknown) => caught);
		expect(isOutage(error)).toBe(true);
	});

	test('gets no refresh token while the provider is silent: its document is read first', async () => {
		fake.answers.set('/token', first(lost, json(200, tokens)));
		const { adapter, provider } = create();
		const refresh = () => adapter.refresh(provider, 'r', 'ada');
		await expect(refresh()).rejects.toMatchObject(failed);
		fake.answers.set(documentPath, first(json(503, {}), json(200, fake.document)));
		await expect(refresh()).rejects.toMatchObject(failed);
		expect([fake.count('/token'), fake.count(documentPath)]).toEqual([1, 2]);
		expect(await refresh()).toMatchObject({ accessToken: 'access' });
		await refresh();
		expect([fake.count('/token'), fake.count(documentPath)]).toEqual([3, 3]);
	});

	test('is not asked for 10 s after three people’s refresh tokens had no answer, and then once', async () => {
		fake.answers.set('/token', json(503, {}));
		const { adapter, provider } = create();
		const refresh = (person: string, refreshToken = person) => adapter.refresh(provider, refreshToken, person);
		// One person's faults do not keep the others from being asked about.
		for (const session of ['1', '2', '3']) await expect(refresh('a', session)).rejects.toMatchObject(failed);
		for (const other of ['b', 'c']) await expect(refresh(other)).rejects.toMatchObject(failed);
		expect(fake.count('/token')).toBe(5);
		now += 9999;
		const error: unknown = await refresh('d').catch((caught: unknown) => caught);
		expect([error, isOutage(error)]).toEqual([
			expect.objectContaining({ code: 'dependency_slow', payload: expect.objectContaining({ retryAfterMs: 10_000 }) }),
			true,
		]);
		now += 1;
		await Promise.allSettled(['d', 'e', 'f'].map((person) => refresh(person)));
		expect(fake.count('/token')).toBe(6);
		now += 10_000;
		fake.answers.set('/token', json(200, tokens));
		expect(await refresh('d')).toMatchObject({ accessToken: 'access' });
		await Promise.all(['e', 'f', 'b'].map((person) => refresh(person)));
		// A sign-in does not wait for the circuit.
		expect(await redeem({ adapter, provider })).toMatchObject({ accessToken: 'access' });
	});

	test('that says no is no outage: nobody else’s check is left out', async () => {
		fake.answers.set('/token', json(400, { error: 'invalid_grant' }));
		const { adapter, provider } = create();
		for (const each of ['a', 'b', 'c', 'd', 'e']) expect(await adapter.refresh(provider, each, each)).toBe('invalid_grant');
		expect(fake.count(documentPath)).toBe(1);
	});

	test('gets a changed secret with the next request: a code is sent once', async () => {
		const read: string[] = [];
		const secret: Secret = {
			value: async () => 'old',
			refresh: async (refused) => {
				read.push(refused);
				return 'new';
			},
		};
		const created = create({ settings: { secret: true, clientAuthentication: 'post' }, secret });
		fake.answers.set('/token', first(json(401, { error: 'invalid_client' }), json(200, tokens)));
		await expect(redeem(created)).rejects.toMatchObject(failed);
		expect([fake.count('/token'), read]).toEqual([1, []]);
		expect(await redeem(created)).toMatchObject({ accessToken: 'access' });
		expect([fake.requests.at(-1)?.form.get('client_secret'), read]).toEqual(['new', ['old']]);
	});

	test('has the time limit together with the secret', async () => {
		const secret: Secret = { value: () => new Promise(() => undefined), refresh: async () => 's' };
		const created = create({ settings: { secret: true }, secret, timeoutMs: 100 });
		await expect(redeem(created)).rejects.toMatchObject({ code: 'dependency_slow' });
		expect(fake.count('/token')).toBe(0);
	});
});

describe('signing out', () => {
	const revoke = ({ adapter, provider }: { adapter: ReturnType<typeof create>['adapter']; provider: InteractiveProvider }) =>
		adapter.revoke(provider, 'refresh');

	test('revokes a refresh token', async () => {
		fake.answers.set('/revoke', (_, response) => void response.end());
		await revoke(create({ settings: { secret: true, clientAuthentication: 'post' } }));
		expect(Object.fromEntries(fake.requests.at(-1)?.form ?? [])).toEqual({
			token: 'refresh',
			token_type_hint: 'refresh_token',
			client_id: 'c',
			client_secret: 's',
		});
	});

	test('succeeds with a provider that fails, is slow or cannot revoke', async () => {
		fake.answers.set('/revoke', json(500, {}));
		await revoke(create());
		fake.answers.set('/revoke', endless);
		const begunAt = performance.now();
		// It has a limit of its own, of 2 s.
		await revoke(create({ timeoutMs: 25_000 }));
		expect(performance.now() - begunAt).toBeLessThan(15_000);
		delete fake.document['revocation_endpoint'];
		await revoke(create());
		expect(fake.count('/revoke')).toBe(2);
		fake.answers.set(documentPath, json(500, {}));
		const { adapter, provider } = create();
		await adapter.revoke(provider, 'refresh');
		expect(await adapter.endSessionEndpoint(provider)).toBeNull();
	});

	test('knows the address that ends the session, if there is one', async () => {
		const { adapter, provider } = create();
		expect(await adapter.endSessionEndpoint(provider)).toBe(`${fake.issuer}/logout`);
		delete fake.document['end_session_endpoint'];
		const without = create();
		expect(await without.adapter.endSessionEndpoint(without.provider)).toBeNull();
	});

	test('finds the client of a logout token among those of one issuer', async () => {
		const both = ['first', 'second'].map((name) => ({ name, label: name, issuer: fake.issuer, clientId: `${name}-client` }));
		const adapter = createOpenIdProviders({
			providers: v.parse(openIdProvidersSchema, both),
			secrets: () => staticSecret('s'),
			timeoutMs: 3000,
			httpToo: false,
			now: () => now,
		});
		const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
		const { provider, claims } = await adapter.verifyLogoutToken(tokenOf({ aud: 'second-client', events, sid: 'x' }));
		expect([provider.name, claims]).toEqual([
			'second',
			{ issuer: fake.issuer, subject: 's', session: 'x', issuedAt: now / 1000 },
		]);
	});
});
