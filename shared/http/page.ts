import { promisify } from 'node:util';
import { gunzip, gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { type ApiResponse, notModified } from './api-response.ts';
import { contentEtagOf, isUnchanged } from './etag.ts';
import type { ApiEvent } from './event.ts';
import type { HandlerDeps } from './handler-deps.ts';
import { acceptsGzip } from './request.ts';

const decompress = promisify(gunzip);

/** A file of a page, compressed when functions are bundled (infra/openapi/docs-files.ts, infra/console/console-files.ts). */
const staticFileSchema = v.object({
	/** Its `Content-Type`. */
	type: v.string(),
	etag: v.string(),
	/** Its bytes, compressed with gzip, in base64. */
	gzip: v.string(),
});

export type StaticFile = v.InferOutput<typeof staticFileSchema>;

/** Files by name, from JSON. A map, because the names in requests are users' text. */
export const staticFilesSchema = v.pipe(
	v.string(),
	v.parseJson(),
	v.record(v.string(), staticFileSchema),
	v.transform((files) => new Map(Object.entries(files))),
);

/** Compresses a text as a file of a page. `type` is its media type without the charset. */
export function staticFile(type: string, text: string): StaticFile {
	// Level 9 takes longest, and a file is compressed once.
	return { type: `${type}; charset=utf-8`, etag: contentEtagOf(text), gzip: gzipSync(text, { level: 9 }).toString('base64') };
}

/** The dependencies of an endpoint that serves a page. */
export interface PageDeps extends HandlerDeps {
	/** Resolves to the files of the page as JSON (`staticFilesSchema`). The first request calls it. */
	readonly files: () => Promise<string>;
}

/** The name of the page itself among its files. */
export const pageName = 'index.html';

/**
 * Returns the function that responds with the file that the path names, and without a name with the page itself; 404 for any other name.
 * @param headersOf returns the headers of the file with this name
 */
export function createPageResponder(
	files: PageDeps['files'],
	headersOf: (name: string) => Readonly<Record<string, string>>,
): (event: ApiEvent) => Promise<ApiResponse> {
	let served: ReadonlyMap<string, StaticFile> | undefined;
	return async (event) => {
		served ??= v.parse(staticFilesSchema, await files());
		const name = event.pathParameters?.['file'] ?? pageName;
		const file = served.get(name);
		if (file === undefined) return { status: 404, body: undefined };
		return fileResponse(event, file, headersOf(name));
	};
}

/** Returns a file, or 304 where the client has it. Clients that do not accept gzip get it uncompressed. */
async function fileResponse(
	event: ApiEvent,
	{ type, etag, gzip }: StaticFile,
	headers: Readonly<Record<string, string>>,
): Promise<ApiResponse> {
	const always = { ...headers, etag };
	if (isUnchanged(event, etag)) return notModified(always);
	const typed = { ...always, 'content-type': type };
	if (acceptsGzip(event))
		return {
			status: 200,
			body: undefined,
			encoded: { body: gzip, isBase64Encoded: true },
			headers: { ...typed, 'content-encoding': 'gzip' },
		};
	const text = (await decompress(Buffer.from(gzip, 'base64'))).toString('utf8');
	return { status: 200, body: undefined, encoded: { body: text, isBase64Encoded: false }, headers: typed };
}

/**
 * What a page may load and do: its own files and calls of this service. Images as `data:` are icons in style sheets. No script or style
 * stands in the page itself, and no other page may frame it.
 */
const policy = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"connect-src 'self'",
	"img-src 'self' data:",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
];

/** No text becomes HTML or a script: browsers refuse innerHTML and its like (https://www.w3.org/TR/trusted-types/). */
const trustedTypes = ["require-trusted-types-for 'script'", "trusted-types 'none'"];

/** The headers of a page and of each of its files. With `makesNoHtml`, the page's scripts may not turn text into HTML. */
export function pageHeaders({ makesNoHtml }: { readonly makesNoHtml: boolean }) {
	return {
		'content-security-policy': [...policy, ...(makesNoHtml ? trustedTypes : [])].join('; '),
		'x-content-type-options': 'nosniff',
		'referrer-policy': 'no-referrer',
		// Browsers heed it over HTTPS only (RFC 6797, section 8.1), so it changes nothing on one machine.
		'strict-transport-security': 'max-age=31536000',
	} as const;
}
