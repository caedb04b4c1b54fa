import type { ExchangedToken, TokenExchange } from '#domain/use-cases/exchange-token.ts';
import type { ApiResponse } from './api-response.ts';
import { maxFormParameters, neverStored } from './client-credentials.ts';
import type { ApiEvent } from './event.ts';
import { formTextOf } from './request.ts';

/** The grant type of an exchange (RFC 8693, section 2.1). */
export const exchangeGrantType = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** The largest form, and the largest token in it, in bytes. */
export const maxExchangeFormBytes = 32_768;
export const maxSubjectTokenBytes = 16_384;

const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';
const jwtType = 'urn:ietf:params:oauth:token-type:jwt';
const resourcePrefix = 'urn:caudal:schema:';

/** A request for an exchange that is refused, by the error codes of RFC 6749, section 5.2, and RFC 8693, section 2.2.2. */
export interface ExchangeRefusal {
	readonly error: 'invalid_request' | 'invalid_target' | 'invalid_scope';
	/** Left out: the sentence of the code. */
	readonly description?: string;
}

const descriptions: Readonly<Record<ExchangeRefusal['error'], string>> = {
	invalid_request:
		'The token is refused: it must be an unexpired access token for an audience that the operator of the service has set.',
	invalid_target: `No grant lets this token in, or more than one: name the schema by resource=${resourcePrefix}NAME, or ask the operator.`,
	invalid_scope: 'The role may not have this scope: leave scope out to get what it has.',
};

/**
 * Returns the exchange that a form asks for, or why it is refused; null: it is a form of another grant type.
 * @throws RequestError 413 when the body is too large
 */
export function tokenExchangeOf(event: ApiEvent): TokenExchange | ExchangeRefusal | null {
	const form = new URLSearchParams(formTextOf(event, maxExchangeFormBytes) ?? '');
	if (form.get('grant_type') !== exchangeGrantType) return null;
	if (form.size > maxFormParameters) return refused(`Send at most ${maxFormParameters} parameters.`);
	const once = [...form.keys()].filter((name) => name !== 'resource' && name !== 'audience');
	if (new Set(once).size < once.length) return refused('A parameter is there twice.');
	if (form.has('actor_token')) return refused('Leave actor_token out: the service knows no delegation.');
	const type = form.get('subject_token_type');
	if (type !== accessTokenType && type !== jwtType) return refused(`Send subject_token_type=${accessTokenType}, or …:jwt.`);
	const requested = form.get('requested_token_type') ?? accessTokenType;
	if (requested !== accessTokenType) return refused(`Leave requested_token_type out: the answer is an ${accessTokenType}.`);
	const subjectToken = form.get('subject_token') ?? '';
	if (subjectToken === '') return refused('subject_token is missing.');
	if (Buffer.byteLength(subjectToken) > maxSubjectTokenBytes)
		return refused(`The token has more than ${maxSubjectTokenBytes} bytes.`);
	const [resource, ...others] = form.getAll('resource');
	if (form.has('audience') || others.length > 0 || (resource !== undefined && !resource.startsWith(resourcePrefix)))
		return { error: 'invalid_target' };
	const schema = resource?.slice(resourcePrefix.length) ?? null;
	return { subjectToken, schema, scope: form.get('scope') ?? '' };
}

/** Returns the answer to a request for an exchange (RFC 8693, section 2.2). */
export function exchangeResponse(outcome: ExchangedToken | ExchangeRefusal): ApiResponse {
	if ('token' in outcome) {
		const { token, expiresInSeconds, scope } = outcome;
		const body = {
			access_token: token,
			issued_token_type: accessTokenType,
			token_type: 'Bearer',
			expires_in: expiresInSeconds,
			scope,
		};
		return { status: 200, headers: neverStored, body };
	}
	const { error } = outcome;
	const description = ('description' in outcome ? outcome.description : undefined) ?? descriptions[error];
	return { status: 400, headers: neverStored, body: { error, error_description: description } };
}

const refused = (description: string): ExchangeRefusal => ({ error: 'invalid_request', description });
