import type { Quality } from '#domain/reading/quality.ts';
import type { ApiResult } from './event.ts';
import type { ReadingCounts } from './log.ts';

/** The response of an endpoint, before it is written as JSON. */
export interface ApiResponse {
	readonly status: number;
	/** Anything that JSON.stringify accepts; undefined for a response without a body. */
	readonly body: unknown;
	/** A text that is sent instead of `body` as JSON, compressed in the same way. The headers name its type. */
	readonly text?: string;
	/** A body that is sent as it is, instead of `body` as JSON: text, or bytes in base64. The headers name its type. */
	readonly encoded?: EncodedBody;
	/** By lower-case names. */
	readonly headers?: Readonly<Record<string, string>>;
	/** What a client can do when the response is too large: the end of a sentence. Left out: `ask for less in one request`. */
	readonly remedy?: string;
	/**
	 * Returns a smaller form of a response that is too large to be sent. Without this function such a response becomes 413.
	 * @param maxBytes most bytes of the entries of the body, as Lambda sends them: JSON within a JSON string, with every quote escaped
	 * @param remedy what the client can do to get the whole answer, as the end of a sentence
	 */
	readonly shrink?: (maxBytes: number, remedy: string) => ApiResponse;
	/** How many readings of each quality the body holds; absent for an endpoint that reads nothing. Logged, never sent. */
	readonly readings?: ReadingCounts;
}

/** A body in the form in which Lambda returns it. */
export type EncodedBody = Readonly<Required<Pick<ApiResult, 'body' | 'isBase64Encoded'>>>;

/**
 * Headers of the issuer's documents. They change rarely, and a key is published long before it signs
 * (shared/domain/signing-keys/README.md#rotation).
 */
export const publicForAnHour = { 'cache-control': 'public, max-age=3600' } as const;

/** Headers of the API's description and of its page. They change with a deployment only. */
export const publicForFiveMinutes = { 'cache-control': 'public, max-age=300' } as const;

/** Headers of the console's page: a browser may store it, and asks each time whether it has changed. */
export const revalidated = { 'cache-control': 'public, no-cache' } as const;

/** Headers of a file whose name changes with its content: a browser never asks for it again. */
export const publicForever = { 'cache-control': 'public, max-age=31536000, immutable' } as const;

/** Returns a response with status 200. */
export function ok(body: unknown, headers?: Readonly<Record<string, string>>): ApiResponse {
	return headers === undefined ? { status: 200, body } : { status: 200, body, headers };
}

/** Returns a response with status 304 and no body (RFC 9110, section 15.4.5). */
export function notModified(headers: Readonly<Record<string, string>>): ApiResponse {
	return { status: 304, body: undefined, headers };
}

/** Returns the response with its readings counted by quality. */
export function withReadings(readings: Iterable<{ readonly quality: Quality }>, response: ApiResponse): ApiResponse {
	const counts: Partial<Record<Quality, number>> = {};
	for (const { quality } of readings) counts[quality] = (counts[quality] ?? 0) + 1;
	return { ...response, readings: counts };
}
