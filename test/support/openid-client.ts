import { createHash, randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { createOpenIdProviders } from '#adapters/openid/openid-providers.ts';
import { staticSecret } from '#adapters/secret.ts';
import { interactiveProvider, openIdProvidersSchema } from '#domain/identity/provider-settings.ts';
import type { AuthorizationRequest } from './authorize.ts';

/** The address to which providers of tests send people back. */
export const redirectUri = 'http://localhost:3000/console';

/** Opens the adapter with one provider named `real`, as one client of it that signs one person in. */
export function openOpenIdClient({
	settings,
	secret,
	authorize,
}: {
	/** Beside the name, the label and the secret. */
	readonly settings: { readonly issuer: string; readonly clientId: string } & Readonly<Record<string, unknown>>;
	readonly secret: string;
	/** Signs the person in at the provider. */
	readonly authorize: (request: AuthorizationRequest) => Promise<URLSearchParams>;
}) {
	const adapter = createOpenIdProviders({
		providers: v.parse(openIdProvidersSchema, [{ name: 'real', label: 'Real', secret: true, ...settings }]),
		secrets: () => staticSecret(secret),
		timeoutMs: 5000,
		httpToo: false,
		now: Date.now,
	});
	const provider = interactiveProvider(adapter.providers, 'real');
	if (provider === null) throw new Error('The settings have no provider.');
	const codeVerifier = randomBytes(32).toString('base64url');
	const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
	const codeOf = async (parameters: Readonly<Record<string, string>> = {}): Promise<string> => {
		const query = await authorize({ clientId: provider.clientId, redirectUri, nonce: 'n', codeChallenge, parameters });
		if (query.get('iss') !== provider.issuer || query.get('state') !== 'state') throw new Error(`The answer is ${query}.`);
		return query.get('code') ?? '';
	};
	const redeem = (code: string) => adapter.redeem(provider, { code, codeVerifier, redirectUri });
	return {
		adapter,
		provider,
		/** Signs in at the provider, and returns the code. */
		codeOf,
		redeem,
		/** Signs in, and returns the tokens with the claims of the ID token, which is verified. */
		signIn: async (parameters?: Readonly<Record<string, string>>) => {
			const tokens = await redeem(await codeOf(parameters));
			if (tokens === 'invalid_grant' || tokens.idToken === null || tokens.refreshToken === null)
				throw new Error('A token is missing.');
			const { idToken, accessToken, refreshToken } = tokens;
			return { idToken, accessToken, refreshToken, claims: await adapter.verifyIdToken(provider, idToken, { nonce: 'n' }) };
		},
		/** Returns the next refresh token; null: the provider refuses this one. */
		refresh: async (refreshToken: string | null): Promise<string | null> => {
			const tokens = refreshToken === null ? 'invalid_grant' : await adapter.refresh(provider, refreshToken, 'ada');
			return tokens === 'invalid_grant' ? null : tokens.refreshToken;
		},
	};
}

/** The query that ends a session at the provider (OpenID Connect RP-Initiated Logout 1.0, section 2). */
export function signOutQuery(idToken: string, clientId: string): URLSearchParams {
	return new URLSearchParams({
		id_token_hint: idToken,
		client_id: clientId,
		post_logout_redirect_uri: redirectUri,
		state: 'out',
	});
}
