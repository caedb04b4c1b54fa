import { createHash, randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { afterEach, describe, expect, test } from 'vitest';
import { createOpenIdProviders } from '#adapters/openid/openid-providers.ts';
import { staticSecret } from '#adapters/secret.ts';
import { interactiveProvider, openIdProvidersSchema } from '#domain/identity/provider-settings.ts';
import type { ProviderTokens } from '#domain/ports/openid-providers.ts';
import { createFormBrowser } from '#test/support/form-browser.ts';
import { listen } from '#test/support/servers/http-server.ts';
import { type OidcProviderOptions, startOidcProvider } from '#test/support/servers/oidc-provider.ts';

const redirectUri = 'http://localhost:3000/console';
const secret = 'a secret: 100% + &';
const user = { email: 'operator@plant-a.example', email_verified: true, name: 'Op', groups: ['plant-a-ops'] };

const opened: (() => void)[] = [];
afterEach(() => {
	for (const close of opened.splice(0)) close();
});

interface Options extends Partial<Omit<OidcProviderOptions, 'clients' | 'users'>> {
	readonly userinfo?: boolean;
	readonly backchannelLogoutUri?: string;
}

/** Starts a provider with one user, and the adapter with a client of it. */
async function start({ backchannelLogoutUri, userinfo = false, ...options }: Options = {}) {
	const users = new Map([['operator', user]]);
	const client = {
		clientId: 'caudal:console',
		secret: secret.replaceAll(' ', '-'),
		redirectUris: [redirectUri],
		postLogoutRedirectUris: [redirectUri],
		...(backchannelLogoutUri === undefined ? {} : { backchannelLogoutUri }),
	};
	const server = await startOidcProvider({ clients: [client], users, ...options });
	opened.push(server.close);
	const { issuer } = server;
	const settings = {
		name: 'real',
		label: 'Real',
		issuer,
		clientId: client.clientId,
		secret: true,
		userinfo,
		audiences: ['urn:caudal'],
	};
	const adapter = createOpenIdProviders({
		providers: v.parse(openIdProvidersSchema, [settings]),
		secrets: () => staticSecret(client.secret),
		timeoutMs: 3000,
		httpToo: false,
		now: Date.now,
	});
	const provider = interactiveProvider(adapter.providers, 'real');
	if (provider === null) throw new Error('The settings have no provider.');
	const browser = createFormBrowser();
	const codeVerifier = randomBytes(32).toString('base64url');
	const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
	/** Signs in at the provider, and returns the code. */
	const authorize = async (parameters = {}) => {
		const request = { clientId: client.clientId, redirectUri, nonce: 'n', codeChallenge, parameters };
		const query = await server.authorize('operator', request, browser);
		expect([query.get('state'), query.get('iss')]).toEqual(['state', issuer]);
		return query.get('code') ?? '';
	};
	const redeem = (code: string) => adapter.redeem(provider, { code, codeVerifier, redirectUri });
	const signIn = async (): Promise<ProviderTokens & { readonly idToken: string; readonly refreshToken: string }> => {
		const tokens = await redeem(await authorize());
		if (tokens === 'invalid_grant' || tokens.idToken === null || tokens.refreshToken === null)
			throw new Error('A token is missing.');
		return { ...tokens, idToken: tokens.idToken, refreshToken: tokens.refreshToken };
	};
	const refresh = async (refreshToken: string) => {
		const tokens = await adapter.refresh(provider, refreshToken);
		return tokens === 'invalid_grant' ? null : tokens.refreshToken;
	};
	return { server, users, adapter, provider, browser, authorize, redeem, signIn, refresh };
}

describe('the adapter on oidc-provider', () => {
	test('signs a person in, with the claims of the ID token', async () => {
		const { server, adapter, provider, signIn } = await start();
		expect(await adapter.authorization(provider)).toEqual({
			authorizationEndpoint: `${server.issuer}/auth`,
			requiresIssuer: true,
		});
		const { idToken } = await signIn();
		expect(await adapter.verifyIdToken(provider, idToken, { nonce: 'n' })).toMatchObject({ sub: 'operator', ...user });
		await expect(adapter.verifyIdToken(provider, idToken, { nonce: 'm' })).rejects.toMatchObject({ code: 'sign_in_refused' });
		expect(['/token', '/jwks', '/.well-known/openid-configuration'].map(server.count)).toEqual([1, 1, 1]);
	});

	test('finds the claims at the userinfo endpoint where ID tokens are thin', async () => {
		const { adapter, provider, signIn } = await start({ thinIdTokens: true, userinfo: true });
		const { idToken, accessToken } = await signIn();
		const claims = await adapter.verifyIdToken(provider, idToken, { nonce: 'n' });
		expect(claims).not.toHaveProperty('groups');
		expect(await adapter.userinfo(provider, accessToken, claims.sub)).toMatchObject(user);
		await expect(adapter.userinfo(provider, accessToken, 'another')).rejects.toMatchObject({ code: 'sign_in_refused' });
	});

	test('refuses a code that was used, which ends what it gave', async () => {
		const { authorize, redeem, refresh } = await start();
		const code = await authorize();
		const tokens = await redeem(code);
		expect(await redeem(code)).toBe('invalid_grant');
		expect(await refresh(tokens === 'invalid_grant' ? '' : (tokens.refreshToken ?? ''))).toBeNull();
	});

	test('refreshes with rotation, and tells what changed at the provider', async () => {
		const { users, adapter, provider, signIn } = await start();
		const { refreshToken, idToken } = await signIn();
		const { iss: issuer, sub: subject } = await adapter.verifyIdToken(provider, idToken, { nonce: 'n' });
		users.set('operator', { ...user, groups: [] });
		const tokens = await adapter.refresh(provider, refreshToken);
		if (tokens === 'invalid_grant' || tokens.idToken === null) throw new Error('There is no ID token.');
		expect(tokens.refreshToken).not.toBe(refreshToken);
		expect(await adapter.verifyIdToken(provider, tokens.idToken, { issuer, subject })).toMatchObject({ groups: [] });
	});

	test('ends the session where a refresh token is used twice, also at once: so a lease comes before the request', async () => {
		const { signIn, refresh } = await start();
		const refreshed = async (token: string | null) => (token === null ? null : refresh(token));
		const { refreshToken } = await signIn();
		const next = await refresh(refreshToken);
		expect(await refresh(refreshToken)).toBeNull();
		expect(next).not.toBeNull();
		expect(await refreshed(next)).toBeNull();
		const again = await signIn();
		const given = await Promise.all([1, 2, 3].map(() => refresh(again.refreshToken)));
		expect(await Promise.all(given.map(refreshed))).toEqual([null, null, null]);
	});

	test('refreshes as often as needed without rotation', async () => {
		const { signIn, refresh } = await start({ rotateRefreshTokens: false });
		const { refreshToken } = await signIn();
		expect(await Promise.all([1, 2, 3].map(() => refresh(refreshToken)))).toEqual([refreshToken, refreshToken, refreshToken]);
	});

	test('revokes a refresh token', async () => {
		const { server, adapter, provider, signIn, refresh } = await start();
		const { refreshToken } = await signIn();
		await adapter.revoke(provider, refreshToken);
		expect(await refresh(refreshToken)).toBeNull();
		expect(server.count('/token/revocation')).toBe(1);
	});

	test('ends the session at the provider, which sends a logout token', async () => {
		const received = Promise.withResolvers<string>();
		const client = await listen((request, response) => {
			request.on('data', (chunk: Buffer) => received.resolve(new URLSearchParams(chunk.toString()).get('logout_token') ?? ''));
			request.on('end', () => response.end());
		});
		opened.push(client.close);
		const { server, adapter, provider, browser, signIn, refresh } = await start({ backchannelLogoutUri: client.url });
		const { idToken, refreshToken } = await signIn();
		const { sid } = await adapter.verifyIdToken(provider, idToken, { nonce: 'n' });
		const address = await adapter.endSessionEndpoint(provider);
		const query = new URLSearchParams({
			id_token_hint: idToken,
			client_id: provider.clientId,
			post_logout_redirect_uri: redirectUri,
			state: 'out',
		});
		const page = await browser.submit(await browser.open(`${address}?${query}`), {});
		expect(page).toEqual({ address: `${redirectUri}?state=out`, html: null });
		expect(await adapter.verifyLogoutToken(await received.promise)).toMatchObject({
			provider: { name: 'real' },
			claims: { issuer: server.issuer, subject: 'operator', session: sid },
		});
		expect(await refresh(refreshToken)).toBeNull();
	});

	test('accepts an access token for its audience, and no ID token', async () => {
		const { adapter, authorize, provider, redeem, signIn } = await start();
		const resource = 'urn:caudal';
		const tokens = await redeem(await authorize({ resource }));
		if (tokens === 'invalid_grant') throw new Error('The code was refused.');
		expect(await adapter.verifyForeign(tokens.accessToken)).toMatchObject({
			provider: { name: 'real' },
			claims: { sub: 'operator', aud: resource, client_id: provider.clientId },
		});
		const { idToken } = await signIn();
		await expect(adapter.verifyForeign(idToken)).rejects.toMatchObject({ code: 'sign_in_refused' });
	});
});
