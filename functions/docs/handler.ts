import { publicForFiveMinutes } from '#http/api-response.ts';
import type { ApiHandler } from '#http/event.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { createPageResponder, type PageDeps, pageHeaders } from '#http/page.ts';

/** `makesNoHtml` is false, because Swagger UI makes HTML of the document's texts. */
const headers = { ...publicForFiveMinutes, ...pageHeaders({ makesNoHtml: false }) } as const;

/** GET /docs and GET /docs/{file}: return the page that shows the OpenAPI document, and its files (infra/openapi/README.md#the-page). */
export function createHandler({ log, files }: PageDeps): ApiHandler {
	return createLambdaHandler(
		log,
		createPageResponder(files, () => headers),
	);
}
