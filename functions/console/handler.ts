import { publicForever, revalidated } from '#http/api-response.ts';
import type { ApiHandler } from '#http/event.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { createPageResponder, type PageDeps, pageHeaders, pageName } from '#http/page.ts';
import { pathOf, rootPath } from '#shared/contract.ts';

/** The answer to GET /. Its address is relative, so that the service may be below another path. */
const redirect = { status: 302, body: undefined, headers: { location: pathOf('console').slice(1) } } as const;

/**
 * The security headers of every file. They also forbid scripts to turn text into HTML, which the console never does, and keep windows of
 * other pages, such as that of a sign-in provider, apart from it.
 */
const headers = { ...pageHeaders({ makesNoHtml: true }), 'cross-origin-opener-policy': 'same-origin' } as const;

/**
 * GET /console and GET /console/{file}: return the operator's console and its files. GET / redirects there (functions/console/README.md).
 * The names of the files change with their content, so browsers keep them; the page itself names them, so it is asked for each time.
 */
export function createHandler({ log, files }: PageDeps): ApiHandler {
	const respond = createPageResponder(files, (name) => ({ ...(name === pageName ? revalidated : publicForever), ...headers }));
	return createLambdaHandler(log, async (event) => (event.routeKey.endsWith(` ${rootPath}`) ? redirect : respond(event)));
}
