import createClient from 'openapi-fetch';
import type { Readable } from 'openapi-typescript-helpers';
import type { ErrorParams } from '#domain/validation/problem.ts';
import type { components, paths } from '#infra/openapi/api.d.ts';
import { noteServerTime } from './clock.ts';

/** The types of the API's description, by name, as the client answers them. */
export type Schemas = { readonly [Name in keyof components['schemas']]: Readable<components['schemas'][Name]> };

/** What is wrong with one field, as the service says it. */
export type FieldError = Omit<Schemas['FieldError'], 'params'> & { readonly params: ErrorParams };

/** Why a request has no result. */
export interface Failure {
	/** `unreachable`: no answer at all, or none that is JSON. `refused`: an answer that is an error. */
	readonly kind: 'unreachable' | 'refused';
	/** The HTTP status; 0 without an answer. */
	readonly status: number;
	/** What is wrong, by the path of the field; `request` where it concerns none. */
	readonly errors: Readonly<Record<string, FieldError>>;
	/** When to ask again, in milliseconds from now, where the service says so. */
	readonly retryAfterMs: number | null;
}

/** The result of a request. `etag` names the version that was answered. */
export type Result<Data> =
	| { readonly ok: true; readonly data: Data; readonly etag: string | null }
	| { readonly ok: false; readonly failure: Failure };

/** How long a request may take. The service itself answers within 30 s. */
const timeoutMs = 30_000;

/** The token of the session, and what to do when the service no longer takes it. The session sets both. */
export const access: { token: string | null; onRefused: () => void } = { token: null, onRefused: () => undefined };

/** The typed client of the service. Its paths are relative to the page, so the service may stand below another path. */
export const api = createClient<paths>({ baseUrl: new URL('.', document.baseURI).href.replace(/\/$/, '') });

api.use({
	onRequest: ({ request }) => {
		if (access.token !== null) request.headers.set('authorization', `Bearer ${access.token}`);
		// The journal of changes says that it was done here (shared/http/caller.ts).
		if (request.method === 'POST') request.headers.set('x-caudal-client', 'console');
		return new Request(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]) });
	},
	onResponse: ({ request, response }) => {
		noteServerTime(response.headers.get('date'));
		// A refused sign-in is 401, too, but such a request has no token.
		if (response.status === 401 && request.headers.get('authorization') === `Bearer ${access.token}`) access.onRefused();
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
		const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
		return {
			ok: false,
			failure: {
				kind: 'refused',
				status: response.status,
				errors: isSignedOut(response.status, error) ? {} : fieldErrorsOf(error),
				retryAfterMs: Number.isFinite(retryAfter) ? retryAfter * 1000 : null,
			},
		};
	} catch {
		return { ok: false, failure: { kind: 'unreachable', status: 0, errors: {}, retryAfterMs: null } };
	}
}

/** The gateway's refusal of a token says nothing about the request. A refused sign-in is an error of the service, with a field. */
function isSignedOut(status: number, error: unknown): boolean {
	return status === 401 && Object.values(fieldErrorsOf(error)).every(({ code }) => code === gatewayCode);
}

const gatewayCode = 'gateway';

/** The gateway's own errors are a sentence without fields. */
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
