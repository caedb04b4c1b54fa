import * as v from 'valibot';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createOpenIdProviders } from '#adapters/openid/openid-providers.ts';
import { staticSecret } from '#adapters/secret.ts';
import { interactiveProvider, openIdProvidersSchema } from '#domain/identity/provider-settings.ts';
import { type Cognito, cognitoClientId as clientId, startCognito } from '#test/support/openid/cognito.ts';

const resource = 'https://caudal.utility.example';
const refused = { code: 'sign_in_refused' };

let cognito: Cognito;
beforeEach(async () => {
	cognito = await startCognito();
});
afterEach(() => cognito.close());

function open() {
	const settings = { name: 'cognito', label: 'Cognito', issuer: cognito.issuer, clientId, audiences: [resource] };
	const adapter = createOpenIdProviders({
		providers: v.parse(openIdProvidersSchema, [settings]),
		secrets: () => staticSecret('a-secret'),
		timeoutMs: 3000,
		httpToo: false,
		now: Date.now,
	});
	const provider = interactiveProvider(adapter.providers, 'cognito');
	if (provider === null) throw new Error('The settings have no provider.');
	return { adapter, provider };
}

test('reads the document of a user pool, which neither names itself in its answers nor has a page for signing out', async () => {
	const { adapter, provider } = open();
	expect(await adapter.authorization(provider)).toEqual({
		authorizationEndpoint: `${cognito.issuer}/oauth2/authorize`,
		requiresIssuer: false,
	});
	expect(await adapter.endSessionEndpoint(provider)).toBeNull();
});

test('verifies ID tokens and access tokens, which a key each signs', async () => {
	const { adapter, provider } = open();
	const claims = { token_use: 'id', 'cognito:groups': ['plant-a-ops'], email_verified: true, aud: clientId };
	expect(await adapter.verifyIdToken(provider, cognito.idToken(clientId), { nonce: 'n' })).toMatchObject(claims);
	const { claims: bound } = await adapter.verifyForeign(cognito.accessToken('portal', resource));
	expect(bound).toMatchObject({ token_use: 'access', 'cognito:groups': ['plant-a-ops'], client_id: 'portal', aud: resource });
	expect(cognito.count('/.well-known/jwks.json')).toBe(1);
});

test('takes neither kind of token for the other, nor an access token that is bound to no service', async () => {
	const { adapter, provider } = open();
	for (const token of [cognito.idToken(resource), cognito.accessToken('portal'), cognito.accessToken(clientId)])
		await expect(adapter.verifyForeign(token)).rejects.toMatchObject(refused);
	for (const token of [cognito.accessToken(clientId), cognito.accessToken(clientId, clientId), cognito.idToken('sibling')])
		await expect(adapter.verifyIdToken(provider, token, { nonce: 'n' })).rejects.toMatchObject(refused);
});
