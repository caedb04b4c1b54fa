import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authorize } from '#test/support/authorize.ts';
import { createFormBrowser } from '#test/support/form-browser.ts';
import {
	audienceMapper,
	clientAttributes,
	groupsMapper,
	keycloakPassword,
	keycloakUser,
} from '#test/support/openid/keycloak-realm.ts';
import { openOpenIdClient, redirectUri, signOutQuery } from '#test/support/openid-client.ts';
import type { Keycloak } from '#test/support/servers/keycloak.ts';
import { startLogoutReceiver } from '#test/support/servers/logout-receiver.ts';
import { openKeycloak, openKeycloakMs } from '#test/support/servers/open-keycloak.ts';

const clientId = 'caudal:console';
const secret = 'a+secret:100%&=';
const user = { username: 'operator', email: 'operator@plant-a.example' };

let keycloak: Keycloak | null;
let receiver: Awaited<ReturnType<typeof startLogoutReceiver>>;
let issuer: string;

beforeAll(async () => {
	keycloak = await openKeycloak();
	if (keycloak === null) return;
	receiver = await startLogoutReceiver();
	issuer = await keycloak.createRealm(realm(receiver.url));
}, openKeycloakMs);
afterAll(() => receiver?.close());

/** A realm with one user, one client with a mapper of groups, and refresh tokens that are used once. */
const realm = (backchannelLogoutUri: string) => ({
	realm: 'plant',
	revokeRefreshToken: true,
	refreshTokenMaxReuse: 0,
	groups: [{ name: 'plant-a-ops' }],
	users: [keycloakUser(user, ['plant-a-ops'])],
	clients: [
		{
			clientId,
			secret,
			redirectUris: [redirectUri],
			attributes: clientAttributes(redirectUri, backchannelLogoutUri),
			protocolMappers: [groupsMapper, audienceMapper],
		},
	],
});

/** Opens the adapter as a client of Keycloak, with a browser that nobody has signed in with. */
function open() {
	const browser = createFormBrowser();
	const client = openOpenIdClient({
		settings: { issuer, clientId, audiences: ['urn:caudal'], clients: [clientId] },
		secret,
		authorize: (request) =>
			authorize(
				`${issuer}/protocol/openid-connect/auth`,
				request,
				{ username: user.username, password: keycloakPassword },
				browser,
			),
	});
	return { browser, ...client };
}

describe('the adapter on Keycloak', () => {
	test('signs a person in, with groups', async (context) => {
		if (keycloak === null) return context.skip();
		const { adapter, provider, signIn } = open();
		const { accessToken, claims } = await signIn();
		expect(claims).toMatchObject({ email: user.email, email_verified: true, groups: ['plant-a-ops'], azp: clientId });
		expect(await adapter.userinfo(provider, accessToken, claims.sub)).toMatchObject({ email: user.email });
		expect(await adapter.authorization(provider)).toEqual({
			authorizationEndpoint: `${issuer}/protocol/openid-connect/auth`,
			requiresIssuer: true,
		});
	});

	test('refuses a code that was used', async (context) => {
		if (keycloak === null) return context.skip();
		const { codeOf, redeem } = open();
		const code = await codeOf();
		expect(await redeem(code)).toMatchObject({ idToken: expect.any(String) });
		expect(await redeem(code)).toBe('invalid_grant');
	});

	test('refreshes with rotation, and ends the session where a refresh token is used twice', async (context) => {
		if (keycloak === null) return context.skip();
		const { adapter, provider, signIn, refresh } = open();
		const { refreshToken, claims } = await signIn();
		const tokens = await adapter.refresh(provider, refreshToken, 'ada');
		if (tokens === 'invalid_grant' || tokens.idToken === null) throw new Error('There is no ID token.');
		const session = { issuer: claims.iss, subject: claims.sub };
		expect(await adapter.verifyIdToken(provider, tokens.idToken, session)).toMatchObject({ groups: ['plant-a-ops'] });
		expect(await refresh(refreshToken)).toBeNull();
		expect(await refresh(tokens.refreshToken)).toBeNull();
	});

	test('revokes a refresh token', async (context) => {
		if (keycloak === null) return context.skip();
		const { adapter, provider, signIn, refresh } = open();
		const { refreshToken } = await signIn();
		await adapter.revoke(provider, refreshToken);
		expect(await refresh(refreshToken)).toBeNull();
	});

	test('ends the session at the provider, which sends a logout token', async (context) => {
		if (keycloak === null) return context.skip();
		const { adapter, provider, browser, signIn, refresh } = open();
		const { idToken, refreshToken, claims } = await signIn();
		const page = await browser.open(`${await adapter.endSessionEndpoint(provider)}?${signOutQuery(idToken, provider.clientId)}`);
		expect(page).toEqual({ address: `${redirectUri}?state=out`, html: null });
		expect(await adapter.verifyLogoutToken(await receiver.token)).toMatchObject({
			claims: { issuer, subject: claims.sub, session: claims['sid'] },
		});
		expect(await refresh(refreshToken)).toBeNull();
	});

	test('accepts an access token for its audience, and no ID token', async (context) => {
		if (keycloak === null) return context.skip();
		const { adapter, signIn } = open();
		const { accessToken, idToken, claims } = await signIn();
		expect(await adapter.verifyForeign(accessToken)).toMatchObject({ claims: { sub: claims.sub, groups: ['plant-a-ops'] } });
		await expect(adapter.verifyForeign(idToken)).rejects.toMatchObject({ code: 'sign_in_refused' });
	});
});
