import * as v from 'valibot';
import type { InteractiveProvider, OpenIdProvider } from '#domain/identity/provider-settings.ts';
import type { OpenIdProviders } from '#domain/ports/openid-providers.ts';
import { createProviderCircuit } from '../provider-circuit.ts';
import type { Secret } from '../secret.ts';
import { byProvider } from './by-provider.ts';
import { verifyForeign } from './foreign-token.ts';
import { verifyIdToken } from './id-token.ts';
import { verifyLogoutToken } from './logout-token.ts';
import { createProviderDocuments, endpointOf } from './provider-documents.ts';
import { createProviderKeys } from './provider-keys.ts';
import { bodyOf, createAskProvider, providerFailed } from './provider-request.ts';
import { createClientRequests } from './token-endpoint.ts';
import { refused } from './verify-token.ts';

/** The providers, and how they are asked (shared/adapters/openid/README.md). */
export interface OpenIdProvidersSettings {
	readonly providers: readonly OpenIdProvider[];
	/** Returns the client secret of a provider by its name. Called for those whose settings say that there is one. */
	readonly secrets: (name: string) => Secret;
	/** Time limit of one request. */
	readonly timeoutMs: number;
	/** Whether providers without TLS are allowed: those of a private network. */
	readonly httpToo: boolean;
	/** Returns epoch milliseconds of the wall clock. */
	readonly now: () => number;
	/** Left out: that of the platform. */
	readonly fetch?: typeof fetch;
}

const userinfoSchema = v.looseObject({ sub: v.string() });

/** Creates what reads the documents and the keys of providers. */
export function createProviderReads({
	timeoutMs,
	httpToo,
	now,
	fetch = globalThis.fetch,
}: Omit<OpenIdProvidersSettings, 'secrets' | 'providers'>) {
	const ask = createAskProvider({ timeoutMs, fetch });
	const documents = createProviderDocuments({ ask, now, httpToo });
	return { ask, documents, keys: createProviderKeys({ ask, documents, now }) };
}

/** Creates `OpenIdProviders` over HTTP. */
export function createOpenIdProviders(settings: OpenIdProvidersSettings): OpenIdProviders {
	const { providers, secrets, now } = settings;
	const { ask, documents, keys } = createProviderReads(settings);
	const requests = createClientRequests(ask, secrets);
	const documentOf = (provider: OpenIdProvider) => documents(provider).current();
	const exchange = async (provider: InteractiveProvider, form: Readonly<Record<string, string>>) =>
		requests.exchange(provider, endpointOf(await documentOf(provider), provider, 'token_endpoint'), form);
	const circuits = byProvider(() => createProviderCircuit('openIdProvider', now));
	return {
		providers,
		authorization: async (provider) => {
			const document = await documentOf(provider);
			return {
				authorizationEndpoint: endpointOf(document, provider, 'authorization_endpoint'),
				requiresIssuer: document.authorization_response_iss_parameter_supported,
			};
		},
		redeem: async (provider, { code, codeVerifier, redirectUri }) => {
			const tokens = await exchange(provider, {
				grant_type: 'authorization_code',
				code,
				code_verifier: codeVerifier,
				redirect_uri: redirectUri,
			});
			if (tokens !== 'invalid_grant' && tokens.idToken === null)
				throw providerFailed(`${provider.name} token endpoint`, 'no id_token');
			return tokens;
		},
		refresh: (provider, refreshToken, person) =>
			circuits(provider)(person, async (isSilent) => {
				// A provider that rotates may void a refresh token and lose its answer: one that was silent is asked for its document first.
				if (isSilent) await documents(provider).read();
				return exchange(provider, { grant_type: 'refresh_token', refresh_token: refreshToken });
			}),
		verifyIdToken: (provider, token, expected) => verifyIdToken({ token, provider, keys: keys(provider), now: now() }, expected),
		userinfo: async (provider, accessToken, subject) => {
			const operation = `${provider.name} userinfo`;
			const address = endpointOf(await documentOf(provider), provider, 'userinfo_endpoint');
			const headers = { authorization: `Bearer ${accessToken}` };
			const claims = bodyOf(userinfoSchema, operation, await ask(operation, address, async () => ({ headers })));
			if (claims.sub !== subject) throw refused(operation, 'sub');
			return claims;
		},
		revoke: async (provider, refreshToken) => {
			const revoked = async () => {
				const { revocation_endpoint: address } = await documentOf(provider);
				if (typeof address === 'string') await requests.revoke(provider, address, refreshToken);
			};
			await revoked().catch(() => undefined);
		},
		endSessionEndpoint: async (provider) => {
			const document = await documentOf(provider).catch(() => null);
			return document?.end_session_endpoint ?? null;
		},
		verifyLogoutToken: (token) => verifyLogoutToken(token, providers, keys, now()),
		verifyForeign: (token) => verifyForeign(token, providers, keys, now()),
	};
}
