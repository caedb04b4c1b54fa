import { type Dependency, DomainError, type ErrorCode, type ErrorPayloads, type ValidationIssue } from '#domain/errors.ts';
import { pathOf } from '#shared/contract.ts';
import type { ApiResponse } from './api-response.ts';
import { RequestError } from './request-error.ts';

const dependencyNames: Readonly<Record<Dependency, string>> = {
	tsdb: 'time-series database',
	identityProvider: 'identity provider',
	signingKey: 'signing key',
};

/** When a client should repeat a request after the store failed. */
const storeRetryMs = 1000;

/** When an authorizer should ask again for keys that are not published yet. */
const keysRetryMs = 5000;

/** The response to each domain error (DESIGN.md section 3.6). */
const responses: { readonly [Code in ErrorCode]: (payload: ErrorPayloads[Code]) => ApiResponse } = {
	invalid: ({ issues }) => ({ status: 400, body: errorBody(issues) }),
	not_found: ({ kind, id }) =>
		id === null
			? errorResponse(404, 'request', `No ${kind} is saved yet: save one with POST ${pathOf('saveBombs')}.`)
			: errorResponse(404, 'id', `There is no ${kind} ${id}; send id 0 to make a new one.`),
	too_large: ({ field, counted, actual, limit, remedy = 'Ask for less in one request.' }) =>
		errorResponse(413, field, `Too many ${counted}: ${actual}, at most ${limit}. ${remedy}`),
	in_use: ({ field, message, usages }) => {
		const users = usages.map(({ kind, id, name }) => `${kind} ${id} (${name})`).join(', ');
		return errorResponse(409, field, `${message}. Used by ${users}. Change those first.`);
	},
	version_mismatch: ({ stored }) =>
		errorResponse(
			412,
			'request',
			stored === null
				? 'If-Match was given, and nothing is stored.'
				: `The stored version is ${stored}, not the one in If-Match: read it again, then change that.`,
		),
	key_in_use: ({ reason }) =>
		errorResponse(
			409,
			'Idempotency-Key',
			reason === 'running'
				? 'The first request with this key still runs: ask again a little later.'
				: 'This key came with another request before: use a new key for each request.',
		),
	no_published_key: () => unavailable('No key is published yet: npm run key -- publish NAME, then activate NAME.', keysRetryMs),
	credentials_refused: () =>
		errorResponse(
			401,
			'request',
			'Sign-in refused: check e-mail, application token, schema and database, and that the product is yours.',
		),
	sign_in_blocked: ({ retryAfterMs }) =>
		withRetryAfter(errorResponse(429, 'request', 'Too many failed sign-ins: wait, then try again.'), retryAfterMs),
	write_contention: ({ retryAfterMs }) =>
		unavailable('Too many writes to this schema at once; nothing was written. Try again.', retryAfterMs),
	outcome_unknown: () =>
		unavailable(
			'It is not known whether this was stored. Read to see, or send it again with the same Idempotency-Key.',
			storeRetryMs,
		),
	store_failed: () => unavailable('The store failed; nothing was written. Try again.', storeRetryMs),
	dependency_failed: ({ dependency }) =>
		errorResponse(502, dependency, `The ${dependencyNames[dependency]} failed: try again; if it stays so, tell the operator.`),
	dependency_slow: ({ dependency, retryAfterMs, remedy = 'try again' }) => {
		const response = errorResponse(504, dependency, `The ${dependencyNames[dependency]} did not answer in time: ${remedy}.`);
		return retryAfterMs === undefined ? response : withRetryAfter(response, retryAfterMs);
	},
};

/**
 * Maps any thrown value to the response for the client; there is no other mapping. An unknown error is a bug: its response is
 * a 500 that names the request id and nothing else.
 */
export function toErrorResponse(error: unknown, requestId: string): ApiResponse {
	if (error instanceof RequestError) return errorResponse(error.status, error.field, error.message);
	if (error instanceof DomainError) return domainErrorResponse(error);
	return errorResponse(500, 'request', `Internal error. Tell the operator this request id: ${requestId}`);
}

/** Separate because the table can be indexed with the error's own code only through a type parameter. */
function domainErrorResponse<Code extends ErrorCode>({ code, payload }: DomainError<Code>): ApiResponse {
	return responses[code](payload);
}

function errorResponse(status: number, field: string, message: string): ApiResponse {
	return { status, body: errorBody([{ path: field, message }]) };
}

function unavailable(message: string, retryAfterMs: number): ApiResponse {
	return withRetryAfter(errorResponse(503, 'request', message), retryAfterMs);
}

/** Adds the header Retry-After: whole seconds, at least 1, rounded up. */
function withRetryAfter(response: ApiResponse, retryAfterMs: number): ApiResponse {
	return { ...response, headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) } };
}

/** Returns the body of an error: one message for each field, the first one where a field has several. */
function errorBody(issues: readonly ValidationIssue[]): Record<string, unknown> {
	const messages = new Map<string, { message: string }>();
	for (const { path, message } of issues) if (!messages.has(path)) messages.set(path, { message });
	return Object.fromEntries(messages);
}
