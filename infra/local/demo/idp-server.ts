import { once } from 'node:events';
import { createServer } from 'node:http';
import { readBody, send, targetOf } from '../gateway/http.ts';
import { createDemoIdp } from './idp.ts';

/** The demo identity provider on a port of its own, where no local service has it beside its API. */
export async function startDemoIdp(token: string): Promise<{ readonly url: string; readonly close: () => void }> {
	const answer = createDemoIdp(token);
	const server = createServer(async (request, response) => {
		const { path, query } = targetOf(request);
		const body = await readBody(request, 0);
		send(response, await answer({ method: request.method ?? 'GET', path, query, headers: request.headers, body }));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The identity provider listens on no port.');
	return { url: `http://127.0.0.1:${address.port}/idp`, close: () => server.close() };
}
