import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ApiResponse } from './api-response.ts';
import { schemaOf } from './caller.ts';
import { formatError } from './error-log.ts';
import { toErrorResponse } from './error-response.ts';
import type { ApiEvent, ApiHandler, ApiResult } from './event.ts';
import type { Log, RequestRecord } from './log.ts';
import { acceptsGzip } from './request.ts';
import { RequestError } from './request-error.ts';
import { unlimited } from './schema-limit.ts';

const compress = promisify(gzip);

/** Characters of text below which gzip saves next to nothing. */
const minGzipLength = 1024;

/** Favours speed: time series compress well at any level. */
const gzipLevel = 4;

/** Lambda's limit on an encoded response, minus a reserve for what Lambda adds to it. */
const maxResultBytes = 6 * 1024 * 1024 - 16_384;

/**
 * The sizes to which the entries of a response that is too large are cut, tried in turn until the result fits: bytes of JSON within a
 * JSON string, as it is sent without gzip. With gzip the result is in base64, 4/3 of the compressed size: 22 MB fit where text
 * compresses to a tenth, 2.75 MB even where it hardly compresses.
 */
const shrunkBytes = { plain: [5_500_000], gzip: [22_000_000, 11_000_000, 5_500_000, 2_750_000] } as const;

/** Counts a request towards the limit of its schema, which the claims of the event name. @throws DomainError `schema_busy` */
export type Admitting = (event: ApiEvent) => void;

/** An endpoint's response, and the result for Lambda that encodes it. */
interface EncodedResponse {
	readonly response: ApiResponse;
	readonly result: ApiResult;
}

/**
 * Creates the function that Lambda and the local gateway call for an endpoint. It writes the response as JSON, maps errors to
 * responses (`toErrorResponse`), and logs one line for each request and one more for each fault (status 500 and above). A request counts
 * towards the limit of its schema until its response is written.
 * @param respond returns the response to one event; errors that it throws are mapped. An endpoint that finds the claims itself calls `admit` with
 *   the event that has them
 * @param responseTo maps errors
 * @param clock milliseconds from any origin, to measure durations
 * @example
 * export function createHandler(deps: StoreHandlerDeps): ApiHandler {
 * 	return createLambdaHandler(deps.log, async (event) => {
 * 		const { schema } = callerOf(event);
 * 		return ok({ data: await usagesOf(deps.store, schema, pathIdOf(event)) });
 * 	});
 * }
 */
export function createLambdaHandler(
	log: Log,
	respond: (event: ApiEvent, admit: Admitting) => Promise<ApiResponse>,
	responseTo = toErrorResponse,
	clock: () => number = () => performance.now(),
): ApiHandler {
	return async (event, limit = unlimited) => {
		const startedAt = clock();
		let schema: string | null = null;
		let leave: (() => void) | undefined;
		const admit: Admitting = (admitted) => {
			schema ??= schemaOf(admitted);
			if (schema !== null) leave ??= limit.begin(schema);
		};
		const { requestId, routeKey } = event.requestContext;
		const recover = (error: unknown): Promise<EncodedResponse> => {
			const response = responseTo(error, requestId);
			if (response.status >= 500)
				logSafely(() => log.error('A request failed.', { requestId, routeKey, error: formatError(error) }));
			return encodedResponse(event, async () => response);
		};
		// The response to an error can exceed the limit too: a body of 1 MB can have an issue in every list item.
		const { response, result } = await encodedResponse(event, async () => {
			admit(event);
			return respond(event, admit);
		})
			.finally(() => leave?.())
			.catch(recover)
			.catch(recover);
		const { status, readings } = response;
		logSafely(() =>
			log.request({
				requestId,
				routeKey,
				...(schema === null ? {} : { schema }),
				status,
				outcome: outcomeOf(status),
				// To a tenth of a millisecond.
				durationMs: Math.round((clock() - startedAt) * 10) / 10,
				...(readings === undefined ? {} : { readings }),
			}),
		);
		return result;
	};
}

function outcomeOf(status: number): RequestRecord['outcome'] {
	if (status >= 500) return 'fault';
	return status >= 400 ? 'refused' : 'ok';
}

/** Encodes the response to an event: the largest form of it that Lambda can return. */
async function encodedResponse(event: ApiEvent, respond: () => Promise<ApiResponse>): Promise<EncodedResponse> {
	const whole = await respond();
	const isGzipped = acceptsGzip(event);
	const { remedy: partsRemedy = 'ask for less in one request' } = whole;
	const remedy = isGzipped ? partsRemedy : `send Accept-Encoding: gzip, or ${partsRemedy}`;
	for (const response of formsOf(whole, shrunkBytes[isGzipped ? 'gzip' : 'plain'], remedy)) {
		const result = await toResult(event, response);
		if (isWithinLimit(result)) return { response, result };
	}
	throw new RequestError(413, 'request', 'answer_too_large', `The answer is larger than 6 MB: ${remedy}.`, {
		params: { limit: maxResultBytes },
	});
}

/** Yields a response, then its smaller forms, if it has any, from the largest to the smallest. */
function* formsOf(response: ApiResponse, sizes: readonly number[], remedy: string): Generator<ApiResponse> {
	yield response;
	const { shrink } = response;
	if (shrink !== undefined) for (const maxBytes of sizes) yield shrink(maxBytes, remedy);
}

async function toResult(event: ApiEvent, { status, body, text: sent, encoded, headers }: ApiResponse): Promise<ApiResult> {
	const always = { 'cache-control': 'no-store', vary: 'accept-encoding', ...headers };
	if (encoded !== undefined) return { statusCode: status, headers: always, ...encoded };
	if (body === undefined && sent === undefined) return { statusCode: status, headers: always };
	const text = sent ?? JSON.stringify(body);
	const allHeaders = { 'content-type': 'application/json', ...always };
	if (text.length < minGzipLength || !acceptsGzip(event)) return { statusCode: status, headers: allHeaders, body: text };
	const compressed = await compress(text, { level: gzipLevel });
	return {
		statusCode: status,
		headers: { ...allHeaders, 'content-encoding': 'gzip' },
		body: compressed.toString('base64'),
		isBase64Encoded: true,
	};
}

/** The most bytes that a character takes in a JSON string: `\u0000`. */
const maxBytesPerCharacter = 6;

/** Lambda replaces a larger result by an error of its own. Short bodies need no measuring. */
function isWithinLimit(result: ApiResult): boolean {
	return (
		(result.body ?? '').length < maxResultBytes / maxBytesPerCharacter ||
		Buffer.byteLength(JSON.stringify(result)) <= maxResultBytes
	);
}

/** A failure to log must not change the response, and there is no other place to report it. */
function logSafely(write: () => void): void {
	try {
		write();
	} catch {}
}
