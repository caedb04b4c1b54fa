import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ApiHandler } from '#http/event.ts';
import { unlimited } from '#http/schema-limit.ts';
import { createConsoleLog } from '#infra/local/console-log.ts';
import { createGateway, type GatewayDeps } from '#infra/local/gateway/gateway.ts';
import type { LocalServer } from '#infra/local/server.ts';
import { endpoints } from '#shared/contract.ts';
import { call, signIn } from '#test/e2e/target.ts';
import { startLocal } from '#test/support/servers/local.ts';

// The gateway logs before it sends the response.
describe('the log of the gateway', () => {
	let lines: string[] = [];
	let local: LocalServer;
	let token: string;
	const target = () => ({ baseUrl: local.baseUrl, feed: async () => undefined, close: local.close });
	// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters.
	const print = (line: string): number => lines.push(line.replaceAll(/\u001b\[\d+m/g, '').replace(/^\S+ /, ''));

	beforeAll(async () => {
		local = await startLocal({}, undefined, createConsoleLog(print));
		token = await signIn(target(), 'a');
	});
	afterAll(() => local.close());
	beforeEach(() => {
		lines = [];
	});

	test('has the line of the handler for a request that reached one', async () => {
		await call(target(), 'GET', '/health?note=1');
		await call(target(), 'POST', '/multipleDataTsdb', { token, body: { ids: [1, 2] } });
		await call(target(), 'POST', '/usages/x', { token });
		await call(target(), 'GET', '/usages/x', { token });
		expect(lines).toEqual([
			expect.stringMatching(/^GET \/health 200 \d+ ms$/),
			expect.stringMatching(/^POST \/multipleDataTsdb 200 \d+ ms {2}2 readings: 2 missing reference$/),
			'POST /usages/x 404 by=gateway',
			expect.stringMatching(/^GET \/usages\/\{id\} 400 \d+ ms$/),
		]);
	});

	test.each<[string, number, () => Promise<unknown>]>([
		['POST /saveVariable', 401, () => call(target(), 'POST', '/saveVariable?note=1', { token: 'nonsense' })],
		['GET /nowhere', 404, () => call(target(), 'GET', '/nowhere?note=1')],
		['POST /saveChart', 413, () => call(target(), 'POST', '/saveChart', { token, body: Buffer.alloc(11 * 1024 * 1024, 0x20) })],
		['POST /deleteVar/%E0%A4%A', 400, () => call(target(), 'POST', '/deleteVar/%E0%A4%A', { token })],
	])('has a line of the gateway, without the query, for any other request: %s %i', async (request, status, send) => {
		await send();
		expect(lines).toEqual([`${request} ${status} by=gateway`]);
	});

	test('has no line for preflight requests and mounted apps', async () => {
		await call(target(), 'OPTIONS', '/saveVariable', { headers: { origin: 'http://localhost:3000' } });
		await call(target(), 'GET', '/idp/getUser?id=1');
		await call(target(), 'POST', '/api/v2/write?bucket=b', { body: '' });
		await call(target(), 'GET', '/health');
		expect(lines).toEqual([expect.stringMatching(/^GET \/health 200 /)]);
	});

	test('omits the scheme and the authority of an absolute target', async () => {
		const { hostname, port } = new URL(local.baseUrl);
		const socket = connect(Number(port), hostname);
		socket.end(`GET http://user:private@${hostname}/nowhere HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`);
		await text(socket);
		expect(lines).toEqual(['GET /nowhere 404 by=gateway']);
	});
});

test('has no error for a client that hangs up before the gateway is ready', async () => {
	const ready = Promise.withResolvers<GatewayDeps>();
	const server = createGateway(ready.promise);
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	const arrived = once(server, 'request');
	const socket = connect(address !== null && typeof address === 'object' ? address.port : 0, '127.0.0.1');
	socket.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n');
	const [request] = await arrived;
	socket.destroy();
	await once(request.socket, 'close');
	const lines: string[] = [];
	const log = createConsoleLog((line) => lines.push(line));
	const health: ApiHandler = async () => ({ statusCode: 200, body: '{}' });
	const handlers = Object.fromEntries(endpoints.map(({ name }) => [name, health])) as GatewayDeps['handlers'];
	ready.resolve({
		handlers,
		limit: unlimited,
		settings: new Set(['publicDocs'] as const),
		authorize: async () => ({ outcome: 'unauthorized', challenge: '' }),
		corsOrigins: [],
		allowedHosts: [],
		proxyHops: 0,
		mounts: [],
		log,
		now: Date.now,
	});
	await new Promise((resolve) => setTimeout(resolve, 50));
	expect(lines.filter((line) => line.includes('failed'))).toEqual([]);
	server.close();
});
