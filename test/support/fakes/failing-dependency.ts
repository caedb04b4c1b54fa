import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { credentials, secretMarker } from '../secret-leaks.ts';
import { listen } from '../servers/http-server.ts';

/** A request that a dependency received. */
interface ReceivedRequest {
	readonly url: string;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
}

/** Returns the response of a dependency; null closes the connection. */
type Responder = (request: ReceivedRequest) => { readonly status: number; readonly type?: string; readonly body: string } | null;

const csv = 'text/csv; charset=utf-8';

/** Dependencies that fail. Most of them repeat the request, with its secrets. */
export const faults: Readonly<Record<string, Responder>> = {
	'an error that repeats the request': (request) => ({
		status: 500,
		body: JSON.stringify({ code: 'internal error', message: echoOf(request), error: echoOf(request) }),
	}),
	'a refusal that repeats the request': (request) => ({
		status: 401,
		body: JSON.stringify({ code: 'unauthorized', message: echoOf(request) }),
	}),
	'a text error that repeats the request': (request) => ({ status: 503, type: 'text/plain', body: echoOf(request) }),
	'a text that is not JSON': () => ({ status: 200, body: `${secretMarker('answer')} and more` }),
	'half of a JSON text': () => ({ status: 200, body: `{"email":"${secretMarker('answer')}` }),
	'JSON of another shape': (request) => ({ status: 200, body: JSON.stringify({ [secretMarker('answer')]: echoOf(request) }) }),
	'values of another type': (request) => ({
		status: 200,
		body: JSON.stringify([{ email: [echoOf(request)], schema_name: 1, id_product: secretMarker('answer') }]),
	}),
	'a table of another result': () => ({
		status: 200,
		type: csv,
		body: `#datatype,string,long,double\n#default,${secretMarker('result')},,\n,result,table,${secretMarker('column')}\n,,0,1\n`,
	}),
	'a table of other columns': () => ({
		status: 200,
		type: csv,
		body: `#datatype,string,long,double\n#default,data0,,\n,result,table,${secretMarker('column')}\n,,0,1\n`,
	}),
	'an error after the response began': (request) => ({
		status: 200,
		type: csv,
		body: `#datatype,string,string\n#default,,\n,error,reference\n,${csvCell(echoOf(request))},897\n`,
	}),
	'a closed connection': () => null,
};

/** Starts a dependency that responds by `fallback`, or by the fault that a test sets. */
export async function openFailingDependency(fallback: Responder) {
	let respond = fallback;
	let count = 0;
	const server = await listen(async (request, response) => {
		const body = await text(request);
		count += 1;
		const answer = respond({ url: request.url ?? '', headers: request.headers, body });
		if (answer === null) {
			response.destroy();
			return;
		}
		response.writeHead(answer.status, { 'content-type': answer.type ?? 'application/json' });
		response.end(answer.body);
	});
	return {
		url: server.url,
		close: server.close,
		/** Returns the number of requests so far. */
		requestCount: () => count,
		/** Sets the fault from now on; undefined ends it. */
		fail: (fault: Responder | undefined): void => {
			respond = fault ?? fallback;
		},
	};
}

/** Responds as an identity provider that knows `credentials`. */
export function respondAsIdentityProvider({ url }: ReceivedRequest) {
	const operation = /(\w+)\?/.exec(url)?.[1] ?? '';
	const { email, tokenApp, schemaName, tsdb_name } = credentials;
	const answers: Readonly<Record<string, unknown>> = {
		getUser: { email, token_apps: tokenApp },
		getSchemaProduct: [{ schema_name: schemaName, tsdb_name, product_id: 1, client_id: 9 }],
		listProductxUserxClient: [{ id_product: 1 }],
	};
	return { status: 200, body: JSON.stringify(answers[operation] ?? null) };
}

/** Returns the whole request as text: secrets, address and body. */
function echoOf({ url, headers, body }: ReceivedRequest): string {
	return `${headers.authorization} "${headers['x-amz-security-token']}" ${url} ${body}`;
}

const csvCell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
