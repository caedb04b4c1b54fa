import { gzipSync } from 'node:zlib';
import type { ApiHandler } from '#http/event.ts';
import type { Log } from '#http/log.ts';
import { silentLog } from '#infra/local/console-log.ts';
import { makeEvent } from './builders/events.ts';

/** A script that is long enough to be compressed. */
export const script = 'start();'.repeat(500);

const fileOf = (type: string, text: string, etag: string) => ({ type, etag, gzip: gzipSync(text).toString('base64') });

/** Creates the handler of a page with one script, and counts how often it loads its files. `get` asks for a file, or without a name for the page. */
export const bundledPage = (
	createHandler: (deps: { readonly log: Log; readonly files: () => Promise<string> }) => ApiHandler,
	{ path, html, scriptName }: { readonly path: string; readonly html: string; readonly scriptName: string },
) => {
	let loads = 0;
	const files = JSON.stringify({
		'index.html': fileOf('text/html; charset=utf-8', html, 'W/"page"'),
		[scriptName]: fileOf('text/javascript; charset=utf-8', script, 'W/"script"'),
	});
	const handler = createHandler({
		log: silentLog,
		files: async () => {
			loads += 1;
			return files;
		},
	});
	return {
		handler,
		loads: () => loads,
		get: (name?: string, headers: Readonly<Record<string, string>> = {}) => {
			const event = makeEvent(name === undefined ? `GET ${path}` : `GET ${path}/{file}`, { headers });
			return handler(name === undefined ? event : { ...event, rawPath: `${path}/${name}`, pathParameters: { file: name } });
		},
	};
};
