import type { ClientCredentials, MachineSignIn } from '#domain/use-cases/sign-in-machine.ts';
import type { ApiResponse } from './api-response.ts';
import type { ApiEvent } from './event.ts';
import { formExpected, formTextOf, headerOf } from './request.ts';

/** A request for a token that is refused, by the error codes of RFC 6749, section 5.2. */
interface TokenRefusal {
	readonly error: 'invalid_request' | 'invalid_client' | 'unsupported_grant_type' | 'invalid_scope';
	/** The sentence that says what to do. Left out: the sentence of the code. */
	readonly description?: string;
}

const grantType = 'client_credentials';

/** The largest form, in bytes, and its most parameters (shared/http/README.md#limits). A client sends four. */
export const maxFormBytes = 16_384;
export const maxFormParameters = 20;

const descriptions = {
	invalid_request: 'The request is malformed.',
	invalid_client: 'Client id or secret are wrong, or the machine may not sign in any more: ask an administrator of your plant.',
	unsupported_grant_type: `Send grant_type=${grantType}.`,
	invalid_scope: 'The machine may not have this scope: leave scope out to get what its role has.',
} as const satisfies Readonly<Record<TokenRefusal['error'], string>>;

/**
 * Returns the credentials of a machine from a form (RFC 6749, section 4.4.2), or why there are none. They are in the body, or in the header
 * Authorization by the scheme Basic, where both are form-encoded (section 2.3.1).
 * @throws RequestError 413 when the body is too large
 */
export function clientCredentialsOf(event: ApiEvent): ClientCredentials | TokenRefusal {
	const text = formTextOf(event, maxFormBytes);
	if (text === null) return refused(formExpected);
	const form = new Map<string, string>();
	for (const [name, value] of new URLSearchParams(text)) {
		// The name is the client's own text: it is not repeated.
		if (form.has(name)) return refused('A parameter is there twice.');
		if (form.size === maxFormParameters) return refused(`Send at most ${maxFormParameters} parameters.`);
		form.set(name, value);
	}
	const grant = form.get('grant_type') ?? '';
	if (grant === '') return refused(`grant_type is missing: send ${grantType}.`);
	if (grant !== grantType) return { error: 'unsupported_grant_type' };
	const scope = form.get('scope') ?? '';
	const header = headerOf(event, 'authorization');
	if (header === undefined) return { clientId: form.get('client_id') ?? '', secret: form.get('client_secret') ?? '', scope };
	if (form.has('client_secret')) return refused('Send the secret in the header Authorization or in the body, not in both.');
	const basic = basicCredentialsOf(header);
	if (basic === null) return { error: 'invalid_client' };
	if (form.has('client_id') && form.get('client_id') !== basic.clientId)
		return refused('The header Authorization and the body name different clients.');
	return { ...basic, scope };
}

/** Returns the answer to a request for a token (RFC 6749, sections 5.1 and 5.2). */
export function tokenResponse(outcome: MachineSignIn | TokenRefusal): ApiResponse {
	if ('token' in outcome) {
		const { token, expiresInSeconds, scope } = outcome;
		return {
			status: 200,
			headers: neverStored,
			body: { access_token: token, token_type: 'Bearer', expires_in: expiresInSeconds, scope },
		};
	}
	const { error } = outcome;
	const description = ('description' in outcome ? outcome.description : undefined) ?? descriptions[error];
	const body = { error, error_description: description };
	if (error !== 'invalid_client') return { status: 400, headers: neverStored, body };
	return { status: 401, headers: { ...neverStored, ...basicChallenge }, body };
}

/** Asks for the credentials of a machine (RFC 7617): programs such as Excel show their form for them. */
export const basicChallenge = { 'www-authenticate': 'Basic realm="caudal", charset="UTF-8"' } as const;

/** No cache may keep a token, not even one of HTTP/1.0. */
export const neverStored = { 'cache-control': 'no-store', pragma: 'no-cache' } as const;

const refused = (description: string): TokenRefusal => ({ error: 'invalid_request', description });

/** Returns the credentials in the header Authorization by the scheme Basic (RFC 7617); null: the header has another form. */
export function basicCredentialsOf(header: string): { readonly clientId: string; readonly secret: string } | null {
	const [, encoded = ''] = /^basic +([A-Za-z0-9+/=]+) *$/i.exec(header) ?? [];
	// The id ends at the first colon. The secret may hold more of them.
	const [, clientId, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
	if (clientId === undefined || secret === undefined) return null;
	return { clientId: formDecoded(clientId), secret: formDecoded(secret) };
}

/** Decodes one value of a form. Text that is not encoded correctly stays as it is: an & would otherwise end the value. */
const formDecoded = (text: string): string => new URLSearchParams(`value=${text.replaceAll('&', '%26')}`).get('value') ?? '';
