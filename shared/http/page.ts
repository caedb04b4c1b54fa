import * as v from 'valibot';
import type { ApiResponse } from './api-response.ts';
import type { ApiEvent } from './event.ts';
import type { HandlerDeps } from './handler-deps.ts';
import { fileResponse, type StaticFile, staticFilesSchema } from './static-file.ts';

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
