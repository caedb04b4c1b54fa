import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Grant } from '#domain/identity/grants.ts';
import type { LocalServer } from '#infra/local/server.ts';
import { endSessions } from '#infra/tools/end-sessions.ts';
import { addGrant, deleteGrant, isOpenTo } from '#infra/tools/grant/changes.ts';
import { createFormBrowser, type FormBrowser } from '#test/support/form-browser.ts';
import { listen } from '#test/support/servers/http-server.ts';
import { startLocal } from '#test/support/servers/local.ts';
import { freePort } from '#test/support/servers/managed-server.ts';
import {
	type OidcProvider,
	type OidcProviderOptions,
	startOidcProvider,
	type UserClaims,
} from '#test/support/servers/oidc-provider.ts';
import { call, type Target } from './target.ts';

const consoleUrl = 'http://localhost:3000/console';
const minuteMs = 60_000;

/** What a page keeps of a flow. */
const newFlow = () => {
	const codeVerifier = randomBytes(32).toString('base64url');
	const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
	return { codeVerifier, codeChallenge, nonce: randomBytes(32).toString('base64url') };
};

describe('people of an OpenID provider', () => {
	let provider: OidcProvider;
	let local: LocalServer;
	let users: Map<string, UserClaims>;
	let now: number;
	let folder: string;
	let opened: (() => Promise<void> | void)[];

	beforeEach(() => {
		opened = [];
		folder = mkdtempSync(join(tmpdir(), 'openid-'));
		opened.push(() => rmSync(folder, { recursive: true }));
		users = new Map<string, UserClaims>([
			['ada', { email: 'ada@plant.example', email_verified: true, name: 'Ada', groups: ['plant-a-ops'] }],
			['eve', { email: 'ada@plant.example', email_verified: false, name: 'ada@plant.example', groups: ['others'] }],
		]);
		now = Date.now();
	});
	afterEach(async () => {
		for (const close of opened.reverse()) await close();
	});

	/** Starts the provider and the service, which has its settings from a file. */
	const begin = async (
		options: Partial<OidcProviderOptions> = {},
		settings: Readonly<Record<string, unknown>> = {},
		environment: Readonly<Record<string, string>> = {},
	): Promise<void> => {
		const client = { clientId: 'caudal', secret: 'a-secret', redirectUris: [consoleUrl], postLogoutRedirectUris: [consoleUrl] };
		provider = await startOidcProvider({ clients: [client], users, ...options });
		opened.push(provider.close);
		const file = join(folder, 'providers.json');
		const entry = {
			name: 'plant',
			label: 'Plant account',
			issuer: provider.issuer,
			clientId: 'caudal',
			secret: true,
			...settings,
		};
		writeFileSync(file, JSON.stringify([entry]));
		local = await startLocal(
			{ OPENID_PROVIDERS: file, OPENID_SECRET_PLANT: 'a-secret', CONSOLE_URL: consoleUrl, ...environment },
			() => now,
		);
		opened.push(local.close);
	};

	/** The service, as its clients reach it. They write no series here. */
	const target = (): Target => ({ ...local, feed: async () => undefined });

	const grantOf = (changes: Partial<Grant> = {}): Grant => ({
		provider: 'plant',
		where: { groups: 'plant-a-ops' },
		schema: 'plant_a',
		database: 'series_a',
		owner: 3,
		role: 'engineer',
		...changes,
	});
	const grant = (changes: Partial<Grant> = {}) => addGrant(local.service, grantOf(changes), { at: now, environment: '' });
	const ungrant = async (changes: Partial<Grant> = {}) => {
		await deleteGrant(local.service, grantOf(changes), now);
		return endSessions(local.service, isOpenTo(grantOf(changes)), async () => undefined);
	};

	/** Signs in as a page does, up to the code. */
	const codeOf = async (user: string, browser?: FormBrowser) => {
		const flow = newFlow();
		const { body } = await call(target(), 'GET', '/openIdProvider?name=plant');
		expect(body.data).toMatchObject({
			issuer: provider.issuer,
			clientId: 'caudal',
			redirectUri: consoleUrl,
			requiresIssuer: true,
		});
		const request = {
			clientId: body.data.clientId,
			redirectUri: body.data.redirectUri,
			scope: body.data.scope,
			nonce: flow.nonce,
			codeChallenge: flow.codeChallenge,
		};
		const query = await provider.authorize(user, request, browser);
		return { provider: 'plant', code: query.get('code') ?? '', codeVerifier: flow.codeVerifier, nonce: flow.nonce };
	};
	const signIn = async (user = 'ada', asked = {}, browser?: FormBrowser) =>
		call(target(), 'POST', '/signInOpenId', { body: { ...(await codeOf(user, browser)), ...asked } });
	const tellLogout = (form: string) =>
		fetch(`${local.baseUrl}/backchannelLogout`, {
			method: 'POST',
			headers: { 'content-type': 'application/x-www-form-urlencoded' },
			body: form,
		});
	const renew = (token: string, body = {}) => call(target(), 'POST', '/renewOpenId', { token, body });
	const saveChart = (token: string, title = 'c') =>
		call(target(), 'POST', '/saveChart', { token, body: { id: 0, title, series: [] } });

	test('sign in, read, write under their own name, renew and sign out', async () => {
		await begin();
		expect((await call(target(), 'GET', '/openIdProviders')).body.data).toEqual({
			credentials: false,
			accounts: false,
			consoleUrl,
			providers: [{ name: 'plant', label: 'Plant account' }],
		});
		await grant();
		await grant({ schema: 'plant_b', database: 'series_b', role: 'viewer' });
		const { status, body } = await signIn();
		expect(status).toBe(200);
		const id = expect.stringMatching(/^person:[0-9a-f]{32}$/);
		expect(body).toEqual({
			token: expect.any(String),
			user: { id, name: 'ada@plant.example (plant)', provider: 'plant', role: 'engineer' },
			tenant: { schemaName: 'plant_a', tsdb_name: 'series_a' },
			tenants: [
				{ schemaName: 'plant_a', tsdb_name: 'series_a', role: 'engineer' },
				{ schemaName: 'plant_b', tsdb_name: 'series_b', role: 'viewer' },
			],
		});
		expect((await saveChart(body.token)).status).toBe(200);
		const changes = (await call(target(), 'GET', '/changes', { token: body.token })).body.data;
		expect(changes).toMatchObject([{ kind: 'chart', actor: { kind: 'person', id: body.user.id, name: body.user.name } }]);

		now += 30 * minuteMs;
		const renewed = await renew(body.token, { schemaName: 'plant_b' });
		expect(renewed.body).toMatchObject({ tenant: { schemaName: 'plant_b', tsdb_name: 'series_b' }, user: { role: 'viewer' } });
		expect((await saveChart(renewed.body.token)).status).toBe(403);
		expect((await call(target(), 'GET', '/getCharts', { token: renewed.body.token })).body.data).toEqual([]);

		const out = await call(target(), 'POST', '/signOut', { token: body.token, body: {} });
		expect(out.body.address).toMatch(
			new RegExp(`^${provider.issuer}/session/end\\?id_token_hint=.+&client_id=caudal&post_logout_redirect_uri=`),
		);
		expect(provider.count('/token/revocation')).toBe(1);
		expect((await saveChart(body.token)).body).toMatchObject({ request: { code: 'session_ended' } });
		expect((await renew(body.token)).body).toMatchObject({ request: { code: 'session_ended' } });
		// Reads end with the token.
		expect((await call(target(), 'GET', '/getCharts', { token: body.token })).status).toBe(200);
	});

	test.each([true, false])(
		'of five renewals at once one asks the provider, with rotation %s, and again',
		async (rotateRefreshTokens) => {
			await begin({ rotateRefreshTokens });
			await grant();
			const { token } = (await signIn()).body;
			for (const round of [1, 2]) {
				now += 2 * minuteMs;
				const before = provider.count('/token');
				const answers = await Promise.all(Array.from({ length: 5 }, () => renew(token)));
				expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
				expect(provider.count('/token') - before, `round ${round}`).toBe(1);
				expect(new Set(answers.map(({ body }) => body.token)).size).toBe(5);
			}
		},
	);

	test('thin ID tokens: the groups come from userinfo', async () => {
		await begin({ thinIdTokens: true });
		await grant();
		expect((await signIn()).body).toMatchObject({ request: { code: 'no_grant', params: { claims: ['groups='] } } });
		await local.close();
		opened.pop();
		await begin({ thinIdTokens: true }, { userinfo: true });
		await grant();
		const { token, user } = (await signIn()).body;
		expect(user.name).toBe('ada@plant.example (plant)');
		now += 2 * minuteMs;
		users.set('ada', { ...users.get('ada'), groups: [] });
		expect((await renew(token)).body).toMatchObject({ request: { code: 'renewal_refused' } });
		expect((await saveChart(token)).body).toMatchObject({ request: { code: 'session_ended' } });
	});

	describe('while the provider is down', () => {
		const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
		const fiveAtOnce = (token: string) => Promise.all(Array.from({ length: 5 }, () => renew(token)));
		const documentPath = '/.well-known/openid-configuration';

		test.each<[string, 'failing' | 'silent', number]>([
			['answers 500', 'failing', 502],
			['hangs', 'silent', 504],
		])('sessions are renewed, nobody signs in, and it is asked again: it %s', async (_, how, status) => {
			await begin({}, {}, { OPENID_TIMEOUT_MS: '300' });
			await grant();
			const { token } = (await signIn()).body;
			const sent = await codeOf('ada');
			provider[how].add('/token');
			now += 2 * minuteMs;
			const before = provider.count('/token');
			const answers = await fiveAtOnce(token);
			expect(answers.map((each) => [each.status, each.body.user?.role])).toEqual(Array(5).fill([200, 'engineer']));
			expect(provider.count('/token') - before).toBe(1);
			expect(claimsOf(answers[0]?.body.token).session_exp).toBe(claimsOf(token).session_exp);
			expect((await saveChart(answers[0]?.body.token)).status).toBe(200);
			expect((await call(target(), 'POST', '/signInOpenId', { body: sent })).status).toBe(status);
			expect(provider.count('/token') - before).toBe(2);
			// With its document gone, too, the refresh token is not sent at all.
			provider[how].add(documentPath);
			now += 2 * minuteMs;
			expect((await renew(token)).status).toBe(200);
			expect(provider.count('/token') - before).toBe(2);
			provider[how].clear();
			now += 2 * minuteMs;
			expect((await renew(token)).status).toBe(200);
			expect(provider.count('/token') - before).toBe(3);
			provider[how].add('/token');
			users.set('ada', { ...users.get('ada'), groups: [] });
			now += 2 * minuteMs;
			expect((await renew(token)).status).toBe(200);
			provider[how].clear();
			now += 2 * minuteMs;
			expect((await renew(token)).body).toMatchObject({ request: { code: 'renewal_refused' } });
			expect((await saveChart(token)).body).toMatchObject({ request: { code: 'session_ended' } });
		});

		test('a session lasts as long as it would have, and no longer', async () => {
			await begin();
			await grant();
			let { token } = (await signIn()).body;
			const ends = claimsOf(token).session_exp;
			provider.close();
			for (let each = 0; each < 23; each += 1) {
				now += 30 * minuteMs;
				const renewed = await renew(token);
				expect(renewed.status).toBe(200);
				token = renewed.body.token;
			}
			expect(claimsOf(token)).toMatchObject({ exp: ends, session_exp: ends });
			now += 30 * minuteMs;
			expect((await renew(token)).status).toBe(401);
		});

		test('who signed out, or whose grant was removed, gets no token', async () => {
			await begin();
			await grant();
			const [ada, other] = [(await signIn()).body.token, (await signIn()).body.token];
			provider.failing.add('/token').add('/token/revocation');
			now += 2 * minuteMs;
			expect((await call(target(), 'POST', '/signOut', { token: ada, body: {} })).status).toBe(200);
			expect((await renew(ada)).body).toMatchObject({ request: { code: 'session_ended' } });
			expect((await renew(other)).status).toBe(200);
			await deleteGrant(local.service, grantOf(), now);
			now += 2 * minuteMs;
			expect((await renew(other)).body).toMatchObject({ request: { code: 'renewal_refused' } });
		});

		test.each([
			[true, 'its reuse is refused, and the session ends', 403],
			[false, 'it is used again', 200],
		])('a refresh token whose answer was lost: with rotation %s %s', async (rotateRefreshTokens, _, status) => {
			await begin({ rotateRefreshTokens });
			await grant();
			const { token } = (await signIn()).body;
			provider.losing.add('/token');
			now += 2 * minuteMs;
			expect((await renew(token)).status).toBe(200);
			provider.losing.clear();
			now += 2 * minuteMs;
			expect((await renew(token)).status).toBe(status);
		});
	});

	test.each([
		[90, 200],
		[-90, 200],
	])('a clock %s s off signs in', async (seconds, status) => {
		now += seconds * 1000;
		await begin();
		await grant();
		expect((await signIn()).status).toBe(status);
	});

	test('a code, a verifier and a nonce belong together, and a code is used once', async () => {
		await begin();
		await grant();
		const first = await codeOf('ada');
		const second = await codeOf('ada');
		const swapped = [
			{ ...first, nonce: second.nonce },
			{ ...second, codeVerifier: newFlow().codeVerifier },
			{ ...first, code: 'foreign' },
		];
		for (const body of swapped)
			expect((await call(target(), 'POST', '/signInOpenId', { body })).body).toMatchObject({
				request: { code: 'sign_in_refused' },
			});
		const third = await codeOf('ada');
		expect((await call(target(), 'POST', '/signInOpenId', { body: third })).status).toBe(200);
		expect((await call(target(), 'POST', '/signInOpenId', { body: third })).status).toBe(401);
	});

	test('a person with the e-mail and the name of another has none of its rights', async () => {
		await begin();
		await grant();
		await grant({ where: { email: 'ada@plant.example' }, role: 'administrator' });
		expect((await signIn()).body.user).toMatchObject({ role: 'administrator' });
		expect((await signIn('eve')).body).toMatchObject({
			request: { code: 'no_grant', params: { claims: ['email=', 'groups=others'] } },
		});
		await grant({ where: { groups: 'others' }, role: 'viewer' });
		const eve = (await signIn('eve')).body;
		expect(eve.user).toMatchObject({ name: 'ada at plant.example (plant)', role: 'viewer' });
		expect((await call(target(), 'GET', '/getPeople', { token: eve.token })).status).toBe(403);
	});

	test('of 1,000 writes after a removed grant, a signed-out session or a lowered role 0 land', async () => {
		await begin();
		await grant();
		await grant({ where: { groups: 'visitors' }, role: 'viewer' });
		const { token } = (await signIn()).body;
		expect((await saveChart(token, 'before')).status).toBe(200);
		users.set('ada', { ...users.get('ada'), groups: ['visitors'] });
		now += 2 * minuteMs;
		expect((await renew(token)).body.user.role).toBe('viewer');
		const lowered = await Promise.all(Array.from({ length: 350 }, () => saveChart(token)));
		expect(new Set(lowered.map(({ body }) => body.request.code))).toEqual(new Set(['role_too_low']));
		expect(await ungrant({ where: { groups: 'visitors' } })).toBe(1);
		const ended = await Promise.all(Array.from({ length: 350 }, () => saveChart(token)));
		expect(new Set(ended.map(({ body }) => body.request.code))).toEqual(new Set(['session_ended']));
		await grant({ where: { groups: 'visitors' }, role: 'engineer' });
		const again = (await signIn()).body;
		await call(target(), 'POST', '/signOut', { token: again.token, body: {} });
		const out = await Promise.all(Array.from({ length: 350 }, () => saveChart(again.token)));
		expect(new Set(out.map(({ body }) => body.request.code))).toEqual(new Set(['session_ended']));
		const reader = (await signIn()).body.token;
		expect((await call(target(), 'GET', '/getCharts', { token: reader })).body.data).toHaveLength(1);
	});

	test('an administrator raises a person above the grants, and cannot lower below them', async () => {
		await begin();
		await grant({ where: { groups: 'plant-a-ops' }, role: 'operator' });
		await grant({ where: { groups: 'admins' }, role: 'administrator' });
		users.set('root', { name: 'Root', groups: ['admins'] });
		const ada = (await signIn()).body;
		const root = (await signIn('root')).body;
		const setRole = (email: string, role: string, token = root.token) =>
			call(target(), 'POST', '/savePerson', { token, body: { email, role } });
		const people = (await call(target(), 'GET', '/getPeople', { token: root.token })).body.data;
		expect(people.find((each: { email: string }) => each.email === ada.user.id)).toMatchObject({
			name: 'ada@plant.example (plant)',
			provider: 'plant',
		});
		expect((await setRole(ada.user.id, 'engineer')).status).toBe(200);
		expect((await renew(ada.token)).body.user.role).toBe('engineer');
		expect((await setRole(ada.user.id, 'viewer')).body).toMatchObject({
			role: { code: 'role_from_provider', params: { role: 'operator' } },
		});
		expect((await setRole(`person:${'0'.repeat(32)}`, 'viewer')).body).toMatchObject({ email: { code: 'no_such_person' } });
		for (const id of [`PERSON:${'0'.repeat(32)}`, `program:${'0'.repeat(32)}`])
			expect((await setRole(id, 'administrator')).body).toMatchObject({ email: { code: 'no_such_person' } });
		expect((await setRole(root.user.id, 'viewer')).body).toMatchObject({ email: { code: 'own_role' } });
		await ungrant({ where: { groups: 'admins' } });
		expect((await setRole(ada.user.id, 'administrator')).status).toBe(403);
	});

	test('a logout at the provider ends the session here, and one that comes again ends no new session', async () => {
		const sent: string[] = [];
		const relay = await listen((request, response) => {
			void text(request).then(async (form) => {
				sent.push(form);
				const { status } = await tellLogout(form);
				response.writeHead(status).end();
			});
		});
		opened.push(relay.close);
		const client = { clientId: 'caudal', secret: 'a-secret', redirectUris: [consoleUrl], postLogoutRedirectUris: [consoleUrl] };
		await begin({ clients: [{ ...client, backchannelLogoutUri: `${relay.url}/logout` }] });
		await grant();
		const browser = createFormBrowser();
		const { token } = (await signIn('ada', {}, browser)).body;
		const other = (await signIn()).body.token;
		const { address } = (await call(target(), 'POST', '/signOut', { token: other, body: {} })).body;
		expect((await saveChart(token)).status).toBe(200);
		const page = await browser.open(address);
		await browser.submit(page, {});
		expect(sent).toHaveLength(1);
		expect((await saveChart(token)).body).toMatchObject({ request: { code: 'session_ended' } });
		now += 5000;
		const again = (await signIn()).body.token;
		expect((await tellLogout(sent[0] ?? '')).status).toBe(200);
		expect((await saveChart(again)).status).toBe(200);
		expect((await tellLogout('logout_token=x.y.z')).status).toBe(400);
		expect((await tellLogout('')).status).toBe(400);
	});

	test('without a way to sign in by credentials, the demo’s are worth nothing', async () => {
		await begin();
		const demo = { email: 'operator@plant-a.example', tokenApp: 'demo-a', schemaName: 'plant_a', tsdb_name: 'plant_a' };
		const login = await fetch(`${local.baseUrl}/loginSso`, { method: 'POST', body: JSON.stringify(demo) });
		expect(login.status).toBe(404);
		expect((await fetch(`${local.baseUrl}/idp/getUser?id=1`)).status).toBe(404);
		expect(await local.service.users.list()).toEqual([]);
	});

	test('the service is not its own provider, whichever port it has', async () => {
		const file = join(folder, 'own.json');
		const port = await freePort();
		const entry = { name: 'own', label: 'Own', issuer: `http://127.0.0.1:${port}`, clientId: 'caudal' };
		writeFileSync(file, JSON.stringify([entry]));
		await expect(startLocal({ OPENID_PROVIDERS: file, PORT: String(port) })).rejects.toThrow(
			/own: the service cannot be its own/,
		);
		writeFileSync(file, '[]');
		await expect(startLocal({ OPENID_PROVIDERS: file })).rejects.toThrow('Nobody could sign in');
	});

	test('discovery of the service names where tokens are', async () => {
		await begin({}, { audiences: ['urn:caudal'] }, { PUBLIC_URL: 'https://caudal.example' });
		const { body } = await call(target(), 'GET', '/.well-known/openid-configuration');
		expect(body).toMatchObject({
			issuer: 'https://caudal.example',
			token_endpoint: 'https://caudal.example/token',
			grant_types_supported: ['client_credentials', 'urn:ietf:params:oauth:grant-type:token-exchange'],
		});
	});

	test('nothing that is secret is in the answer of the provider’s settings', async () => {
		await begin();
		expect((await call(target(), 'GET', '/openIdProvider?name=plant')).text).not.toContain('a-secret');
		expect((await call(target(), 'GET', '/openIdProvider?name=other')).status).toBe(404);
	});
});
