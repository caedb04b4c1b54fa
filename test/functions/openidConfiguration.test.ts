import { expect, test } from 'vitest';
import { createHandler, type DiscoveryDeps } from '#functions/openidConfiguration/handler.ts';
import { silentLog } from '#infra/local/console-log.ts';
import { makeEvent } from '#test/support/builders/events.ts';

const issuer = 'https://issuer.example';

const documentOf = async (deps: Partial<DiscoveryDeps>): Promise<Readonly<Record<string, unknown>>> => {
	const handler = createHandler({ log: silentLog, issuer, serviceUrl: null, exchangesTokens: false, ...deps });
	const { body = '' } = await handler(makeEvent('GET /.well-known/openid-configuration'));
	return JSON.parse(body);
};

test('the discovery document names the keys, and no token endpoint while the address of the service is not known', async () => {
	expect(await documentOf({ exchangesTokens: true })).toEqual({
		issuer,
		jwks_uri: `${issuer}/.well-known/jwks.json`,
		response_types_supported: ['token'],
		subject_types_supported: ['public'],
		id_token_signing_alg_values_supported: ['RS256'],
	});
});

test.each([
	[false, ['client_credentials']],
	[true, ['client_credentials', 'urn:ietf:params:oauth:grant-type:token-exchange']],
])(
	'it names the token endpoint, its grants and how clients authenticate; exchanges of tokens: %j',
	async (exchangesTokens, grants) => {
		expect(await documentOf({ serviceUrl: 'https://service.example/below', exchangesTokens })).toMatchObject({
			issuer,
			token_endpoint: 'https://service.example/below/token',
			grant_types_supported: grants,
			token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
		});
	},
);
