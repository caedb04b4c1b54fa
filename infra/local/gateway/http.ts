import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isIPv6 } from 'node:net';

/** The address that servers listen on unless they are told another one: other machines cannot reach it. */
const thisMachine = '127.0.0.1';

/** The addresses that stand for all of a machine. */
const wildcards: readonly string[] = ['0.0.0.0', '::'];

/** A request, as mounted apps receive it. */
export interface RawRequest {
	readonly method: string;
	/** Percent-encoded, without the query. */
	readonly path: string;
	readonly query: URLSearchParams;
	readonly headers: IncomingMessage['headers'];
	/**
	 * Reads the body. An app calls it at most once, and only after it has checked the request, because bodies take memory.
	 * @throws BodyTooLargeError
	 */
	readonly readBody: (limitBytes: number) => Promise<Buffer>;
}

/** A response of the gateway or of a mounted app. Names of headers are in lower case. */
export interface RawResponse {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | Buffer;
}

/** The target of a request, split at the question mark. */
export interface RequestTarget {
	/** Percent-encoded. */
	readonly path: string;
	readonly query: URLSearchParams;
	/** The query as it was sent. */
	readonly rawQuery: string;
}

/** Thrown when a body is larger than the limit. The rest of the body is not read. */
export class BodyTooLargeError extends Error {}

/**
 * Listens on a port of this machine; 0 selects a free one.
 * @param host an IP address of this machine
 * @returns the base URL for callers on this machine
 */
export async function listen(server: Server, port: number, host = thisMachine): Promise<string> {
	server.listen(port, host);
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The server listens on no port.');
	return `http://${hostInUrl(wildcards.includes(host) ? thisMachine : host)}:${address.port}`;
}

/** Returns an IP address as a URL and the header `Host` have it: IPv6 in brackets. */
export function hostInUrl(address: string): string {
	return isIPv6(address) ? `[${address}]` : address;
}

/** Builds a JSON response. */
export function jsonResponse(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): RawResponse {
	return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

/**
 * Reads the body of a request.
 * @throws BodyTooLargeError when it has more than `limitBytes`
 */
export async function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of request) {
		if (!(chunk instanceof Buffer)) throw new TypeError('A request body is read as bytes.');
		length += chunk.length;
		if (length > limitBytes) throw new BodyTooLargeError();
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

/** Splits the target of a request. An absolute target (RFC 9112 section 3.2.2) loses its scheme and authority. */
export function parseTarget({ url = '/' }: Pick<IncomingMessage, 'url'>): RequestTarget {
	// An optional scheme and authority, the path up to the first question mark, and the rest. It matches every text.
	const [, path, rawQuery = ''] = /^(?:https?:\/\/[^/?#]*)?([^?]*)\??(.*)$/is.exec(url) ?? [];
	return { path: path || '/', query: new URLSearchParams(rawQuery), rawQuery };
}

/** Sends a response, with its length unless the status has no body: 204 and 304 (RFC 9110, section 8.6). */
export function send(response: ServerResponse, { status, headers, body }: RawResponse): void {
	const bytes = Buffer.from(body);
	const hasBody = status !== 204 && status !== 304;
	response.writeHead(status, hasBody ? { ...headers, 'content-length': String(bytes.length) } : headers);
	response.end(hasBody ? bytes : undefined);
}
