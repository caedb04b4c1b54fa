import { setTimeout } from 'node:timers/promises';
import createClient, { type Client } from 'openapi-fetch';
import * as v from 'valibot';
import { messageOf } from '#domain/errors.ts';
import type { paths } from '#infra/openapi/api.d.ts';
import { ConfigError } from '#shared/config.ts';
import { pathOf } from '#shared/contract.ts';

/** Signs in to a service: as a machine, or with the token that a person has. */
export type PlantCredentials = { readonly clientId: string; readonly clientSecret: string } | { readonly token: string };

/** How a session reaches a service. */
export interface SessionOptions {
	readonly url: URL;
	readonly credentials: PlantCredentials;
	readonly fetch?: (request: Request) => Promise<Response>;
	/** Epoch milliseconds. */
	readonly now?: () => number;
	readonly pause?: (ms: number) => Promise<void>;
	/** Called before a request is sent again, with the reason and the waiting time. */
	readonly onRetry?: (reason: string) => void;
}

/** A session with the API of a service. */
export interface Session {
	readonly api: Client<paths>;
	/** The schema of the token. */
	readonly schema: () => Promise<string>;
	/**
	 * Sends a request, and repeats it when that may help. Rejects with a ConfigError when the service cannot be reached or refuses the
	 * credentials.
	 */
	readonly send: <Data>(request: () => Promise<Sent<Data>>) => Promise<Answer<Data>>;
	readonly now: () => number;
}

/** What the typed client returns. */
interface Sent<Data> {
	readonly data?: Data;
	readonly error?: unknown;
	readonly response: Response;
}

/** An answer, or a refusal with its reasons by field. */
export type Answer<Data> =
	| { readonly ok: true; readonly data: Data; readonly isReplayed: boolean }
	| { readonly ok: false; readonly status: number; readonly errors: readonly ApiError[] };

/** The service's error for one field. */
export interface ApiError {
	readonly field: string;
	readonly code: string;
	readonly message: string;
	readonly params: Readonly<Record<string, unknown>>;
}

/** Most repetitions of a request that got no answer, or that failed because a dependency failed. */
const maxFailures = 4;
/** Most repetitions of a request for which the service was too busy. */
const maxWaits = 60;
const defaultWaitMs = 2000;
/** How long before its end a token is replaced. */
const renewBeforeMs = 60_000;

/** Opens a session. Nothing is sent yet. */
export function openSession(options: SessionOptions): Session {
	const { url, now = Date.now, pause = (ms: number) => setTimeout(ms), onRetry = () => undefined } = options;
	const baseUrl = url.href.replace(/\/$/, '');
	const access = createAccess({ ...options, now }, baseUrl, options.fetch ?? fetch);
	const api = createClient<paths>({
		baseUrl,
		...(options.fetch === undefined ? {} : { fetch: options.fetch }),
		// Lists in queries are separated by commas: ?ids=7,8.
		querySerializer: { array: { style: 'form', explode: false } },
	});
	api.use({
		onRequest: async ({ request }) => {
			request.headers.set('authorization', `Bearer ${await access.token()}`);
			return request;
		},
	});
	const send = async <Data>(request: () => Promise<Sent<Data>>): Promise<Answer<Data>> => {
		for (let failures = 0, waits = 0; ; ) {
			const outcome = await attempt(request);
			const wait = typeof outcome === 'string' ? null : waitOf(outcome);
			if (typeof outcome !== 'string' && wait === null) return answerOf(outcome);
			if (wait === null || wait.isFailure) failures += 1;
			else waits += 1;
			const reason = typeof outcome === 'string' ? outcome : `the service answered ${outcome.response.status}`;
			if (failures > maxFailures || waits > maxWaits) {
				if (typeof outcome !== 'string') return answerOf(outcome);
				throw new ConfigError(`${baseUrl} cannot be reached: ${outcome}. Run this again to continue.`);
			}
			const waitMs = wait?.ms ?? defaultWaitMs * failures;
			onRetry(`${reason}; again in ${Math.ceil(waitMs / 1000)} s`);
			await pause(waitMs);
		}
	};
	return { api, send, now, schema: async () => schemaOf(await access.token()) };
}

/** Returns the response, or the reason why there is none. */
async function attempt<Data>(request: () => Promise<Sent<Data>>): Promise<Sent<Data> | string> {
	try {
		const sent = await request();
		if (sent.response.status === 401)
			throw new ConfigError('The token is not valid any more: sign in again, and run this again to continue.');
		return sent;
	} catch (error) {
		if (error instanceof ConfigError) throw error;
		return messageOf(error).slice(0, 200);
	}
}

/** Returns how long to wait before a request is sent again; null where that would not help. */
function waitOf({ response, error }: Sent<unknown>): { readonly ms: number; readonly isFailure: boolean } | null {
	const { status } = response;
	const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
	const ms = Number.isFinite(retryAfter) && retryAfter >= 0 ? retryAfter * 1000 : defaultWaitMs;
	if (status === 429 || status === 503) return { ms, isFailure: false };
	if (status === 500 || status === 502 || status === 504) return { ms, isFailure: true };
	// The first request with this key is still running: it was sent before this program was started again.
	const isRunning =
		status === 409 && errorsOf(error).some(({ code, params }) => code === 'key_in_use' && params['reason'] === 'running');
	return isRunning ? { ms: defaultWaitMs, isFailure: false } : null;
}

function answerOf<Data>({ data, error, response }: Sent<Data>): Answer<Data> {
	if (response.ok && data !== undefined)
		return { ok: true, data, isReplayed: response.headers.get('idempotent-replayed') === 'true' };
	return { ok: false, status: response.status, errors: errorsOf(error) };
}

const errorSchema = v.object({
	code: v.optional(v.string(), ''),
	message: v.string(),
	params: v.optional(v.record(v.string(), v.unknown()), {}),
});

function errorsOf(body: unknown): readonly ApiError[] {
	if (typeof body !== 'object' || body === null) return [];
	return Object.entries(body).flatMap(([field, entry]) => {
		if (typeof entry === 'string') return [{ field: 'request', code: '', message: entry, params: {} }];
		const result = v.safeParse(errorSchema, entry);
		return result.success ? [{ field, ...result.output }] : [];
	});
}

const grantSchema = v.object({ access_token: v.string(), expires_in: v.number() });
const refusalSchema = v.object({ error: v.string(), error_description: v.optional(v.string()) });

/** Creates a source of valid tokens. A machine requests a new token before its current one ends. */
function createAccess(
	{ credentials, now }: { readonly credentials: PlantCredentials; readonly now: () => number },
	baseUrl: string,
	send: (request: Request) => Promise<Response>,
): { readonly token: () => Promise<string> } {
	if ('token' in credentials) return { token: async () => credentials.token };
	let current: { readonly token: Promise<string>; endsAt: number } | null = null;
	const ask = async (): Promise<string> => {
		const { clientId, clientSecret } = credentials;
		const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret });
		const response = await send(new Request(`${baseUrl}${pathOf('token')}`, { method: 'POST', body }));
		const answered: unknown = await response.json().catch(() => null);
		if (response.ok) {
			const { access_token, expires_in } = v.parse(grantSchema, answered);
			if (current !== null) current.endsAt = now() + expires_in * 1000;
			return access_token;
		}
		if (response.status === 429 || response.status >= 500) throw new Error(`the sign-in was answered ${response.status}`);
		const refusal = v.safeParse(refusalSchema, answered);
		const reason = refusal.success ? (refusal.output.error_description ?? refusal.output.error) : `status ${response.status}`;
		throw new ConfigError(
			`The service does not let this machine in (${reason}): check CAUDAL_CLIENT_ID, CAUDAL_CLIENT_SECRET and --url.`,
		);
	};
	const renew = (): Promise<string> => {
		const token = ask();
		current = { token, endsAt: Number.POSITIVE_INFINITY };
		token.catch(() => {
			current = null;
		});
		return token;
	};
	return { token: () => (current === null || now() > current.endsAt - renewBeforeMs ? renew() : current.token) };
}

const claimsSchema = v.pipe(v.string(), v.parseJson(), v.object({ schema: v.pipe(v.string(), v.nonEmpty()) }));

/** Returns the schema that a token is for. The service checks the token; here it is only read. */
function schemaOf(token: string): string {
	const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
	const claims = v.safeParse(claimsSchema, payload);
	if (!claims.success) throw new ConfigError('The token is none of this service: it names no schema. Check CAUDAL_TOKEN.');
	return claims.output.schema;
}
