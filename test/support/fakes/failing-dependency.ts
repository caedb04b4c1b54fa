import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { canary, credentials } from '../secret-leaks.ts';
import { listen } from '../servers/http-server.ts';

/** What a dependency was asked, as text: the secrets that it was shown, the address and the body. */
interface Asked {
	readonly url: string;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
}

/** What a dependency does with a request; null: it hangs up. */
type Answering = (asked: Asked) => { readonly status: number; readonly type?: string; readonly body: string } | null;

const saidBy = ({ url, headers, body }: Asked): string =>
	`${headers.authorization} "${headers['x-amz-security-token']}" ${url} ${body}`;
const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
const csv = 'text/csv; charset=utf-8';

/** Dependencies that fail, most of them repeating what they were asked. */
export const faults: Readonly<Record<string, Answering>> = {
	'an error that repeats the request': (asked) => ({
		status: 500,
		body: JSON.stringify({ code: 'internal error', message: saidBy(asked), error: saidBy(asked) }),
	}),
	'a refusal that repeats the request': (asked) => ({
		status: 401,
		body: JSON.stringify({ code: 'unauthorized', message: saidBy(asked) }),
	}),
	'a text that repeats the request, as an error': (asked) => ({ status: 503, type: 'text/plain', body: saidBy(asked) }),
	'a text that is no JSON': () => ({ status: 200, body: `${canary('answer')} and more` }),
	'half a JSON': () => ({ status: 200, body: `{"email":"${canary('answer')}` }),
	'JSON of another shape': (asked) => ({ status: 200, body: JSON.stringify({ [canary('answer')]: saidBy(asked) }) }),
	'values of another type': (asked) => ({
		status: 200,
		body: JSON.stringify([{ email: [saidBy(asked)], schema_name: 1, id_product: canary('answer') }]),
	}),
	'a table of another result': () => ({
		status: 200,
		type: csv,
		body: `#datatype,string,long,double\n#default,${canary('result')},,\n,result,table,${canary('column')}\n,,0,1\n`,
	}),
	'a table of other columns': () => ({
		status: 200,
		type: csv,
		body: `#datatype,string,long,double\n#default,data0,,\n,result,table,${canary('column')}\n,,0,1\n`,
	}),
	'an error after the answer began': (asked) => ({
		status: 200,
		type: csv,
		body: `#datatype,string,string\n#default,,\n,error,reference\n,${quoted(saidBy(asked))},897\n`,
	}),
	'a closed connection': () => null,
};

/** A dependency that fails as it is told, or answers as `otherwise` says; it counts what it was asked. */
export const openFailingDependency = async (otherwise: Answering) => {
	let answering = otherwise;
	let asked = 0;
	const server = await listen(async (request, response) => {
		const body = await text(request);
		asked += 1;
		const answer = answering({ url: request.url ?? '', headers: request.headers, body });
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
		asked: () => asked,
		/** From now on; undefined: no longer. */
		fail: (fault: Answering | undefined): void => {
			answering = fault ?? otherwise;
		},
	};
};

/** An identity provider that knows `credentials`. */
export const answerCredentials: Answering = ({ url }) => {
	const operation = /(\w+)\?/.exec(url)?.[1] ?? '';
	const { email, tokenApp, schemaName, tsdb_name } = credentials;
	const answers: Readonly<Record<string, unknown>> = {
		getUser: { email, token_apps: tokenApp },
		getSchemaProduct: [{ schema_name: schemaName, tsdb_name, product_id: 1, client_id: 9 }],
		listProductxUserxClient: [{ id_product: 1 }],
	};
	return { status: 200, body: JSON.stringify(answers[operation] ?? null) };
};
