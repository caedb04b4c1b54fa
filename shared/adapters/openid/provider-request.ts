import * as v from 'valibot';
import { DomainError } from '#domain/errors.ts';
import { isDownStatus } from '#domain/identity/provider-outage.ts';
import { isTimeout, SecretError } from '../secret.ts';

/** Most bytes of an answer that are read. */
const maxBytes = 256 * 1024;

/** How providers are asked. */
export interface RequestSettings {
	/** Time limit of a request: reading a secret, the connection and the body. */
	readonly timeoutMs: number;
	readonly fetch: typeof fetch;
}

/** What is sent beside the address. */
export interface ProviderRequest {
	readonly method?: 'GET' | 'POST';
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: URLSearchParams;
}

/** What a provider answered. Nothing of it is checked. */
export interface ProviderAnswer {
	readonly status: number;
	/** The parsed JSON; undefined where the answer is none. */
	readonly body: unknown;
}

/**
 * Sends one request, and follows no redirect. Never repeats it.
 * @param operation the provider and what it is asked for, for the log
 * @param prepare returns what is sent, such as a secret, within the time limit
 * @throws DomainError `dependency_slow` after the time limit, otherwise `dependency_failed`. Its cause holds no text of the provider.
 */
export type AskProvider = (
	operation: string,
	address: string,
	prepare?: (signal: AbortSignal) => Promise<ProviderRequest>,
	limitMs?: number,
) => Promise<ProviderAnswer>;

/** An answer that is longer than what is read. */
class LongAnswerError extends Error {
	override readonly name = 'LongAnswerError';
}

/** Creates the function that asks providers. */
export function createAskProvider({ timeoutMs, fetch }: RequestSettings): AskProvider {
	return async (operation, address, prepare = async () => ({}), limitMs = timeoutMs) => {
		const signal = AbortSignal.timeout(limitMs);
		try {
			const { headers, ...request } = await prepare(signal);
			const response = await fetch(address, {
				...request,
				// A connection that broke while nothing was sent would cost a code, which is sent only once. So none is kept.
				headers: { accept: 'application/json', connection: 'close', ...headers },
				redirect: 'manual',
				signal,
			});
			return { status: response.status, body: parseJson(await readText(response)) };
		} catch (error) {
			const isSlow = isTimeout(error);
			const cause = `${operation}: ${isSlow ? `over ${limitMs} ms` : causeOf(error)}`;
			// How long an answer is can be up to the person: a long one does not say that the provider is down.
			const isDown = !(error instanceof LongAnswerError);
			throw new DomainError(isSlow ? 'dependency_slow' : 'dependency_failed', { dependency: 'openIdProvider', cause, isDown });
		}
	};
}

/**
 * Returns the body of an answer of success.
 * @throws DomainError `dependency_failed` where the status is no success or the body is not as the schema says
 */
export function bodyOf<Schema extends v.GenericSchema>(
	schema: Schema,
	operation: string,
	{ status, body }: ProviderAnswer,
): v.InferOutput<Schema> {
	if (status < 200 || status > 299) throw providerFailed(operation, `status ${status}`, isDownStatus(status));
	if (body === undefined) throw providerFailed(operation, 'no JSON', true);
	const result = v.safeParse(schema, body);
	if (result.success) return result.output;
	throw providerFailed(operation, `not as specified: ${v.getDotPath(result.issues[0]) ?? 'the whole answer'}`);
}

/** Builds the error of a provider that failed. `cause` holds no text of the provider. `isDown`: it gave no answer that says anything. */
export function providerFailed(operation: string, cause: string, isDown = false): DomainError {
	return new DomainError('dependency_failed', { dependency: 'openIdProvider', cause: `${operation}: ${cause}`, isDown });
}

async function readText(response: Response): Promise<string> {
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	// Leaving the loop cancels the rest of the body.
	for await (const chunk of response.body ?? []) {
		bytes += chunk.byteLength;
		if (bytes > maxBytes) throw new LongAnswerError();
		chunks.push(chunk);
	}
	return new TextDecoder().decode(Buffer.concat(chunks));
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

const codeSchema = v.object({ cause: v.object({ code: v.pipe(v.string(), v.regex(/^[A-Z_]{1,60}$/)) }) });

/** Describes a failed request for the log: messages may quote the request. */
function causeOf(error: unknown): string {
	if (error instanceof SecretError) return error.message;
	if (error instanceof LongAnswerError) return `more than ${maxBytes} bytes`;
	if (v.is(codeSchema, error)) return error.cause.code;
	return error instanceof Error ? error.name : 'no answer';
}
