import { notModified, ok, publicForFiveMinutes } from '#http/api-response.ts';
import { contentEtagOf, isUnchanged } from '#http/etag.ts';
import type { ApiHandler } from '#http/event.ts';
import type { HandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';

/** The dependencies of `openapi`. */
export interface OpenApiDeps extends HandlerDeps {
	/** Resolves to the document as JSON. The first request calls it. */
	readonly document: () => Promise<string>;
}

/** GET /openapi.json: returns the OpenAPI document of the service (infra/openapi/README.md#the-document). */
export function createHandler({ log, document }: OpenApiDeps): ApiHandler {
	let served: { readonly body: unknown; readonly headers: { readonly etag: string } } | undefined;
	return createLambdaHandler(log, async (event) => {
		served ??= withHeaders(await document());
		return isUnchanged(event, served.headers.etag) ? notModified(served.headers) : ok(served.body, served.headers);
	});
}

function withHeaders(text: string) {
	const body: unknown = JSON.parse(text);
	return { body, headers: { ...publicForFiveMinutes, etag: contentEtagOf(text) } };
}
