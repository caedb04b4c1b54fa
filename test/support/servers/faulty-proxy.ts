import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from './http-server.ts';

/** A request of the SDK on its way to DynamoDB. */
export interface Passing {
	/** The operation: `TransactWriteItems`. */
	readonly operation: string;
	// biome-ignore lint/suspicious/noExplicitAny: what is sent is what the test asserts on.
	readonly body: any;
	/** Sends it on, another body in its place if given, and gives DynamoDB's answer. */
	forward(body?: unknown): Promise<Answer>;
}

export interface Answer {
	readonly status: number;
	// biome-ignore lint/suspicious/noExplicitAny: what came is what the test changes.
	readonly body: any;
}

/** What becomes of a request: an answer, no answer at all, one that breaks off half way and stays open, or a closed connection. */
export type Fate = Answer | 'silence' | 'half an answer' | 'close';

/** An error as DynamoDB answers it. */
export const fault = (name: string, status = 400, more: object = {}): Answer => ({
	status,
	body: { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: name, ...more },
});

/** A cancelled transaction, with the reasons in the order of its actions. */
export const cancelled = (...codes: string[]): Answer =>
	fault('TransactionCanceledException', 400, { CancellationReasons: codes.map((Code) => ({ Code })) });

const forwardTo = async (endpoint: string, incoming: IncomingMessage, body: string): Promise<Answer> => {
	const { 'content-length': _, ...headers } = incoming.headers;
	const outgoing = request(endpoint, { method: 'POST', headers });
	outgoing.end(body);
	const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
	const answered = await text(answer);
	return { status: answer.statusCode ?? 0, body: JSON.parse(answered) };
};

const give = (response: ServerResponse, fate: Fate): void => {
	if (fate === 'silence') return;
	if (fate === 'close') {
		response.socket?.destroy();
		return;
	}
	if (fate === 'half an answer') {
		response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0', 'content-length': '1000' });
		response.write('{"Item":');
		return;
	}
	response.writeHead(fate.status, { 'content-type': 'application/x-amz-json-1.0' });
	response.end(JSON.stringify(fate.body));
};

/** An HTTP proxy before DynamoDB that decides the fate of each request, and remembers them. */
export const openFaultyProxy = async (endpoint: string, fateOf: (passing: Passing) => Promise<Fate> | Fate) => {
	const seen: Passing[] = [];
	const { url, close } = await listen(async (incoming, response) => {
		const sent = await text(incoming);
		const passing: Passing = {
			operation: String(incoming.headers['x-amz-target']).split('.').at(-1) ?? '',
			body: JSON.parse(sent),
			forward: (body) => forwardTo(endpoint, incoming, body === undefined ? sent : JSON.stringify(body)),
		};
		seen.push(passing);
		give(response, await fateOf(passing));
	});
	return { url, close, seen };
};
