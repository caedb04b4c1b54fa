import type { MachineRefusal } from '#domain/access/machine.ts';
import { type Dependency, DomainError, type ErrorCode, type ErrorPayloads } from '#domain/errors.ts';
import { countedWords } from '#domain/validation/counted.ts';
import { sentText } from '#domain/validation/parse.ts';
import type { ErrorParams } from '#domain/validation/problem.ts';
import type { ApiResponse } from './api-response.ts';
import { RequestError } from './request-error.ts';

const dependencyNames: Readonly<Record<Dependency, string>> = {
	tsdb: 'time-series database',
	identityProvider: 'identity provider',
	openIdProvider: 'sign-in provider',
	signingKey: 'signing key',
	notifier: 'notification service',
};

/** How long a client should wait before it repeats a request after the store failed. */
const storeRetryMs = 1000;

/** How long an authorizer should wait before it asks again for keys that are not published yet. */
const keysRetryMs = 5000;

/** An entry of an error response. `code` is left out where it is the code of the domain error itself. */
interface ErrorEntry {
	readonly path: string;
	readonly code?: string;
	readonly message: string;
	readonly params: ErrorParams;
}

interface ErrorAnswer extends Pick<ApiResponse, 'status' | 'headers'> {
	readonly entries: readonly ErrorEntry[];
}

const machineRefusals: Readonly<Record<MachineRefusal, string>> = {
	removed: 'was deleted',
	expired: 'has expired',
	revoked: 'has no secret any more',
};

const keyRefusals: Readonly<Record<ErrorPayloads['key_in_use']['reason'], string>> = {
	running: 'The first request with this key still runs: ask again a little later.',
	other_request: 'This key came with another request before: use a new key for each request.',
	changed_since: 'The first request with this key changed nothing, and others have changed the item since: read it again.',
};

/** The response to each domain error (shared/http/README.md#errors). */
const answers: { readonly [Code in ErrorCode]: (payload: ErrorPayloads[Code]) => ErrorAnswer } = {
	invalid: ({ issues }) => ({ status: 400, entries: issues }),
	not_found: ({ kind, id, remedy = 'send id 0 to make a new one' }) =>
		id === null
			? errorAnswer(404, 'request', `No ${kind} is saved yet: save one first.`, { kind })
			: errorAnswer(404, 'id', `There is no ${kind} ${id}; ${remedy}.`, { kind, id }),
	no_such_change: ({ kind, itemId, rowVersion }) => {
		const message = `The journal has no such entry: take kind, itemId and rowVersion from an entry of GET /changes.`;
		return errorAnswer(404, 'rowVersion', message, { kind, itemId, rowVersion });
	},
	not_deleted: ({ kind, id }) => {
		const message = `The ${kind} ${id} is stored, or this is not the entry of its last deletion: read its changes.`;
		return errorAnswer(409, 'rowVersion', message, { kind, id });
	},
	too_large: ({ field, counted, variable, actual, limit, remedy = 'Ask for less in one request.' }) => {
		const ofVariable = variable === undefined ? '' : ` ${variable}`;
		const message = `Too many ${countedWords[counted]}${ofVariable}: ${actual}, at most ${limit}. ${remedy}`;
		return errorAnswer(413, field, message, { counted, ...(variable === undefined ? {} : { variable }), limit, actual });
	},
	in_use: ({ field, bits, usages }) => {
		const users = usages.map(({ kind, id, name }) => (kind === 'panel' ? `panel ${name}` : `${kind} ${id} (${name})`)).join(', ');
		const message = `Bits in use cannot be removed: ${bits.join(', ')}. Used by ${users}. Change those first.`;
		return errorAnswer(409, field, message, {
			bits,
			usages: usages.length,
			kinds: usages.map(({ kind }) => kind),
			names: usages.map(({ name }) => name),
		});
	},
	version_mismatch: ({ stored }) =>
		errorAnswer(
			412,
			'request',
			stored === null
				? 'If-Match was given, and nothing is stored.'
				: `The stored version is ${stored}, not the one in If-Match: read it again, then change that.`,
			stored === null ? {} : { stored },
		),
	key_in_use: ({ reason }) => errorAnswer(409, 'Idempotency-Key', keyRefusals[reason], { reason }),
	role_too_low: ({ needs, has }) => {
		const yours = has === null ? 'yours was just changed' : `yours is ${has}`;
		const message = `This needs the role ${needs}, and ${yours}: ask an administrator of your plant.`;
		return errorAnswer(403, 'request', message, has === null ? { needs } : { needs, has });
	},
	machine_refused: ({ reason }) =>
		errorAnswer(403, 'request', `This machine ${machineRefusals[reason]}: ask an administrator of your plant.`, { reason }),
	no_such_machine: ({ clientId }) =>
		errorAnswer(404, 'clientId', `There is no machine ${sentText(clientId)}; leave clientId out to make a new one.`, {
			machine: sentText(clientId),
		}),
	secrets_full: ({ limit }) =>
		errorAnswer(409, 'newSecret', `A machine has at most ${limit} secrets: name the one to remove in removeSecret.`, { limit }),
	own_role: () => errorAnswer(403, 'email', 'Nobody changes their own role: ask another administrator.'),
	no_published_key: () => unavailable('No key is published yet: npm run key -- publish NAME, then activate NAME.', keysRetryMs),
	credentials_refused: () =>
		errorAnswer(
			401,
			'request',
			'Sign-in refused: check e-mail, application token, schema and database, and that the product is yours.',
		),
	password_refused: () => errorAnswer(401, 'request', 'Sign-in refused: check e-mail and password.'),
	code_required: () => errorAnswer(401, 'code', 'Send the code of your authenticator app, too, or a recovery code.'),
	code_refused: () => errorAnswer(401, 'code', 'This code is wrong, or was used: send the next one.'),
	second_factor_required: () => errorAnswer(403, 'request', 'This service requires a second factor: set one up first.'),
	second_factor_set: () =>
		errorAnswer(409, 'request', 'This account has a second factor: ask whoever runs the service to remove it.'),
	second_factor_late: () =>
		errorAnswer(
			403,
			'request',
			'A second factor is set up within an hour after the password was set: ask whoever runs the service for a new link.',
		),
	link_ended: () =>
		errorAnswer(403, 'token', 'This link was used, or its time is over: ask whoever runs the service for a new one.'),
	sign_in_blocked: ({ retryAfterMs }) =>
		withRetryAfter(errorAnswer(429, 'request', 'Too many failed sign-ins: wait, then try again.'), retryAfterMs),
	session_ended: () => errorAnswer(403, 'request', 'The session is over: sign in again.'),
	renewal_refused: () => errorAnswer(403, 'request', 'The token is not renewed: sign in again.'),
	sign_in_refused: () => errorAnswer(401, 'request', 'The provider did not confirm this sign-in: begin it again.'),
	no_grant: ({ provider, claims }) => {
		const shown = Object.entries(claims).map(([name, values]) => `${name}=${values.join(' ')}`);
		const said = shown.length === 0 ? '' : `, with what your provider says of you: ${shown.join(', ')}`;
		const message = `No grant lets you in: tell an administrator${said}.`;
		return errorAnswer(403, 'request', message, { provider, claims: shown });
	},
	groups_not_in_token: ({ provider }) =>
		errorAnswer(
			403,
			'request',
			'Your provider leaves your groups out of its tokens, because there are too many: ask its administrator to send fewer.',
			{ provider },
		),
	no_such_provider: () => errorAnswer(404, 'name', 'There is no such provider: read the list of providers again.'),
	renewal_under_way: ({ retryAfterMs }) => unavailable('Another request renews this session: try again.', retryAfterMs),
	no_such_person: () =>
		errorAnswer(404, 'email', 'There is no such person: people of a sign-in provider are known from their first sign-in.'),
	role_from_provider: ({ role }) =>
		errorAnswer(409, 'role', `The sign-in provider gives the role ${role}: change the grant to lower it.`, { role }),
	schema_busy: ({ setting, limit, retryAfterMs }) =>
		unavailable(`This schema has ${limit} requests under way, the most at once (${setting}). Try again.`, retryAfterMs, {
			setting,
			limit,
		}),
	write_contention: ({ retryAfterMs }) =>
		unavailable('Too many writes to this schema at once; nothing was written. Try again.', retryAfterMs),
	outcome_unknown: () =>
		unavailable(
			'It is not known whether this was stored. Read to see, or send it again with the same Idempotency-Key.',
			storeRetryMs,
		),
	store_failed: () => unavailable('The store failed; nothing was written. Try again.', storeRetryMs),
	dependency_failed: ({ dependency, remedy = 'try again; if it stays so, tell the operator' }) =>
		errorAnswer(502, dependency, `The ${dependencyNames[dependency]} failed: ${remedy}.`, { dependency }),
	dependency_slow: ({ dependency, retryAfterMs, remedy = 'try again' }) => {
		const message = `The ${dependencyNames[dependency]} did not answer in time: ${remedy}.`;
		const answer = errorAnswer(504, dependency, message, { dependency });
		return retryAfterMs === undefined ? answer : withRetryAfter(answer, retryAfterMs);
	},
};

/**
 * Maps any thrown value to the response for the client; there is no other mapping. An unknown error is a bug: its response is
 * a 500 that names the request id and nothing else.
 */
export function toErrorResponse(error: unknown, requestId: string): ApiResponse {
	if (error instanceof RequestError) {
		const { status, field: path, code, message, params } = error;
		return { status, body: errorBody([{ path, code, message, params }]) };
	}
	if (error instanceof DomainError) return domainErrorResponse(error);
	const message = `Internal error. Tell the operator this request id: ${requestId}`;
	return { status: 500, body: errorBody([{ path: 'request', code: 'internal_error', message, params: { requestId } }]) };
}

/** Returns the body of an error: for each field its first entry. */
export function errorBody(entries: readonly Required<ErrorEntry>[]) {
	const body = new Map<string, Omit<Required<ErrorEntry>, 'path'>>();
	for (const { path, message, code, params } of entries) if (!body.has(path)) body.set(path, { message, code, params });
	return Object.fromEntries(body);
}

/** Maps a domain error. It is a function of its own because the table can be indexed with the error's own code only through a type parameter. */
function domainErrorResponse<Code extends ErrorCode>({ code, payload }: DomainError<Code>): ApiResponse {
	const { entries, ...response } = answers[code](payload);
	return { ...response, body: errorBody(entries.map((entry) => ({ code, ...entry }))) };
}

function errorAnswer(status: number, path: string, message: string, params: ErrorParams = {}): ErrorAnswer {
	return { status, entries: [{ path, message, params }] };
}

function unavailable(message: string, retryAfterMs: number, params?: ErrorParams): ErrorAnswer {
	return withRetryAfter(errorAnswer(503, 'request', message, params), retryAfterMs);
}

/** Adds the header Retry-After: whole seconds, at least 1, rounded up. */
function withRetryAfter(answer: ErrorAnswer, retryAfterMs: number): ErrorAnswer {
	return { ...answer, headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) } };
}
