import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Grant } from '#domain/identity/grants.ts';
import { createConsoleLog } from '#infra/local/console-log.ts';
import type { LocalServer } from '#infra/local/server.ts';
import { addGrant } from '#infra/tools/grant/changes.ts';
import { codeOf, exchangeForm, type PageClient, redeemCode } from '#test/support/openid/code-flow.ts';
import { secretMarker } from '#test/support/secret-leaks.ts';
import { startLocal } from '#test/support/servers/local.ts';
import { type OidcProvider, startOidcProvider } from '#test/support/servers/oidc-provider.ts';
import { type CallOptions, call } from './target.ts';

const redirectUri = 'http://localhost:3000/console';
const resource = 'urn:caudal';
const minuteMs = 60_000;
const secret = secretMarker('client-secret');

/** What the provider says of people. `shown` is their name here, and a grant names `granted`; nothing else of it is for the service. */
const [shown, granted] = ['ada@plant.example', secretMarker('granted')];
const claimsOf = (groups: readonly string[]) => ({
	email: shown,
	email_verified: true,
	name: secretMarker('name'),
	preferred_username: secretMarker('login'),
	groups,
});

/** Returns the claims of a token, of which no signature is checked here. */
const payloadOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

/** A whole life of a session on a state in files (shared/domain/identity/README.md): what is secret stays where it belongs. */
describe('the secrets of sessions of an OpenID provider', () => {
	const folder = mkdtempSync(join(tmpdir(), 'caudal-openid-leaks-'));
	const state = join(folder, 'state');
	const lines: string[] = [];
	/** Everything secret that came up, by what it is. */
	const secrets = new Map<string, string>([['the secret of the client', secret]]);
	/** The answers of the service, by endpoint. */
	const answers: { readonly path: string; readonly text: string }[] = [];
	let now = Date.now();
	let provider: OidcProvider;
	let local: LocalServer;
	let token = '';
	let signOutAddress = '';
	/** The files of the state while the session was open. */
	let filesWithin = '';

	const keep = (name: string, value: string): string => {
		expect(value.length, name).toBeGreaterThan(15);
		secrets.set(name, value);
		return value;
	};
	/** A token of three parts: its signature alone is as secret. */
	const keepToken = (name: string, value: string): string => {
		keep(`the signature of ${name}`, value.split('.')[2] ?? '');
		keep(`the claims of ${name}`, value.split('.')[1] ?? '');
		return keep(name, value);
	};
	const send = async (method: string, path: string, options: CallOptions = {}) => {
		const answer = await call({ ...local, feed: async () => undefined }, method, path, options);
		answers.push({ path, text: answer.text });
		return answer;
	};
	const post = (path: string, body: unknown, held?: string) =>
		send('POST', path, { body, ...(held === undefined ? {} : { token: held }) });

	/** Signs in at the provider, as a page does. */
	const codeAs = async (user: string, client: PageClient = { clientId: 'caudal', redirectUri }) => {
		const flow = await codeOf(provider, user, client);
		keep('a verifier', flow.codeVerifier);
		keep('a nonce', flow.nonce);
		keep('a code', flow.code);
		return { provider: 'plant', ...flow };
	};

	/** Returns what the files of the state hold, byte for byte. */
	const filesOfState = (): string =>
		readdirSync(state, { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile())
			.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
			.join('\n');

	/** Gets an access token for the service as another client of the provider, and exchanges it. */
	const exchange = async (): Promise<void> => {
		const client = { clientId: 'pipeline', secret, redirectUri, resource };
		const { accessToken, idToken } = await redeemCode(provider, await codeAs('ada', client), client);
		const exchanged = (subjectToken: string) => post('/token', exchangeForm(subjectToken));
		const { status, body } = await exchanged(keepToken('an access token', accessToken));
		expect(status, JSON.stringify(body)).toBe(200);
		keep('the sid of an exchanged token', payloadOf(keepToken('an exchanged token', body.access_token)).sid);
		expect((await exchanged(keepToken('the ID token of a pipeline', idToken))).status).toBe(400);
	};

	beforeAll(async () => {
		const client = { secret, redirectUris: [redirectUri], postLogoutRedirectUris: [redirectUri] };
		provider = await startOidcProvider({
			clients: [
				{ ...client, clientId: 'caudal' },
				{ ...client, clientId: 'pipeline' },
			],
			users: new Map([
				['ada', claimsOf([granted, secretMarker('other-group')])],
				['eve', claimsOf([secretMarker('foreign-group')])],
			]),
		});
		const file = join(folder, 'providers.json');
		const entry = {
			name: 'plant',
			label: 'Plant',
			issuer: provider.issuer,
			clientId: 'caudal',
			secret: true,
			audiences: [resource],
		};
		writeFileSync(file, JSON.stringify([entry]));
		const log = createConsoleLog((line) => lines.push(line));
		const environment = { OPENID_PROVIDERS: file, OPENID_SECRET_PLANT: secret, CONSOLE_URL: redirectUri, STATE_DIR: state };
		local = await startLocal(environment, () => now, log);
		const grant: Grant = {
			provider: 'plant',
			where: { groups: granted },
			schema: 'plant_a',
			database: 'series_a',
			owner: 3,
			role: 'administrator',
		};
		for (const where of [{ groups: granted }, { sub: 'ada' }])
			await addGrant(local.service, { ...grant, where }, { at: now, environment: '' });

		await send('GET', '/openIdProviders');
		await send('GET', '/openIdProvider?name=plant');
		const swapped = { ...(await codeAs('ada')), nonce: (await codeAs('ada')).nonce };
		expect((await post('/signInOpenId', swapped)).status).toBe(401);
		expect((await post('/signInOpenId', await codeAs('eve'))).body.request.code).toBe('no_grant');
		provider.failing.add('/token');
		expect((await post('/signInOpenId', await codeAs('ada'))).status).toBe(502);
		provider.failing.clear();

		const { status, body } = await post('/signInOpenId', await codeAs('ada'));
		expect([status, body.user?.name]).toEqual([200, `${shown} (plant)`]);
		token = keepToken('a token of a session', body.token);
		const sid = keep('a sid', payloadOf(token).sid);
		const keepStored = async (when: string): Promise<void> => {
			const stored = await local.service.openIdSessionTokens.find(sid);
			keep(`the refresh token ${when}`, stored?.refreshToken ?? '');
			keepToken(`the ID token of the session ${when}`, stored?.idToken ?? '');
		};
		await keepStored('at the sign-in');
		now += 2 * minuteMs;
		token = keepToken('a renewed token', (await post('/renewOpenId', {}, token)).body.token);
		await keepStored('at the renewal');
		await exchange();
		expect((await post('/saveChart', { id: 0, title: 'c', series: [] }, token)).status).toBe(200);
		expect((await post('/savePerson', { email: 'new@plant.example', role: 'viewer' }, token)).status).toBe(200);
		for (const path of ['/getPeople', '/changes', '/getMachines']) await send('GET', path, { token });
		expect((await post('/backchannelLogout', new URLSearchParams({ logout_token: token }))).status).toBe(400);
		filesWithin = filesOfState();
		signOutAddress = (await post('/signOut', {}, token)).body.address;
		expect((await post('/renewOpenId', {}, token)).body.request.code).toBe('session_ended');
	});
	afterAll(async () => {
		await local.close();
		provider.close();
		rmSync(folder, { recursive: true });
	});

	/** Returns what secrets a text has, except for those that it may have by a part of their names. */
	const found = (text: string, allowed: readonly string[] = []): readonly string[] =>
		[...secrets].flatMap(([name, value]) => (text.includes(value) && !allowed.some((each) => name.includes(each)) ? [name] : []));
	const unread = ['name', 'login', 'other-group', 'foreign-group'].map(secretMarker);

	test('are in no line of the log, and no value of a claim is', () => {
		const printed = lines.join('\n');
		expect(printed).toContain('POST /signInOpenId');
		expect(printed).toContain('A sign-in with an OpenID provider was refused.');
		expect(found(printed)).toEqual([]);
		for (const value of [...unread, granted, shown, 'eyJ']) expect(printed).not.toContain(value);
	});

	test.each([
		['while the session is open', () => filesWithin],
		['after it was signed out', filesOfState],
	])('are in no file of the state %s, and no value of a claim is that nobody granted', (_, files) => {
		const stored = files();
		// The test reads what is stored.
		expect(stored).toContain(granted);
		expect(stored).toContain(`${shown} (plant)`);
		expect(found(stored)).toEqual([]);
		for (const value of unread) expect(stored).not.toContain(value);
	});

	test('are in no answer but in that which gives them', () => {
		const allowed: Readonly<Record<string, readonly string[]>> = {
			'/signInOpenId': ['a token of a session'],
			'/renewOpenId': ['a renewed token'],
			'/token': ['an exchanged token'],
			'/signOut': ['the ID token of the session'],
		};
		for (const { path, text } of answers) {
			expect([path, found(text, allowed[path])]).toEqual([path, []]);
			// A person without a grant reads what to tell the administrator.
			const mayTell = path === '/signInOpenId' ? [secretMarker('foreign-group')] : [];
			for (const value of unread.filter((each) => !mayTell.includes(each))) expect(text, path).not.toContain(value);
		}
	});

	test('are not in the address at which the person signs out, but for the ID token that names the session', () => {
		const { searchParams } = new URL(signOutAddress);
		expect([...searchParams.keys()]).toEqual(['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state']);
		expect(found(signOutAddress, ['the ID token of the session'])).toEqual([]);
	});
});
