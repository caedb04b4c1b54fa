import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { HttpError, InfluxDB } from '@influxdata/influxdb-client';
import { redactServerMessage } from '../redact.ts';
import { type Secret, SecretError, withSecret } from '../secret.ts';
import { AnswerError, type Collected, type Collector, isTypeMessage } from './collect.ts';

/** Why there is no answer. `types`: the server says that samples are not of the types that the script takes them for. */
export type FailureKind = 'failed' | 'slow' | 'types';

/** A request without an answer that can be used. The message is for the log, never for a client. */
export class QueryError extends Error {
	override readonly name = 'QueryError';
	readonly kind: FailureKind;
	/** The HTTP status that was no answer, if there was one. */
	readonly status: number | undefined;

	constructor(kind: FailureKind, cause: string, options: ErrorOptions & { readonly status?: number } = {}) {
		super(cause, options);
		this.kind = kind;
		this.status = options.status;
	}
}

/** Where InfluxDB is, and how long and how much it may answer. */
export interface QueryClientOptions {
	readonly url: string;
	readonly token: Secret;
	readonly org: string;
	/** Whether answers are asked for compressed: for a network, not for one machine. */
	readonly gzip: boolean;
	readonly maxAnswerBytes: number;
}

/** Requests to one InfluxDB over connections that are kept. */
export interface QueryClient {
	/**
	 * Sends a Flux script: once more where the connection failed before anything had arrived, and once more where the token may
	 * have been refused and is another now.
	 * @param collector makes the reader of one answer
	 * @param signal aborted at the request's deadline
	 * Rejects with QueryError.
	 */
	query(flux: string, collector: () => Collector, signal: AbortSignal): Promise<Collected>;
	close(): void;
}

/**
 * The statuses that may mean the token. Measured with 2.7.12: 401 for one that is unknown or deleted; for one that is out of use,
 * or may not read the bucket, a query is answered 404 "could not find bucket", and a write 403.
 */
const refusalStatuses: ReadonlySet<number> = new Set([401, 403, 404]);

/** Whether an error of the client may mean that InfluxDB does not accept the token. */
export function isTokenRefusal(error: unknown): boolean {
	return error instanceof HttpError && refusalStatuses.has(error.statusCode);
}

/** Opens (at the first query) connections to InfluxDB. */
export function createQueryClient({ url, token, org, gzip, maxAnswerBytes }: QueryClientOptions): QueryClient {
	const agent = new (new URL(url).protocol === 'https:' ? HttpsAgent : HttpAgent)({ keepAlive: true });
	// The client's own timeout is of the socket's silence, and would retry nothing: the deadline is the request's.
	const { transport } = new InfluxDB({ url, timeout: 0, transportOptions: { agent } });
	const path = `/api/v2/query?org=${encodeURIComponent(org)}`;
	const headers = {
		'content-type': 'application/json; charset=utf-8',
		'accept-encoding': gzip ? 'gzip' : 'identity',
	};

	/** @param arrived told once anything of an answer has */
	const send = (
		flux: string,
		shown: string,
		collector: Collector,
		deadline: AbortSignal,
		arrived: () => void,
	): Promise<Collected> =>
		new Promise((resolve, reject) => {
			const decoder = new TextDecoder();
			const own = new AbortController();
			const abort = (): void => own.abort();
			deadline.addEventListener('abort', abort, { once: true });
			let bytes = 0;
			let done = false;
			const end = (): boolean => {
				const first = !done;
				done = true;
				deadline.removeEventListener('abort', abort);
				return first;
			};
			const fail = (error: unknown): void => {
				if (!end()) return;
				reject(attemptFailureOf(error, deadline, shown));
				// Not within an event of the response: Node would then throw the abort where nobody can catch it.
				setImmediate(abort);
			};
			const attempt = (step: () => void): void => {
				try {
					if (!done) step();
				} catch (error) {
					fail(error);
				}
			};
			const body = JSON.stringify({
				query: flux,
				type: 'flux',
				dialect: { header: true, delimiter: ',', commentPrefix: '#', annotations: ['datatype', 'default'] },
			});
			transport.send(
				path,
				body,
				{ method: 'POST', headers: { ...headers, authorization: `Token ${shown}` }, signal: own.signal },
				{
					responseStarted: (given, status = 0) => {
						arrived();
						const type = String(given['content-type'] ?? 'none');
						if (status < 300 && !/^(text|application)\/csv\b/.test(type)) fail(new QueryError('failed', `content type ${type}`));
					},
					next: (chunk) =>
						attempt(() => {
							bytes += chunk.length;
							if (bytes > maxAnswerBytes) throw new QueryError('failed', `an answer of more than ${maxAnswerBytes} bytes`);
							collector.push(decoder.decode(chunk, { stream: true }));
						}),
					error: fail,
					complete: () =>
						attempt(() => {
							collector.push(decoder.decode());
							const collected = collector.finish();
							if (end()) resolve(collected);
						}),
				},
			);
		});

	return {
		query: async (flux, collector, signal) => {
			let arrived = false;
			const ask = async (shown: string): Promise<Collected> => {
				const attempt = () =>
					send(flux, shown, collector(), signal, () => {
						arrived = true;
					});
				try {
					return await attempt();
				} catch (error) {
					if (arrived || signal.aborted) throw error;
					return attempt();
				}
			};
			try {
				return await withSecret(token, signal, ask, isRefusal);
			} catch (error) {
				throw failureOf(error, signal);
			}
		},
		close: () => agent.destroy(),
	};
}

/** @param shown the token that was sent */
function attemptFailureOf(error: unknown, signal: AbortSignal, shown: string): QueryError {
	if (error instanceof HttpError) return httpFailure(error, shown);
	if (error instanceof AnswerError)
		return new QueryError(error.kind === 'types' ? 'types' : 'failed', redactServerMessage(error.message, shown));
	return failureOf(error, signal);
}

const isRefusal = (error: unknown): boolean =>
	error instanceof QueryError && error.status !== undefined && refusalStatuses.has(error.status);

function failureOf(error: unknown, signal: AbortSignal): QueryError {
	if (error instanceof QueryError) return error;
	if (signal.aborted) {
		const what = error instanceof SecretError ? error.message : 'no whole answer within the deadline';
		return new QueryError('slow', what, { cause: error });
	}
	return new QueryError('failed', messageOf(error), { cause: error });
}

/**
 * An HTTP status that is no answer. What the server says is in the body; with 429 and 503 it may say when to come again. The
 * client's error is no cause of it: it has the whole body.
 */
function httpFailure({ statusCode: status, message, headers }: HttpError, shown: string): QueryError {
	const again = headers?.['retry-after'];
	const said = `HTTP ${status}: ${redactServerMessage(message, shown)}`;
	const kind = (status === 400 || status === 500) && isTypeMessage(message) ? 'types' : 'failed';
	return new QueryError(kind, again === undefined ? said : `${said} (Retry-After: ${String(again)})`, { status });
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
