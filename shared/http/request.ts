import type { ApiEvent } from './event.ts';
import { RequestError } from './request-error.ts';

/** The largest body, in bytes (design section 3). */
export const maxBodyBytes = 1_048_576;

/** A request header, by its lower-case name. */
export function headerOf(event: ApiEvent, name: string): string | undefined {
	const value: unknown = event.headers[name];
	return typeof value === 'string' ? value : undefined;
}

/** The body as it came. */
export function bytesOf({ body, isBase64Encoded }: ApiEvent): Buffer {
	return Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
}

/** The body's JSON object; undefined where there is no body. Throws RequestError 400, 413 or 415. */
export function optionalBodyOf(event: ApiEvent): object | undefined {
	const bytes = bytesOf(event);
	if (bytes.length === 0) return undefined;
	if ((headerOf(event, 'content-encoding') ?? 'identity').trim().toLowerCase() !== 'identity')
		throw new RequestError(415, 'request', 'Send the body as it is, without Content-Encoding.');
	if (!isJson(headerOf(event, 'content-type')))
		throw new RequestError(415, 'request', 'Send Content-Type: application/json, in UTF-8.');
	if (bytes.length > maxBodyBytes)
		throw new RequestError(413, 'request', `The body has ${bytes.length} bytes; at most ${maxBodyBytes} are taken.`);
	const body = parseJson(decode(bytes));
	if (typeof body !== 'object' || body === null || Array.isArray(body))
		throw new RequestError(400, 'request', 'The body must be a JSON object.');
	return body;
}

/** The body's JSON object, which must be there. */
export function bodyOf(event: ApiEvent): object {
	const body = optionalBodyOf(event);
	if (body === undefined) throw new RequestError(400, 'request', 'A JSON object is required as the body.');
	return body;
}

/** The path parameter `id`: a positive integer. */
export function pathIdOf(event: ApiEvent): number {
	const text = event.pathParameters?.['id'] ?? '';
	const id = /^[1-9]\d*$/.test(text) ? Number(text) : Number.NaN;
	if (!Number.isSafeInteger(id)) throw new RequestError(400, 'id', 'The id in the path must be a positive integer.');
	return id;
}

/**
 * Whether `?dryRun=1` is asked for. Any other value than 1 or 0, and any other spelling of the name, is refused: a typo must not
 * become the real thing.
 */
export function isDryRun(event: ApiEvent): boolean {
	const query = event.queryStringParameters ?? {};
	const misspelt = Object.keys(query).find(
		(name) => name !== 'dryRun' && name.toLowerCase().replaceAll(/[-_]/g, '') === 'dryrun',
	);
	const value = query['dryRun'];
	if (misspelt === undefined && (value === undefined || value === '0')) return false;
	if (misspelt === undefined && value === '1') return true;
	throw new RequestError(400, 'dryRun', 'Must be dryRun=1 (validate only) or dryRun=0.');
}

/** Refuses a dry run where there is none: it must not become the real thing. */
export function refuseDryRun(event: ApiEvent): void {
	if (isDryRun(event)) throw new RequestError(400, 'dryRun', 'There is no dry run of this: leave dryRun out to do it.');
}

/** Whether the client takes a gzipped answer (RFC 9110, section 12.5.3): `*` speaks for gzip only where it is not named. */
export function acceptsGzip(event: ApiEvent): boolean {
	const accepted = new Map<string, boolean>();
	for (const each of (headerOf(event, 'accept-encoding') ?? '').split(',')) {
		const [coding = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
		accepted.set(coding, !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter)));
	}
	return accepted.get('gzip') ?? accepted.get('*') ?? false;
}

/** The client's network address. */
export function sourceOf(event: ApiEvent): string {
	return event.requestContext.http.sourceIp;
}

function isJson(contentType: string | undefined): boolean {
	const [type, ...parameters] = (contentType ?? '').toLowerCase().split(';');
	const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith('charset='));
	return type?.trim() === 'application/json' && (charset === undefined || /^charset="?utf-?8"?$/.test(charset));
}

function parseJson(json: string): unknown {
	try {
		return JSON.parse(json);
	} catch (cause) {
		throw new RequestError(400, 'request', 'The body is not JSON.', { cause });
	}
}

function decode(bytes: Buffer): string {
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch (cause) {
		throw new RequestError(400, 'request', 'The body is not UTF-8.', { cause });
	}
}
