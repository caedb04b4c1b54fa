import { setTimeout } from 'node:timers/promises';
import createClient, { type Client } from 'openapi-fetch';
import * as v from 'valibot';
import { messageOf } from '#domain/errors.ts';
import type { Paths } from '#infra/openapi/api.ts';
import { ConfigError } from '#shared/config.ts';
import { pathOf } from '#shared/contract.ts';

/** What signs in to a service: the secret of a machine, or the token that a person has. */
export type PlantCredentials = { readonly clientId: string; readonly clientSecret: string } | { readonly token: string };

/** How a session reaches a service. */
export interface SessionOptions {
	readonly url: URL;
	readonly credentials: PlantCredentials;
	/** Sends requests; default: the global `fetch`. */
	readonly fetch?: (request: Request) => Promise<Response>;
	/** Epoch milliseconds. */
	readonly now?: () => number;
	/** Waits; default: on a timer. */
	readonly pause?: (ms: number) => Promise<void>;
	/** Called before a request is sent again, with the reason and the waiting time as text. */
	readonly onRetry?: (reason: string) => void;
}

/** A session with the API of a service. */
export interface Session {
	readonly api: Client<Paths>;
	/** The schema of the token. */
	readonly schema: () => Promise<string>;
	/**
	 * Sends a request, and repeats it when that may help: at once with a new token, otherwise after a while. Rejects with a ConfigError when
	 * the service cannot be reached or refuses the credentials.
	 */
	readonly send: <Data>(request: () => Promise<Sent<Data>>) => Promise<Answer<Data>>;
	readonly now: () => number;
}

/** The result of a request of the typed client. */
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
/** How long to wait where the service does not say it. */
const defaultWaitMs = 2000;
/** How long before its end a token is replaced, in milliseconds. */
const renewBeforeMs = 60_000;

/** Opens a session. Nothing is sent yet. */
export function openSession(options: SessionOptions): Session {
	const { url, now = Date.now, pause = (ms: number) => setTimeout(ms), onRetry = () => undefined } = options;
	const baseUrl = url.href.replace(/\/$/, '');
	const send = unredirected(options.fetch ?? fetch);
	const access = createTokenSource({ ...options, now }, baseUrl, send);
	const api = createClient<Paths>({
		baseUrl,
		fetch: send,
		// Lists in queries are separated by commas: ?ids=7,8.
		querySerializer: { array: { style: 'form', explode: false } },
	});
	api.use({
		onRequest: async ({ request }) => {
			request.headers.set('authorization', `Bearer ${await access.token()}`);
			return request;
		},
		onResponse: ({ request, response }) => {
			if (response.status === 401) access.discard(request.headers.get('authorization')?.replace(/^Bearer /, '') ?? '');
		},
	});
	const sendUntilAnswered = async <Data>(request: () => Promise<Sent<Data>>): Promise<Answer<Data>> => {
		let isRenewed = false;
		for (let failures = 0, waits = 0; ; ) {
			const { sent, reason } = await attempt(request);
			if (sent?.response.status === 401) {
				if (isRenewed || !access.isRenewable) throw tokenRefused(access.isRenewable);
				isRenewed = true;
				continue;
			}
			// Null: a repetition would not help.
			const wait = sent === null ? { ms: defaultWaitMs * (failures + 1), isFailure: true } : waitOf(sent);
			if (wait?.isFailure) failures += 1;
			else waits += 1;
			const isFinal = wait === null || failures > maxFailures || waits > maxWaits;
			if (isFinal && sent !== null) return answerOf(sent);
			// Without an answer `wait` is not null; the compiler does not see that.
			if (wait === null || isFinal) throw new ConfigError(`${baseUrl} cannot be reached: ${reason}. Run this again to continue.`);
			onRetry(`${reason}; again in ${Math.ceil(wait.ms / 1000)} s`);
			await pause(wait.ms);
		}
	};
	return { api, send: sendUntilAnswered, now, schema: async () => schemaOf(await access.token()) };
}

/** Returns a function that sends requests and follows no redirect: it would take the secret or the token to another address. */
function unredirected(send: (request: Request) => Promise<Response>) {
	return async (request: Request): Promise<Response> => {
		const response = await send(new Request(request, { redirect: 'manual' }));
		if (response.status < 300 || response.status >= 400) return response;
		const target = response.headers.get('location') ?? 'no address';
		throw new ConfigError(
			`${request.url} redirects to ${target}, which gets no secret and no token: give --url the address of the service itself.`,
		);
	};
}

/** Returns the error for a token that the service refuses. A person has to sign in again; a machine was given a new token already. */
function tokenRefused(isOfMachine: boolean): ConfigError {
	return new ConfigError(
		isOfMachine
			? 'The service refuses the token that it has just given to this machine: ask an administrator of the plant.'
			: 'The token is not valid any more: sign in again, and run this again to continue.',
	);
}

/** The response to a request, or null with the reason why there is none. `reason` says why the request may be sent again. */
interface Attempt<Data> {
	readonly sent: Sent<Data> | null;
	readonly reason: string;
}

/** Most characters of a reason that are printed. */
const maxReasonLength = 200;

/** Sends a request once. Rejects with the ConfigError of a sign-in that was refused. */
async function attempt<Data>(request: () => Promise<Sent<Data>>): Promise<Attempt<Data>> {
	try {
		const sent = await request();
		return { sent, reason: `the service answered ${sent.response.status}` };
	} catch (error) {
		if (error instanceof ConfigError) throw error;
		return { sent: null, reason: messageOf(error).slice(0, maxReasonLength) };
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

/** The answer to a sign-in. `expires_in`: seconds. */
const tokenAnswerSchema = v.object({ access_token: v.string(), expires_in: v.number() });

type TokenAnswer = v.InferOutput<typeof tokenAnswerSchema>;

const refusalSchema = v.object({ error: v.string(), error_description: v.optional(v.string()) });

/** A source of tokens. */
interface TokenSource {
	readonly token: () => Promise<string>;
	/** Whether `token` returns a new token after `discard`: a machine's, but not a person's. */
	readonly isRenewable: boolean;
	/** Forgets a token that the service refused. Does nothing for a token that was replaced already. */
	readonly discard: (token: string) => void;
}

/** The token of a machine, requested or there. */
interface MachineToken {
	readonly token: Promise<string>;
	/** The token once it is there. */
	text: string | null;
	/** Epoch milliseconds. */
	endsAt: number;
}

/** Creates a source of valid tokens. A machine requests a new token before its current one ends, or after it was refused. */
function createTokenSource(
	{ credentials, now }: { readonly credentials: PlantCredentials; readonly now: () => number },
	baseUrl: string,
	send: (request: Request) => Promise<Response>,
): TokenSource {
	if ('token' in credentials) return { token: async () => credentials.token, isRenewable: false, discard: () => undefined };
	let current: MachineToken | null = null;
	const requestGrant = async (): Promise<TokenAnswer> => {
		const { clientId, clientSecret } = credentials;
		const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret });
		const response = await send(new Request(`${baseUrl}${pathOf('token')}`, { method: 'POST', body }));
		// A body that is no JSON has no reason to tell.
		const answer: unknown = await response.json().catch(() => null);
		if (response.ok) return v.parse(tokenAnswerSchema, answer);
		if (response.status === 429 || response.status >= 500) throw new Error(`the sign-in was answered ${response.status}`);
		const refusal = v.safeParse(refusalSchema, answer);
		const reason = refusal.success ? (refusal.output.error_description ?? refusal.output.error) : `status ${response.status}`;
		throw new ConfigError(
			`The service does not let this machine in (${reason}): check CAUDAL_CLIENT_ID, CAUDAL_CLIENT_SECRET and --url.`,
		);
	};
	const renew = (): Promise<string> => {
		const grant = requestGrant();
		const token = grant.then(({ access_token }) => access_token);
		// Until its end is known, the token that is on its way serves every request.
		const renewed: MachineToken = { token, text: null, endsAt: Number.POSITIVE_INFINITY };
		current = renewed;
		grant.then(
			({ access_token, expires_in }) => {
				renewed.text = access_token;
				renewed.endsAt = now() + expires_in * 1000;
			},
			// Whoever awaits `token` gets the error. The next request asks again.
			() => {
				if (current === renewed) current = null;
			},
		);
		return token;
	};
	return {
		token: () => (current === null || now() > current.endsAt - renewBeforeMs ? renew() : current.token),
		isRenewable: true,
		discard: (token) => {
			if (current?.text === token) current = null;
		},
	};
}

const claimsSchema = v.pipe(v.string(), v.parseJson(), v.object({ schema: v.pipe(v.string(), v.nonEmpty()) }));

/** Returns the schema that a token is for. The service checks the token; here it is only read. */
function schemaOf(token: string): string {
	const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
	const claims = v.safeParse(claimsSchema, payload);
	if (!claims.success) throw new ConfigError('The token is none of this service: it names no schema. Check CAUDAL_TOKEN.');
	return claims.output.schema;
}
