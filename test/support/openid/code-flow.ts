import { createHash, randomBytes } from 'node:crypto';
import type { OidcProvider } from '../servers/oidc-provider.ts';

/** A client of a provider, which people come back to. */
export interface PageClient {
	readonly clientId: string;
	readonly redirectUri: string;
	/** The audience of the access token, where the client asks for one of another service (RFC 8707). */
	readonly resource?: string;
}

/** What a page has after a person signed in at a provider: what `signInOpenId` needs beside the name of the provider. */
export interface CodeFlow {
	readonly code: string;
	readonly codeVerifier: string;
	readonly nonce: string;
}

/** Signs a person in at a provider, as a page of a client does, up to the code. */
export async function codeOf(
	provider: OidcProvider,
	user: string,
	{ clientId, redirectUri, resource }: PageClient,
): Promise<CodeFlow> {
	const codeVerifier = randomBytes(32).toString('base64url');
	const nonce = randomBytes(32).toString('base64url');
	const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
	const parameters = resource === undefined ? {} : { resource };
	const query = await provider.authorize(user, { clientId, redirectUri, nonce, codeChallenge, parameters });
	return { code: query.get('code') ?? '', codeVerifier, nonce };
}

/** Redeems a code at the provider itself, as another program than the service does. */
export async function redeemCode(
	provider: OidcProvider,
	{ code, codeVerifier }: CodeFlow,
	{ clientId, secret, redirectUri, resource = '' }: PageClient & { readonly secret: string },
): Promise<{ readonly accessToken: string; readonly idToken: string }> {
	const response = await fetch(`${provider.issuer}/token`, {
		method: 'POST',
		headers: { authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}` },
		body: new URLSearchParams({
			grant_type: 'authorization_code',
			redirect_uri: redirectUri,
			code,
			code_verifier: codeVerifier,
			resource,
		}),
	});
	const { access_token: accessToken = '', id_token: idToken = '' } = (await response.json()) as Record<string, string>;
	return { accessToken, idToken };
}

/** The form that exchanges an access token of a provider for a token of the service (RFC 8693). */
export function exchangeForm(subjectToken: string, schema?: string): URLSearchParams {
	return new URLSearchParams({
		grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
		subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
		subject_token: subjectToken,
		...(schema === undefined ? {} : { resource: `urn:caudal:schema:${schema}` }),
	});
}
