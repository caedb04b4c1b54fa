import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { beforeAll, expect, inject, test } from 'vitest';
import { createOpenIdProviders } from '#adapters/openid/openid-providers.ts';
import { staticSecret } from '#adapters/secret.ts';
import { interactiveProvider, openIdProvidersSchema } from '#domain/identity/provider-settings.ts';
import { authorize } from '#test/support/authorize.ts';
import { describeAws } from '#test/support/servers/aws.ts';
import { runAwsScript } from '#test/support/servers/aws-cli.ts';

const region = 'eu-west-1';
const consoleUrl = 'https://caudal.utility.example/console';
const person = { username: 'ana@utility.example', password: 'A-password-of-1-test' };
const installMs = 300_000;
/** Stands for the emulator in its own discovery document. */
const elsewhere = 'https://cognito.utility.example';

const text = readFileSync(new URL('../../../../infra/aws/SIGN-IN.md', import.meta.url), 'utf8');
/** The part of the document about Cognito: its entry, and the commands that make a pool. */
const [, entry = '', commands = ''] = /^### Cognito\n[\s\S]*?```json\n(.+)\n```[\s\S]*?```sh\n([\s\S]*?)```/m.exec(text) ?? [];

describeAws('the adapter on the user pool that SIGN-IN makes, in the emulator', () => {
	const endpoint = inject('awsEndpoint') ?? '';
	let opened: ReturnType<typeof open>;

	beforeAll(async () => {
		const setPassword = `aws cognito-idp admin-set-user-password --user-pool-id $POOL --username ${person.username} --password ${person.password} --permanent`;
		const printed = await runAwsScript(`${commands}${setPassword}\necho "pool $POOL"`, region);
		const [pool, client, secret] = [/^pool (\S+)$/m, /"ClientId": "(\w+)"/, /"ClientSecret": "([^"]+)"/].map(
			(pattern) => pattern.exec(printed)?.[1] ?? '',
		);
		opened = open(pool ?? '', client ?? '', secret ?? '');
	}, installMs);

	/** Opens the adapter with the document's entry, for this pool. */
	const open = (pool: string, client: string, secret: string) => {
		const issuer = `https://cognito-idp.${region}.amazonaws.com/${pool}`;
		const settings = entry
			.replaceAll('eu-west-1_AbCdEfGhI', pool)
			.replaceAll('1h2j3k4l5m', client)
			.replace('https://utility-caudal.auth.eu-west-1.amazoncognito.com', endpoint);
		const adapter = createOpenIdProviders({
			providers: v.parse(openIdProvidersSchema, [{ ...JSON.parse(settings), audiences: ['urn:caudal'] }]),
			secrets: () => staticSecret(secret),
			timeoutMs: 5000,
			httpToo: false,
			now: Date.now,
			// The emulator names AWS itself as the issuer, and addresses of this machine, which no provider elsewhere may name.
			fetch: async (address, request) => {
				const asked = String(address).replace(issuer, `${endpoint}/${pool}`).replace(elsewhere, endpoint);
				const response = await fetch(asked, request);
				if (!asked.endsWith('/openid-configuration')) return response;
				return Response.json(JSON.parse((await response.text()).replaceAll(/http:\/\/[^/"]+/g, elsewhere)));
			},
		});
		const provider = interactiveProvider(adapter.providers, 'cognito');
		if (provider === null) throw new Error('The document has no entry.');
		return { adapter, provider };
	};
	/** Signs in by the emulator's page, up to the code. */
	const codeOf = async () => {
		const { adapter, provider } = opened;
		const { authorizationEndpoint, requiresIssuer } = await adapter.authorization(provider);
		const codeVerifier = 'v'.repeat(43);
		const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
		const request = { clientId: provider.clientId, redirectUri: consoleUrl, nonce: 'n', codeChallenge };
		const query = await authorize(authorizationEndpoint.replace(elsewhere, endpoint), request, person);
		expect([query.get('state'), query.get('iss'), requiresIssuer]).toEqual(['state', null, false]);
		return { code: query.get('code') ?? '', codeVerifier, redirectUri: consoleUrl };
	};
	const signIn = async () => {
		const { adapter, provider } = opened;
		const tokens = await adapter.redeem(provider, await codeOf());
		if (tokens === 'invalid_grant' || tokens.idToken === null) throw new Error('There is no ID token.');
		const claims = await adapter.verifyIdToken(provider, tokens.idToken, { nonce: 'n' });
		return { ...tokens, idToken: tokens.idToken, claims };
	};

	test('signs a person in, with the group and the e-mail', async () => {
		const { claims } = await signIn();
		expect(claims).toMatchObject({
			...{ email: person.username, email_verified: true, 'cognito:groups': ['plant-a-ops'], token_use: 'id' },
			aud: opened.provider.clientId,
		});
	});

	test('refuses a code that was used', async () => {
		const { adapter, provider } = opened;
		const code = await codeOf();
		expect(await adapter.redeem(provider, code)).toMatchObject({ idToken: expect.any(String) });
		expect(await adapter.redeem(provider, code)).toBe('invalid_grant');
	});

	test('refreshes, and the refresh token stays', async () => {
		const { adapter, provider } = opened;
		const { refreshToken, claims } = await signIn();
		const tokens = await adapter.refresh(provider, refreshToken ?? '', 'ada');
		if (tokens === 'invalid_grant' || tokens.idToken === null) throw new Error('There is no ID token.');
		expect(tokens.refreshToken).toBeNull();
		const { iss: issuer, sub: subject } = claims;
		// The emulator loses the groups here.
		expect(await adapter.verifyIdToken(provider, tokens.idToken, { issuer, subject })).toMatchObject({ email: person.username });
	});

	test('exchanges neither an ID token nor an access token, which says for no service that it is', async () => {
		const { adapter } = opened;
		const { idToken, accessToken } = await signIn();
		for (const token of [idToken, accessToken])
			await expect(adapter.verifyForeign(token)).rejects.toMatchObject({ code: 'sign_in_refused' });
	});

	test('signs out at the address of the entry, which leads back to the console', async () => {
		const response = await fetch(opened.provider.signOutUrl ?? '', { redirect: 'manual' });
		expect([response.status, response.headers.get('location')]).toEqual([302, consoleUrl]);
	});
});
