import type { ApiEvent } from './event.ts';
import { RequestError, type RequestErrorCode } from './request-error.ts';
import { queryOf } from './sent-input.ts';

/** The maximum size of a body in bytes (shared/http/README.md#limits). */
export const maxBodyBytes = 1_048_576;

/** Returns a request header by its lower-case name. */
export function headerOf(event: ApiEvent, name: string): string | undefined {
	const value: unknown = event.headers[name];
	return typeof value === 'string' ? value : undefined;
}

/** Returns the body's bytes; empty when there is no body. */
export function bytesOf({ body, isBase64Encoded }: ApiEvent): Buffer {
	return Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
}

/**
 * Returns the JSON object in the body, or undefined when there is no body.
 * @throws RequestError 400 when the body is no JSON object in UTF-8, 413 when it is too large, 415 when its type or encoding is not supported.
 */
export function optionalBodyOf(event: ApiEvent): object | undefined {
	const body = jsonOf(event);
	return body === undefined ? undefined : objectIn(body);
}

/**
 * Returns the JSON object in the body, for endpoints that require one.
 * @throws RequestError as `optionalBodyOf` does, and 400 when there is no body.
 */
export function bodyOf(event: ApiEvent): object {
	const body = optionalBodyOf(event);
	if (body === undefined) throw new RequestError(400, 'request', 'body_required', 'A JSON object is required as the body.');
	return body;
}

/**
 * Checks the body of an endpoint that needs none, so that a malformed body is not ignored. `null` counts as no body.
 * @throws RequestError as `optionalBodyOf` does.
 */
export function checkBody(event: ApiEvent): void {
	objectIn(jsonOf(event) ?? {});
}

/**
 * Returns the path parameter `id`.
 * @param cut returns the text of the id in the parameter
 * @throws RequestError 400 when it is no positive integer.
 */
export function pathIdOf(event: ApiEvent, cut = (sent: string): string => sent): number {
	const text = cut(event.pathParameters?.['id'] ?? '');
	const id = /^[1-9]\d*$/.test(text) ? Number(text) : Number.NaN;
	if (!Number.isSafeInteger(id))
		throw new RequestError(400, 'id', 'bad_path_id', 'The id in the path must be a positive integer.');
	return id;
}

/** Returns a text parameter of the path, which the gateway has decoded; empty where there is none. */
export function pathTextOf(event: ApiEvent, name: string): string {
	return event.pathParameters?.[name] ?? '';
}

/** Says how a form is sent, where `formTextOf` returns null. */
export const formExpected =
	'Send Content-Type: application/x-www-form-urlencoded, and the form as it is, without Content-Encoding.';

/**
 * Returns the text of a body that is an HTML form (`application/x-www-form-urlencoded`); null: the body has another type, or is compressed.
 * @throws RequestError 413 when the body has more than `maxBytes`
 */
export function formTextOf(event: ApiEvent, maxBytes: number): string | null {
	const [type = ''] = (headerOf(event, 'content-type') ?? '').split(';');
	if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded' || isEncoded(event)) return null;
	const bytes = bytesOf(event);
	checkSize(bytes.length, maxBytes);
	return bytes.toString('utf8');
}

/**
 * Returns whether the query asks for a dry run: `?dryRun=1`.
 * @throws RequestError 400 for a value other than 1 or 0, and for the range of a back-test without a dry run: a mistake must not write.
 * @throws DomainError `invalid` as `queryOf` does
 */
export function isDryRun(event: ApiEvent): boolean {
	const query = queryOf(event, ['dryRun', 'start', 'end']);
	const value = query['dryRun'] ?? '0';
	if (value !== '0' && value !== '1')
		throw new RequestError(400, 'dryRun', 'bad_dry_run', 'Must be dryRun=1 (validate only) or dryRun=0.');
	if (value === '0' && (query['start'] !== undefined || query['end'] !== undefined))
		throw new RequestError(400, 'dryRun', 'bad_dry_run', 'start and end belong to a dry run: send dryRun=1 with them.');
	return value === '1';
}

/**
 * Refuses a dry run, for endpoints that have none: the request would write instead.
 * @throws RequestError 400 when the query asks for a dry run.
 */
export function refuseDryRun(event: ApiEvent): void {
	if (isDryRun(event)) throw new RequestError(400, 'dryRun', 'no_dry_run', 'This endpoint has no dry run: remove dryRun.');
}

/** Returns whether the client accepts gzip (RFC 9110, section 12.5.3). `*` includes gzip unless gzip is listed itself. */
export function acceptsGzip(event: ApiEvent): boolean {
	const accepted = new Map<string, boolean>();
	for (const each of (headerOf(event, 'accept-encoding') ?? '').split(',')) {
		const [coding = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
		// A weight of 0 refuses the coding.
		accepted.set(coding, !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter)));
	}
	return accepted.get('gzip') ?? accepted.get('*') ?? false;
}

/** Returns whether the client refuses readings that other requests share: `Cache-Control: no-cache` (RFC 9111, section 5.2.1.4). */
export function readsAnew(event: ApiEvent): boolean {
	const directives = (headerOf(event, 'cache-control') ?? '').toLowerCase().split(',');
	return directives.some((each) => each.trim() === 'no-cache');
}

/** Returns the JSON value in the body; undefined when there is no body. */
function jsonOf(event: ApiEvent): unknown {
	// API Gateway passes text as it is. Encoding and decoding it again would cost as much as JSON.parse.
	const bytes = event.isBase64Encoded ? bytesOf(event) : undefined;
	const size = bytes?.length ?? Buffer.byteLength(event.body ?? '');
	if (size === 0) return undefined;
	if (isEncoded(event))
		throw new RequestError(415, 'request', 'content_encoding_not_supported', 'Send the body as it is, without Content-Encoding.');
	if (!isJson(headerOf(event, 'content-type')))
		throw new RequestError(415, 'request', 'content_type_not_json', 'Send Content-Type: application/json, in UTF-8.');
	checkSize(size);
	// A byte order mark is no JSON. TextDecoder leaves it out by itself.
	const text =
		bytes === undefined
			? (event.body ?? '').replace(/^\ufeff/, '')
			: orBadRequest('body_not_utf8', 'The body is not UTF-8.', () => new TextDecoder('utf-8', { fatal: true }).decode(bytes));
	return orBadRequest('body_not_json', 'The body is not JSON.', (): unknown => JSON.parse(text));
}

/** Whether the body was compressed. */
const isEncoded = (event: ApiEvent): boolean =>
	(headerOf(event, 'content-encoding') ?? 'identity').trim().toLowerCase() !== 'identity';

function checkSize(size: number, limit = maxBodyBytes): void {
	if (size <= limit) return;
	throw new RequestError(413, 'request', 'body_too_large', `The body has ${size} bytes; at most ${limit} are taken.`, {
		params: { limit, actual: size },
	});
}

function objectIn(body: unknown): object {
	if (typeof body !== 'object' || body === null || Array.isArray(body))
		throw new RequestError(400, 'request', 'body_not_an_object', 'The body must be a JSON object.');
	return body;
}

function isJson(contentType: string | undefined): boolean {
	const [type, ...parameters] = (contentType ?? '').toLowerCase().split(';');
	const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith('charset='));
	return type?.trim() === 'application/json' && (charset === undefined || /^charset="?utf-?8"?$/.test(charset));
}

/** Returns what `decode` returns. An error of it becomes a RequestError 400. */
function orBadRequest<Result>(code: RequestErrorCode, message: string, decode: () => Result): Result {
	try {
		return decode();
	} catch (cause) {
		throw new RequestError(400, 'request', code, message, { cause });
	}
}
