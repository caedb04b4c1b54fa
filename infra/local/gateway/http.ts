import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request whose body has been read, as every part of the local service takes it. */
export interface RawRequest {
	readonly method: string;
	/** Still percent-encoded, without the query. */
	readonly path: string;
	readonly query: URLSearchParams;
	readonly headers: IncomingMessage['headers'];
	readonly body: Buffer;
}

export interface RawAnswer {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | Buffer;
}

/** A body larger than the limit; the rest of it is not read. */
export class BodyTooLarge extends Error {}

/** A JSON answer. */
export function jsonAnswer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): RawAnswer {
	return {
		status,
		headers: { 'content-type': 'application/json', ...headers },
		body: JSON.stringify(body),
	};
}

/** Reads a request's body, at most `limitBytes` of it. Throws BodyTooLarge. */
export async function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of request) {
		if (!(chunk instanceof Buffer)) throw new TypeError('A request body is read as bytes.');
		length += chunk.length;
		if (length > limitBytes) throw new BodyTooLarge();
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

/** The path and the query of a request's target. */
export function targetOf(request: IncomingMessage): { path: string; query: URLSearchParams; rawQuery: string } {
	// A target may be absolute (RFC 9112, section 3.2.2): scheme and authority say nothing here.
	const target = (request.url ?? '/').replace(/^https?:\/\/[^/?#]*/i, '') || '/';
	const mark = target.indexOf('?');
	const rawQuery = mark < 0 ? '' : target.slice(mark + 1);
	return { path: mark < 0 ? target : target.slice(0, mark), query: new URLSearchParams(rawQuery), rawQuery };
}

/** Sends an answer, with its length unless it has no body by its status. */
export function send(response: ServerResponse, { status, headers, body }: RawAnswer): void {
	const bytes = typeof body === 'string' ? Buffer.from(body) : body;
	const length: Record<string, string> = status === 204 ? {} : { 'content-length': String(bytes.length) };
	response.writeHead(status, { ...headers, ...length });
	response.end(status === 204 ? undefined : bytes);
}
