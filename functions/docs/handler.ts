import * as v from 'valibot';
import { publicForFiveMinutes } from '#http/api-response.ts';
import type { ApiHandler } from '#http/event.ts';
import type { HandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { fileResponse, type StaticFile, staticFilesSchema } from '#http/static-file.ts';
import { pageHeaders } from './page-headers.ts';

/** The dependencies of `docs`. */
export interface DocsDeps extends HandlerDeps {
	/** Resolves to the files of the page as JSON (`staticFilesSchema`). The first request calls it. */
	readonly files: () => Promise<string>;
}

/** The name of the page itself among its files. */
const pageName = 'index.html';

/** GET /docs and GET /docs/{file}: return the page that shows the OpenAPI document, and its files (DESIGN.md section 3.8). */
export function createHandler({ log, files }: DocsDeps): ApiHandler {
	let served: ReadonlyMap<string, StaticFile> | undefined;
	return createLambdaHandler(log, async (event) => {
		served ??= v.parse(staticFilesSchema, await files());
		const file = served.get(event.pathParameters?.['file'] ?? pageName);
		if (file === undefined) return { status: 404, body: undefined };
		return fileResponse(event, file, { ...publicForFiveMinutes, ...pageHeaders });
	});
}
