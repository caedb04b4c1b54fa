import createClient from 'openapi-fetch';
import type { Readable } from 'openapi-typescript-helpers';
import type { ErrorParams } from '#domain/validation/problem.ts';
import type { Schemas as ApiSchemas, Paths } from '#infra/openapi/api.ts';
import { noteServerTime } from './clock.ts';

/** The schemas of the API by name, as the typed client returns them. */
export type Schemas = { readonly [Name in keyof ApiSchemas]: Readable<ApiSchemas[Name]> };

/** An error of one field, as the service reports it. */
export type FieldError = Omit<Schemas['FieldError'], 'params'> & { readonly params: ErrorParams };

/** Why a request has no result. */
export interface Failure {
	/** `unreachable`: no answer came, or it was not JSON. `refused`: the service answered with an error. */
	readonly kind: 'unreachable' | 'refused';
	/** The HTTP status; 0 without an answer. */
	readonly status: number;
	/** The errors by the path of their field. The key of an error that concerns no field is `request`. */
	readonly errors: Readonly<Record<string, FieldError>>;
	/** In how many milliseconds the request may be repeated; null where the service does not say it. */
	readonly retryAfterMs: number | null;
}

/** The result of a request. `etag` names the version that was answered. */
export type Result<Data> =
	| { readonly ok: true; readonly data: Data; readonly etag: string | null }
	| { readonly ok: false; readonly failure: Failure };

/** How long a request may take. The service itself answers within 30 s. */
const timeoutMs = 30_000;

/** The token of the session, and the function that is called when the service no longer accepts the token. The session sets both. */
export const access: { token: string | null; onRefused: () => void } = { token: null, onRefused: () => undefined };

/** The typed client of the service. Its paths are relative to the page, so the service may stand below another path. */
export const api = createClient<Paths>({
	baseUrl: new URL('.', document.baseURI).href.replace(/\/$/, ''),
	fetch: send,
});

/** The codes of a session that the service has ended, in the text of an answer. */
const endedPattern = /"(session_ended|renewal_refused)"/;

api.use({
	onRequest: ({ request, schemaPath }) => {
		// A machine shows its credentials instead, in the body.
		if (access.token !== null && schemaPath !== '/token') request.headers.set('authorization', `Bearer ${access.token}`);
		// The journal of changes records by this header that the change was made in the console (shared/http/caller.ts).
		if (request.method === 'POST') request.headers.set('x-caudal-client', 'console');
		return new Request(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]) });
	},
	onResponse: async ({ request, response, schemaPath }) => {
		// The session of an OpenID provider's person is over. A token of the identity provider lasts until its end all the same.
		const isEnded = response.status === 403 && schemaPath !== '/renewToken' && endedPattern.test(await response.clone().text());
		const isOver = response.status === 401 || isEnded;
		// A failed sign-in is answered with 401, too, but that request carries no token.
		if (isOver && request.headers.get('authorization') === `Bearer ${access.token}`) access.onRefused();
		// What was asked for may pass after a new sign-in, as with a token that is over.
		return isEnded && schemaPath !== '/renewOpenId' ? new Response('{}', { status: 401 }) : undefined;
	},
});

/**
 * Awaits a request of the typed client. Never rejects.
 *
 * @example
 * const result = await resultOf(api.GET('/getCharts'));
 */
export async function resultOf<Data>(
	request: Promise<{ readonly data?: Data; readonly error?: unknown; readonly response: Response }>,
): Promise<Result<Data>> {
	try {
		const { data, error, response } = await request;
		if (response.ok && data !== undefined) return { ok: true, data, etag: response.headers.get('etag') };
		// `Number(null)` would be 0, so a missing header becomes NaN.
		const retryAfterSeconds = Number(response.headers.get('retry-after') ?? Number.NaN);
		return {
			ok: false,
			failure: {
				kind: 'refused',
				status: response.status,
				// Where the token is refused, the sign-in form is shown instead of the gateway's text.
				errors: isSignedOut(response.status, error) ? {} : fieldErrorsOf(error),
				retryAfterMs: Number.isFinite(retryAfterSeconds) ? retryAfterSeconds * 1000 : null,
			},
		};
	} catch {
		return { ok: false, failure: { kind: 'unreachable', status: 0, errors: {}, retryAfterMs: null } };
	}
}

/** How old the answer to a request may be that was sent before the page's module ran: less than the shortest interval of polls. */
const longestHeldMs = 10_000;

const sendNow = globalThis.fetch;

/** Sends a request, or takes the answer to the same one that first-reads.ts has sent. */
async function send(request: Request): Promise<Response> {
	const first = globalThis.firstReads;
	const held = first?.answers.get(request.url);
	first?.answers.delete(request.url);
	const isSame = request.headers.get('authorization') === `Bearer ${first?.token}` && !request.headers.has('content-type');
	const isYoung = performance.now() - (first?.sentAt ?? 0) < longestHeldMs;
	const answer = isSame && isYoung ? await held : null;
	const { response, receivedAt } = answer ?? { response: await sendNow(request), receivedAt: Date.now() };
	noteServerTime(response.headers.get('date'), receivedAt);
	return response;
}

/** Whether the gateway refused the token. A failed sign-in has the same status, but it is an error of the service and names a field. */
function isSignedOut(status: number, error: unknown): boolean {
	return status === 401 && Object.values(fieldErrorsOf(error)).every(({ code }) => code === gatewayCode);
}

/** The code that this file gives to the errors of the gateway itself, which have none. */
const gatewayCode = 'gateway';

/** Returns the errors of an answer by field. An error of the gateway itself is a text, such as `{"message":"Unauthorized"}`, and names no field. */
function fieldErrorsOf(error: unknown): Readonly<Record<string, FieldError>> {
	if (typeof error !== 'object' || error === null) return {};
	const entries = Object.entries(error).flatMap(([field, entry]): [string, FieldError][] => {
		if (typeof entry === 'string') return [['request', { code: gatewayCode, message: entry, params: {} }]];
		return isFieldError(entry) ? [[field, entry]] : [];
	});
	return Object.fromEntries(entries);
}

function isFieldError(entry: unknown): entry is FieldError {
	return typeof entry === 'object' && entry !== null && 'code' in entry && 'message' in entry && 'params' in entry;
}
