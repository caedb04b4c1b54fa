import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from './http-server.ts';

/** A response of InfluxDB: its status, its headers, and its body as it was on the wire. */
export interface InfluxResponse {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Buffer;
}

/** Handles one request. `forward` sends it to InfluxDB. */
export type InfluxProxyAction = (response: ServerResponse, forward: () => Promise<InfluxResponse>) => Promise<void> | void;

/** A running proxy. */
export type InfluxProxy = Awaited<ReturnType<typeof openInfluxProxy>>;

/** A request that reached the proxy, with the bytes of its body, and of the body that InfluxDB answered. */
export interface InfluxExchange {
	readonly path: string;
	readonly sent: number;
	readonly answered: number;
}

/** Starts an HTTP proxy before InfluxDB that counts requests and handles each as the test says. */
export async function openInfluxProxy(target: string) {
	let action: InfluxProxyAction = passThrough;
	let requests = 0;
	const exchanges: InfluxExchange[] = [];
	const { url, close } = await listen(async (incoming, response) => {
		requests += 1;
		const body = await buffer(incoming);
		response.on('error', () => undefined);
		await action(response, async () => {
			const answer = await forwardTo(target, incoming, body);
			exchanges.push({ path: incoming.url ?? '', sent: body.length, answered: answer.body.length });
			return answer;
		});
	});
	return {
		url,
		close,
		/** Sets how requests are handled from now on. */
		handleWith: (next: InfluxProxyAction): void => {
			action = next;
		},
		/** Returns the requests that InfluxDB answered since the last call of this function. */
		newExchanges: (): readonly InfluxExchange[] => exchanges.splice(0),
		/** Returns the number of requests since the last call of this function. */
		newRequests: (): number => {
			const count = requests;
			requests = 0;
			return count;
		},
	};
}

/** Sends InfluxDB's response unchanged. */
export async function passThrough(response: ServerResponse, forward: () => Promise<InfluxResponse>): Promise<void> {
	respond(response, await forward());
}

/** Sends a response, chunked as InfluxDB does. */
export function respond(response: ServerResponse, { status, headers, body }: InfluxResponse): void {
	response.writeHead(status, headers);
	if (body.length > 0) response.write(body);
	response.end();
}

export const neverRespond: InfluxProxyAction = () => undefined;

/** Closes the connection before a response. */
export const resetConnection: InfluxProxyAction = (response) => {
	response.socket?.destroy();
};

/** Sends the first half of InfluxDB's response, and closes the connection. */
export const resetHalfway: InfluxProxyAction = async (response, forward) => {
	const { status, headers, body } = await forward();
	response.writeHead(status, headers);
	response.write(body.subarray(0, body.length / 2), () => setTimeout(() => response.socket?.destroy(), 20));
};

/** Sends the first half of InfluxDB's response, and then nothing. */
export const stopHalfway: InfluxProxyAction = async (response, forward) => {
	const { status, headers, body } = await forward();
	response.writeHead(status, headers);
	response.write(body.subarray(0, body.length / 2));
};

/** Sends a text again and again. */
export const respondEndlessly =
	(headers: InfluxResponse['headers'], text: string | Uint8Array): InfluxProxyAction =>
	(response) => {
		response.writeHead(200, headers);
		const more = (): void => {
			while (!response.destroyed && response.write(text));
			if (!response.destroyed) response.once('drain', more);
		};
		more();
	};

async function forwardTo(target: string, incoming: IncomingMessage, body: Buffer): Promise<InfluxResponse> {
	const outgoing = request(`${target}${incoming.url}`, { method: incoming.method, headers: incoming.headers });
	// `once` reports an error until the response has begun. One that comes later would end the process.
	outgoing.on('error', () => undefined);
	outgoing.end(body);
	const [response]: IncomingMessage[] = (await once(outgoing, 'response')) as [IncomingMessage];
	if (response === undefined) throw new Error('InfluxDB sent no response.');
	const { 'transfer-encoding': _encoding, 'content-length': _length, ...headers } = response.headers as Record<string, string>;
	return { status: response.statusCode ?? 0, headers, body: await buffer(response) };
}
