import { promisify } from 'node:util';
import { gunzip, gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { type ApiResponse, notModified } from './api-response.ts';
import { contentEtagOf } from './content-etag.ts';
import { isUnchanged } from './etag.ts';
import type { ApiEvent } from './event.ts';
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
	return { type: `${type}; charset=utf-8`, etag: contentEtagOf(text), gzip: gzipSync(text, { level: 9 }).toString('base64') };
}

/** Returns a file, or 304 where the client has it. Clients that do not accept gzip get it uncompressed. */
export async function fileResponse(
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
