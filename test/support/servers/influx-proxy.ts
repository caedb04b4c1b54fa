import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from './http-server.ts';

/** An answer of InfluxDB: its status, its headers, and its body as it was on the wire. */
export interface Answer {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Buffer;
}

/** What becomes of a request. It is given its response, and a way to InfluxDB. */
export type Fate = (response: ServerResponse, forward: () => Promise<Answer>) => Promise<void> | void;

const forwardTo = async (target: string, incoming: IncomingMessage, body: Buffer): Promise<Answer> => {
	const outgoing = request(`${target}${incoming.url}`, { method: 'POST', headers: incoming.headers });
	outgoing.end(body);
	const [answer]: IncomingMessage[] = (await once(outgoing, 'response')) as [IncomingMessage];
	if (answer === undefined) throw new Error('No answer.');
	const { 'transfer-encoding': _, 'content-length': __, ...headers } = answer.headers as Record<string, string>;
	return { status: answer.statusCode ?? 0, headers, body: await buffer(answer) };
};

/** Sends an answer on, chunked as InfluxDB does. */
export const give = (response: ServerResponse, { status, headers, body }: Answer): void => {
	response.writeHead(status, headers);
	response.write(body);
	response.end();
};

/** The answer as it is. */
export const honest: Fate = async (response, forward) => give(response, await forward());

/** An HTTP proxy before InfluxDB that counts requests, and decides what becomes of each. */
export const openInfluxProxy = async (target: string) => {
	let fate: Fate = honest;
	let requests = 0;
	const { url, close } = await listen(async (incoming, response) => {
		requests += 1;
		const body = await buffer(incoming);
		response.on('error', () => undefined);
		await fate(response, () => forwardTo(target, incoming, body));
	});
	return {
		url,
		close,
		/** Sets what becomes of the requests from now on. */
		meet: (next: Fate): void => {
			fate = next;
		},
		/** How many requests came since the last time this was asked. */
		count: (): number => {
			const counted = requests;
			requests = 0;
			return counted;
		},
	};
};
export type InfluxProxy = Awaited<ReturnType<typeof openInfluxProxy>>;
