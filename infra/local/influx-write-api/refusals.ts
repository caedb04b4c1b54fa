import { constantTimeEqual } from '#adapters/constant-time-equal.ts';
import { DomainError } from '#domain/errors.ts';
import { jsonResponse, type RawRequest, type RawResponse } from '../gateway/http.ts';

/** InfluxDB's error codes (its OpenAPI document, schema Error) with their statuses. */
const statuses = {
	invalid: 400,
	unauthorized: 401,
	'not found': 404,
	'method not allowed': 405,
	'request too large': 413,
	'unsupported media type': 415,
	conflict: 422,
	'unprocessable entity': 422,
	unavailable: 503,
} as const;

/** After how many seconds a client should repeat a request that failed. */
const retryAfterSeconds = 1;

/** Builds InfluxDB's response to a request that is refused, in whole or in part. */
export function refuse(
	code: keyof typeof statuses,
	message: string,
	headers: Readonly<Record<string, string>> = {},
): RawResponse {
	const retry = code === 'unavailable' ? { 'retry-after': String(retryAfterSeconds) } : {};
	return jsonResponse(statuses[code], { code, message }, { 'x-platform-error-code': code, ...retry, ...headers });
}

/**
 * Wraps an endpoint: it responds with 503 when the time series fail, because clients repeat a request after that status.
 * @param message what the response then says
 */
export function withFaults(message: string, respond: (request: RawRequest) => Promise<RawResponse>) {
	return async (request: RawRequest): Promise<RawResponse> => {
		try {
			return await respond(request);
		} catch (error) {
			if (error instanceof DomainError) return refuse('unavailable', message);
			throw error;
		}
	};
}

/**
 * Returns whether a request of InfluxDB 1.x holds the token: as the parameter `p` beside a user `u`, or in the header `Authorization` as
 * `Token …`, `Token user:…` or the password of `Basic …`. The user may be any. Nothing is no token.
 */
export function isAuthorizedV1({ headers, query }: RawRequest, token: string): boolean {
	const [user, password] = [query.get('u') ?? '', query.get('p') ?? ''];
	if (user !== '' && password !== '') return constantTimeEqual(password, token);
	const [, scheme = '', sent = ''] = /^(token|basic) (\S+)$/i.exec(headers.authorization ?? '') ?? [];
	const pair = scheme.toLowerCase() === 'basic' ? Buffer.from(sent, 'base64').toString() : sent;
	const credential = pair.slice(pair.indexOf(':') + 1);
	return credential !== '' && constantTimeEqual(credential, token);
}

/** Returns whether the header `Authorization` holds the token, as `Token …` or `Bearer …`. */
export function isAuthorized(header: string | undefined, token: string): boolean {
	const [, credential] = /^(?:token|bearer) +(\S.*)$/i.exec(header ?? '') ?? [];
	return credential !== undefined && constantTimeEqual(credential, token);
}
