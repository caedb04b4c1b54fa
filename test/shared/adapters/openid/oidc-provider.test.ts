import { afterEach, describe, expect, test } from 'vitest';
import { createFormBrowser } from '#test/support/form-browser.ts';
import { openOpenIdClient, redirectUri, signOutQuery } from '#test/support/openid-client.ts';
import { startLogoutReceiver } from '#test/support/servers/logout-receiver.ts';
import { type OidcProviderOptions, startOidcProvider } from '#test/support/servers/oidc-provider.ts';

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
	const clientId = 'caudal:console';
	const secret = 'a+secret:100%&=';
	const uris = { redirectUris: [redirectUri], postLogoutRedirectUris: [redirectUri] };
	const logout = backchannelLogoutUri === undefined ? {} : { backchannelLogoutUri };
	const server = await startOidcProvider({ clients: [{ clientId, secret, ...uris, ...logout }], users, ...options });
	opened.push(server.close);
	const { issuer } = server;
	const browser = createFormBrowser();
	const client = openOpenIdClient({
		settings: { issuer, clientId, userinfo, audiences: ['urn:caudal'] },
		secret,
		authorize: (request) => server.authorize('operator', request, browser),
	});
	return { server, users, browser, ...client };
}

describe('the adapter on oidc-provider', () => {
	test('signs a person in, with the claims of the ID token', async () => {
		const { server, adapter, provider, signIn } = await start();
		expect(await adapter.authorization(provider)).toEqual({
			authorizationEndpoint: `${server.issuer}/auth`,
			requiresIssuer: true,
		});
		const { idToken, claims } = await signIn();
		expect(claims).toMatchObject({ sub: 'operator', ...user });
		await expect(adapter.verifyIdToken(provider, idToken, { nonce: 'm' })).rejects.toMatchObject({ code: 'sign_in_refused' });
		expect(['/token', '/jwks', '/.well-known/openid-configuration'].map(server.count)).toEqual([1, 1, 1]);
	});

	test('finds the claims at the userinfo endpoint where ID tokens are thin', async () => {
		const { adapter, provider, signIn } = await start({ thinIdTokens: true, userinfo: true });
		const { accessToken, claims } = await signIn();
		expect(claims).not.toHaveProperty('groups');
		expect(await adapter.userinfo(provider, accessToken, claims.sub)).toMatchObject(user);
		await expect(adapter.userinfo(provider, accessToken, 'another')).rejects.toMatchObject({ code: 'sign_in_refused' });
	});

	test('refuses a code that was used, which ends what it gave', async () => {
		const { codeOf, redeem, refresh } = await start();
		const code = await codeOf();
		const tokens = await redeem(code);
		expect(await redeem(code)).toBe('invalid_grant');
		expect(tokens).toMatchObject({ refreshToken: expect.any(String) });
		expect(await refresh(tokens === 'invalid_grant' ? null : tokens.refreshToken)).toBeNull();
	});

	test('refreshes with rotation, and tells what changed at the provider', async () => {
		const { users, adapter, provider, signIn } = await start();
		const { refreshToken, claims } = await signIn();
		users.set('operator', { ...user, groups: [] });
		const tokens = await adapter.refresh(provider, refreshToken, 'ada');
		if (tokens === 'invalid_grant' || tokens.idToken === null) throw new Error('There is no ID token.');
		expect(tokens.refreshToken).not.toBe(refreshToken);
		const session = { issuer: claims.iss, subject: claims.sub };
		expect(await adapter.verifyIdToken(provider, tokens.idToken, session)).toMatchObject({ groups: [] });
	});

	test('ends the session where a refresh token is used twice, also at once: so a lease comes before the request', async () => {
		const { signIn, refresh } = await start();
		const { refreshToken } = await signIn();
		const next = await refresh(refreshToken);
		expect(next).not.toBeNull();
		expect(await refresh(refreshToken)).toBeNull();
		expect(await refresh(next)).toBeNull();
		const again = await signIn();
		const given = await Promise.all([1, 2, 3].map(() => refresh(again.refreshToken)));
		expect(await Promise.all(given.map(refresh))).toEqual([null, null, null]);
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
		const receiver = await startLogoutReceiver();
		opened.push(receiver.close);
		const { server, adapter, provider, browser, signIn, refresh } = await start({ backchannelLogoutUri: receiver.url });
		const { idToken, refreshToken, claims } = await signIn();
		const address = `${await adapter.endSessionEndpoint(provider)}?${signOutQuery(idToken, provider.clientId)}`;
		const page = await browser.submit(await browser.open(address), {});
		expect(page).toEqual({ address: `${redirectUri}?state=out`, html: null });
		expect(await adapter.verifyLogoutToken(await receiver.token)).toMatchObject({
			provider: { name: 'real' },
			claims: { issuer: server.issuer, subject: 'operator', session: claims['sid'] },
		});
		expect(await refresh(refreshToken)).toBeNull();
	});

	test('accepts an access token for its audience, and no ID token', async () => {
		const { adapter, provider, signIn } = await start();
		const { accessToken, idToken } = await signIn({ resource: 'urn:caudal' });
		expect(await adapter.verifyForeign(accessToken)).toMatchObject({
			provider: { name: 'real' },
			claims: { sub: 'operator', aud: 'urn:caudal', client_id: provider.clientId },
		});
		await expect(adapter.verifyForeign(idToken)).rejects.toMatchObject({ code: 'sign_in_refused' });
	});
});
