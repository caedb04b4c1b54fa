import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { HttpError, InfluxDB } from '@influxdata/influxdb-client';
import { messageOf } from '#domain/errors.ts';
import { redactServerMessage } from '../redact.ts';
import { type Secret, SecretError, withSecret } from '../secret.ts';
import { watchIdleSockets } from './idle-sockets.ts';

/** A query without a usable response. The message is for the log, never for a client. */
export class QueryError extends Error {
	override readonly name = 'QueryError';
	/** `slow`: the deadline passed. `types`: samples are of other types than the script expects. */
	readonly kind: 'failed' | 'slow' | 'types';
	/** The HTTP status of an error response. */
	readonly status: number | undefined;
	/** What a client can do about it, as the end of a sentence. */
	readonly remedy: string | undefined;

	constructor(
		kind: QueryError['kind'],
		message: string,
		options: ErrorOptions & { readonly status?: number; readonly remedy?: string | undefined } = {},
	) {
		super(message, options);
		this.kind = kind;
		this.status = options.status;
		this.remedy = options.remedy;
	}
}

/** A response that cannot be used. The message is for the log. `types`: the server refused to mix or to convert types. */
export class QueryResponseError extends Error {
	override readonly name = 'QueryResponseError';
	readonly kind: 'broken' | 'types';

	constructor(kind: QueryResponseError['kind'], cause: string) {
		super(cause);
		this.kind = kind;
	}
}

/** The headers of a response, in lower case. */
export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Reads one response while it arrives. Its functions throw when the response is malformed. */
export interface ResponseReader<Result> {
	/** Called when a response that is no error begins. */
	begin?(headers: ResponseHeaders): void;
	push(chunk: Uint8Array): void;
	/** Returns what was read. @throws QueryResponseError unless the response is whole */
	finish(): Result;
}

/** How a language is spoken: where its queries go, in which form, and what comes back. */
export interface QueryDialect {
	/** Default POST. A GET has no body. */
	readonly method?: 'GET';
	/** The path of its endpoint, with parameters. */
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	/** Whether its answer tells nothing of the database that is read; default false. */
	readonly isOfServer?: true;
	/** The content types of a response that its readers read. */
	readonly answerType: RegExp;
	/** Returns the header with the secret. */
	authorizationOf(secret: string): string;
	/** Whether an error message of the server says that samples have other types than the query expects. */
	isTypeMessage(message: string): boolean;
	/** Returns what a client can do about an error message of the server, as the end of a sentence. */
	remedyOf?(message: string): string | undefined;
}

/** Largest response that is read, unless the options say otherwise. */
export const defaultMaxResponseBytes = 64_000_000;

/** The address of InfluxDB and the limits of its responses. */
export interface QueryClientOptions {
	readonly url: string;
	readonly token: Secret;
	/** Whether responses are compressed; default true. On the loopback interface gzip takes longer than it saves. */
	readonly gzip?: boolean;
	/** Largest response that is read, uncompressed; default `defaultMaxResponseBytes`. */
	readonly maxResponseBytes?: number;
	/** Epoch milliseconds, for the age of idle connections; default Date.now, which goes on while Lambda freezes the process. */
	readonly now?: () => number;
}

/** The options of one query. */
export interface QueryOptions {
	/** Called when a response begins, whatever its status. */
	readonly onResponse?: () => void;
	/** Largest response that is read, uncompressed; default that of the client. */
	readonly maxBytes?: number | undefined;
}

/** Sends queries to one InfluxDB over kept-alive connections. */
export interface QueryClient {
	/**
	 * Sends a query. Repeats it once over a new connection when the connection failed before a response began, and once more
	 * with a refreshed token when InfluxDB may have refused the token. A slow response is never a reason to repeat it: HTTP/1.1 cannot
	 * tell a dead connection from a long query.
	 * @param newReader creates the reader of one response
	 * @param deadline aborted when the time of the request is over. Then its connection is destroyed; before a response begins, the idle
	 * connections are, too
	 * @throws QueryError when there is no usable response
	 */
	query<Result>(
		dialect: QueryDialect,
		body: string,
		newReader: () => ResponseReader<Result>,
		deadline: AbortSignal,
		options?: QueryOptions,
	): Promise<Result>;
	/** Closes the connections. */
	close(): void;
}

/**
 * Statuses that may mean a refused token. Measured with InfluxDB 2.7.12: 401 for an unknown or deleted token. For an inactive token,
 * or one without access to the bucket, a query gets 404 "could not find bucket" and a write 403.
 */
const refusalStatuses: ReadonlySet<number> = new Set([401, 403, 404]);

/** Creates a client. It connects with the first query. */
export function createQueryClient({
	url,
	token,
	gzip = true,
	maxResponseBytes = defaultMaxResponseBytes,
	now = Date.now,
}: QueryClientOptions): QueryClient {
	const agent = new (new URL(url).protocol === 'https:' ? HttpsAgent : HttpAgent)({ keepAlive: true });
	const idleSockets = watchIdleSockets(agent, now);
	// No timeout: the client's timeout limits only the silence on a socket. The deadline limits the whole request.
	const { transport } = new InfluxDB({ url, timeout: 0, transportOptions: { agent } });

	return {
		query: async <Result>(
			dialect: QueryDialect,
			body: string,
			newReader: () => ResponseReader<Result>,
			deadline: AbortSignal,
			{ onResponse, maxBytes = maxResponseBytes }: QueryOptions = {},
		): Promise<Result> => {
			const connection: Connection = { transport, dialect, gzip, maxBytes };
			let hasResponse = false;
			const attempt = async (tokenText: string): Promise<Result> => {
				hasResponse = false;
				idleSockets.destroyOld();
				try {
					return await send(connection, { body, token: tokenText, deadline }, newReader(), () => {
						hasResponse = true;
						onResponse?.();
					});
				} catch (error) {
					throw queryErrorOf(error, dialect, deadline, tokenText, credentialsOf(dialect, tokenText));
				}
			};
			const attemptTwice = (tokenText: string): Promise<Result> =>
				attempt(tokenText).catch((error: unknown) => {
					if (hasResponse) throw error;
					// Where one connection is dead, the others probably are, too.
					idleSockets.destroyAll();
					if (deadline.aborted) throw error;
					return attempt(tokenText);
				});
			try {
				return await withSecret(token, deadline, attemptTwice, isRefusedQuery);
			} catch (error) {
				// Errors of an attempt are `QueryError` already, and pass. `withSecret` adds a `SecretError` when the token cannot be read.
				throw queryErrorOf(error, dialect, deadline);
			}
		},
		close: () => agent.destroy(),
	};
}

/** How a request reaches InfluxDB, and the limit of its response. */
interface Connection {
	readonly transport: InfluxDB['transport'];
	readonly dialect: QueryDialect;
	readonly gzip: boolean;
	readonly maxBytes: number;
}

/** Sends one request, and reads its response while it arrives. Rejects with the errors of the InfluxDB client and of the reader. */
function send<Result>(
	{ transport, dialect, gzip, maxBytes }: Connection,
	{ body, token, deadline }: { readonly body: string; readonly token: string; readonly deadline: AbortSignal },
	reader: ResponseReader<Result>,
	onResponse: () => void,
): Promise<Result> {
	return new Promise((resolve, reject) => {
		const request = new AbortController();
		const abort = (): void => request.abort();
		if (deadline.aborted) abort();
		else deadline.addEventListener('abort', abort, { once: true });
		let bytes = 0;
		/** Runs a step. When it throws, rejects and aborts the request. */
		const orAbort = (step: () => void): void => {
			try {
				step();
			} catch (error) {
				reject(error);
				// An abort within an event of the response would be thrown where nothing can catch it.
				setImmediate(abort);
			}
		};
		const headers = {
			...dialect.headers,
			'accept-encoding': gzip ? 'gzip' : 'identity',
			authorization: dialect.authorizationOf(token),
		};
		const options = { method: dialect.method ?? 'POST', headers, signal: request.signal };
		transport.send(dialect.path, body, options, {
			responseStarted: (responseHeaders, status = 0) =>
				orAbort(() => {
					onResponse();
					const type = String(responseHeaders['content-type'] ?? 'none');
					if (status < 300 && !dialect.answerType.test(type)) throw new QueryError('failed', `content type ${type}`);
					if (status < 300) reader.begin?.(responseHeaders);
				}),
			next: (chunk) =>
				orAbort(() => {
					bytes += chunk.length;
					if (bytes > maxBytes) throw new QueryError('failed', `a response of more than ${maxBytes} bytes`);
					reader.push(chunk);
				}),
			error: reject,
			complete: () => orAbort(() => resolve(reader.finish())),
		});
	});
}

/** Returns the header with the secret without its scheme: of Basic a text that does not contain the secret itself. */
const credentialsOf = (dialect: QueryDialect, secret: string): string => dialect.authorizationOf(secret).replace(/^\S+ /, '');

/** Whether an error of the InfluxDB client may mean that InfluxDB refused the token. */
export function isTokenRefusal(error: unknown): boolean {
	return error instanceof HttpError && refusalStatuses.has(error.statusCode);
}

/** The same, of an error that `queryErrorOf` has made of it. */
const isRefusedQuery = (error: unknown): boolean =>
	error instanceof QueryError && error.status !== undefined && refusalStatuses.has(error.status);

/** @param secrets the token that was sent, in all its forms; the server's message may repeat it */
function queryErrorOf(error: unknown, dialect: QueryDialect, deadline: AbortSignal, ...secrets: readonly string[]): QueryError {
	if (error instanceof QueryError) return error;
	if (error instanceof HttpError) return errorOfStatus(error, dialect, redactServerMessage(error.message, ...secrets));
	if (error instanceof QueryResponseError)
		return new QueryError(error.kind === 'types' ? 'types' : 'failed', redactServerMessage(error.message, ...secrets));
	if (!deadline.aborted) return new QueryError('failed', messageOf(error), { cause: error });
	const message = error instanceof SecretError ? error.message : 'no whole response within the deadline';
	return new QueryError('slow', message, { cause: error });
}

/** Converts an error response. The client's error is not kept as the cause, because it contains the whole body. */
function errorOfStatus({ statusCode: status, message, headers }: HttpError, dialect: QueryDialect, redacted: string): QueryError {
	const retryAfter = headers?.['retry-after'];
	const kind = (status === 400 || status === 500) && dialect.isTypeMessage(message) ? 'types' : 'failed';
	const suffix = retryAfter === undefined ? '' : ` (Retry-After: ${String(retryAfter)})`;
	return new QueryError(kind, `HTTP ${status}: ${redacted}${suffix}`, { status, remedy: dialect.remedyOf?.(message) });
}
