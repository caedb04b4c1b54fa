import { type Dependency, DomainError, type ErrorCode, type ErrorPayloads } from '#domain/errors.ts';
import type { ApiResponse } from './api-response.ts';
import { RequestError } from './request-error.ts';

/** The body of an error: by offending field, each with a message (specification section 7). */
function keyed(entries: readonly (readonly [string, string])[]): Record<string, unknown> {
	const messages = new Map<string, { message: string }>();
	for (const [field, message] of entries) if (!messages.has(field)) messages.set(field, { message });
	return Object.fromEntries(messages);
}

const refusal = (status: number, field: string, message: string): ApiResponse => ({ status, body: keyed([[field, message]]) });

const later = (answer: ApiResponse, retryAfterMs: number): ApiResponse => ({
	...answer,
	headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) },
});

const dependencyNames: Readonly<Record<Dependency, string>> = {
	tsdb: 'time-series database',
	identityProvider: 'identity provider',
	signingKey: 'signing key',
};

/** When to come back after a fault of the store. */
const storeRetryMs = 1000;

/** The answer to each of the domain's refusals. */
const answers: { readonly [Code in ErrorCode]: (payload: ErrorPayloads[Code]) => ApiResponse } = {
	invalid: ({ offences }) => ({ status: 400, body: keyed(offences.map(({ path, message }) => [path, message])) }),
	not_found: ({ field, message }) => refusal(404, field, message),
	too_large: ({ field, what, actual, limit }) =>
		refusal(413, field, `Too many ${what}: ${actual}, at most ${limit}. Ask for less in one request.`),
	in_use: ({ field, message, usages }) =>
		refusal(
			409,
			field,
			`${message} by ${usages.map(({ kind, id, name }) => `${kind} ${id} (${name})`).join(', ')}. Change those first.`,
		),
	version_mismatch: ({ stored }) =>
		refusal(
			412,
			'request',
			stored === null
				? 'If-Match was given, and nothing is stored.'
				: `The stored version is ${stored}, not the one in If-Match: read it again, then change that.`,
		),
	key_in_use: ({ why }) =>
		refusal(
			409,
			'Idempotency-Key',
			why === 'running'
				? 'The first request with this key still runs: ask again a little later.'
				: 'This key came with another request before: use a new key for each request.',
		),
	credentials_refused: () =>
		refusal(
			401,
			'request',
			'Sign-in refused: check e-mail, application token, schema and database, and that the product is yours.',
		),
	sign_in_blocked: ({ retryAfterMs }) =>
		later(refusal(429, 'request', 'Too many failed sign-ins for this e-mail: wait, then try again.'), retryAfterMs),
	write_contention: ({ retryAfterMs }) =>
		later(refusal(503, 'request', 'Too many writes to this schema at once; nothing was written. Try again.'), retryAfterMs),
	outcome_unknown: () =>
		later(
			refusal(
				503,
				'request',
				'It is not known whether this was stored. Read to see, or send it again with the same Idempotency-Key.',
			),
			storeRetryMs,
		),
	store_failed: () => later(refusal(503, 'request', 'The store failed; nothing was written. Try again.'), storeRetryMs),
	dependency_failed: ({ dependency }) =>
		refusal(502, dependency, `The ${dependencyNames[dependency]} failed: try again; if it stays so, tell the operator.`),
	dependency_slow: ({ dependency }) =>
		refusal(504, dependency, `The ${dependencyNames[dependency]} did not answer in time: try again.`),
};

/** What an error comes to: the client's answer, and whether an operator must hear of it. */
export interface ErrorResponse {
	readonly answer: ApiResponse;
	readonly level: 'none' | 'fault';
}

/** The one mapping of errors to answers. Whatever is not known is a bug: opaque to the client, for the log in full. */
export function toErrorResponse(error: unknown, requestId: string): ErrorResponse {
	if (error instanceof RequestError) return { answer: refusal(error.status, error.field, error.message), level: 'none' };
	if (error instanceof DomainError) {
		const answer = answerOf(error);
		return { answer, level: answer.status >= 500 ? 'fault' : 'none' };
	}
	return { answer: refusal(500, 'request', `Internal error. Tell the operator this request id: ${requestId}`), level: 'fault' };
}

const answerOf = <Code extends ErrorCode>({ code, payload }: DomainError<Code>): ApiResponse => answers[code](payload);
