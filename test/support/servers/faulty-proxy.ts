import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from './http-server.ts';

/** A request of the AWS SDK that a proxy received. */
export interface ProxiedRequest {
	/** The operation: `TransactWriteItems`. */
	readonly operation: string;
	// biome-ignore lint/suspicious/noExplicitAny: tests assert on any part of the body.
	readonly body: any;
	/** Sends the request on, with another body if one is given, and returns the server's response. */
	forward(body?: unknown): Promise<ProxyResponse>;
}

/** A response of AWS: status and parsed body. */
export interface ProxyResponse {
	readonly status: number;
	// biome-ignore lint/suspicious/noExplicitAny: tests change any part of the body.
	readonly body: any;
}

/** What a proxy does with a request: it responds, never responds, sends half a response and stays open, or closes the connection. */
export type ProxyAction = ProxyResponse | 'silence' | 'half a response' | 'close';

/** Starts an HTTP proxy for AWS that does with each request what `actionFor` returns. `seen` holds the requests so far. */
export async function openFaultyProxy(
	endpoint: string,
	actionFor: (proxied: ProxiedRequest) => Promise<ProxyAction> | ProxyAction,
) {
	const seen: ProxiedRequest[] = [];
	const { url, close } = await listen(async (incoming, response) => {
		const received = await text(incoming);
		const proxied: ProxiedRequest = {
			operation: String(incoming.headers['x-amz-target']).split('.').at(-1) ?? '',
			body: JSON.parse(received),
			forward: (body) => forwardTo(endpoint, incoming, body === undefined ? received : JSON.stringify(body)),
		};
		seen.push(proxied);
		perform(response, await actionFor(proxied));
	});
	return { url, close, seen };
}

/** Returns an error in the form in which AWS sends it. */
export function awsError(name: string, status = 400, fields: object = {}): ProxyResponse {
	return { status, body: { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: name, ...fields } };
}

/** Returns the error of a cancelled transaction, with the reasons in the order of its actions. */
export function canceledTransaction(...codes: string[]): ProxyResponse {
	return awsError('TransactionCanceledException', 400, { CancellationReasons: codes.map((Code) => ({ Code })) });
}

async function forwardTo(endpoint: string, incoming: IncomingMessage, body: string): Promise<ProxyResponse> {
	const { 'content-length': _length, ...headers } = incoming.headers;
	const outgoing = request(endpoint, { method: 'POST', headers });
	outgoing.end(body);
	const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
	const received = await text(response);
	return { status: response.statusCode ?? 0, body: JSON.parse(received) };
}

function perform(response: ServerResponse, action: ProxyAction): void {
	if (action === 'silence') return;
	if (action === 'close') {
		response.socket?.destroy();
		return;
	}
	if (action === 'half a response') {
		response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0', 'content-length': '1000' });
		response.write('{"Item":');
		return;
	}
	response.writeHead(action.status, { 'content-type': 'application/x-amz-json-1.0' });
	response.end(JSON.stringify(action.body));
}
