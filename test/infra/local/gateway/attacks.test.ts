import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoTenants } from '#infra/local/demo/idp.ts';
import { createJsonLog } from '#infra/local/json-log.ts';
import type { LocalServer } from '#infra/local/server.ts';
import { call, signIn, tenants } from '#test/e2e/target.ts';
import { collectGarbage } from '#test/support/collect-garbage.ts';
import { startLocal, writeToken } from '#test/support/servers/local.ts';

const origin = 'https://dashboard.example';

let local: LocalServer;
const target = () => ({ baseUrl: local.baseUrl, feed: async () => undefined, close: local.close });
beforeAll(async () => {
	local = await startLocal({ CORS_ORIGINS: origin });
});
afterAll(() => local.close());

const openSocket = async (baseUrl = local.baseUrl): Promise<Socket> => {
	const { hostname, port } = new URL(baseUrl);
	const socket = connect(Number(port), hostname);
	socket.on('error', () => undefined);
	await once(socket, 'connect');
	return socket;
};

/** Sends the head of a request as it is, and returns the response. fetch would set `Host` itself. */
const sendHead = async (head: string, baseUrl = local.baseUrl): Promise<string> => {
	const socket = await openSocket(baseUrl);
	socket.write(`${head}\r\nConnection: close\r\n\r\n`);
	let text = '';
	for await (const chunk of socket) text += String(chunk);
	return text;
};

describe('the Host header', () => {
	test.each(['127.0.0.1', '127.0.0.1:80', 'localhost', 'LOCALHOST:3000', '[::1]', '[::1]:3000'])(
		'may name this machine: %s',
		async (host) => {
			expect(await sendHead(`GET /health HTTP/1.1\r\nHost: ${host}`)).toMatch(/^HTTP\/1\.1 200 /);
		},
	);

	test('may name an allowed host of a service without the demo, and the log names another', async () => {
		const lines: string[] = [];
		const environment = { AUTH_URL: `${local.baseUrl}/idp`, ALLOWED_HOSTS: 'caudal.test, Plant' };
		const other = await startLocal(
			environment,
			Date.now,
			createJsonLog('info', (line) => lines.push(line)),
		);
		for (const host of ['caudal.test', 'PLANT:9'])
			expect(await sendHead(`GET /health HTTP/1.1\r\nHost: ${host}`, other.baseUrl)).toMatch(/^HTTP\/1\.1 200 /);
		expect(await sendHead('GET /health HTTP/1.1\r\nHost: other.test', other.baseUrl)).toMatch(/^HTTP\/1\.1 421 /);
		expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
			message: 'GET /health 421',
			host: 'other.test',
			reason: 'PUBLIC_URL and ALLOWED_HOSTS do not have this host.',
		});
		await other.close();
	});

	test.each(['evil.example', 'evil.example:3000', '127.0.0.1.evil.example', 'localhost.', '127.0.0.2', '::1', 'test', ''])(
		'of a page that was led here by DNS is refused: %j',
		async (host) => {
			for (const path of ['/health', '/idp/getUser?id=1', '/api/v2/write?bucket=b', '/ping'])
				expect(await sendHead(`GET ${path} HTTP/1.1\r\nHost: ${host}`)).toMatch(/^HTTP\/1\.1 421 .*"Misdirected Request"/s);
		},
	);

	test('is needed in HTTP/1.0, too', async () => {
		expect(await sendHead('GET /health HTTP/1.0')).toMatch(/^HTTP\/1\.1 421 /);
	});

	test('of another site gets no token', async () => {
		const body = JSON.stringify(tenants.a);
		const head = `POST /loginSso HTTP/1.1\r\nHost: evil.example\r\nOrigin: http://evil.example\r\nContent-Length: ${body.length}`;
		const text = await sendHead(`${head}\r\nConnection: close\r\n\r\n${body}`);
		expect(text).toMatch(/^HTTP\/1\.1 421 /);
		expect(text).not.toMatch(/token|access-control/i);
	});
});

test.each<[number, () => Promise<{ status: number; headers: Headers }>]>([
	[400, async () => call(target(), 'POST', '/deleteVar/%E0%A4%A', { token: await signIn(target(), 'a'), headers: { origin } })],
	[413, () => call(target(), 'POST', '/loginSso', { body: Buffer.alloc(11 * 1024 * 1024, 0x20), headers: { origin } })],
	[401, () => call(target(), 'GET', '/getVarsTsdb', { headers: { origin } })],
	[404, () => call(target(), 'GET', '/nowhere', { headers: { origin } })],
])('a known origin can read the refusal %i of the gateway', async (status, send) => {
	const response = await send();
	expect(response.status).toBe(status);
	expect(response.headers.get('access-control-allow-origin')).toBe(origin);
	expect(response.headers.get('access-control-allow-credentials')).toBe('true');
	expect(response.headers.get('vary')).toContain('origin');
});

describe('a body without authorization', () => {
	const megabyte = Buffer.alloc(1024 * 1024, 'm f=1\n');

	test.each([
		['POST /api/v2/write?bucket=b', 'Token wrong', 31],
		['POST /saveVariable', 'Bearer a.b.c', 9],
	])('is not kept, however much of it arrives: 25 x %s', async (requestLine, authorization, megabytes) => {
		collectGarbage();
		const before = process.memoryUsage().arrayBuffers;
		const keptBytes = () => process.memoryUsage().arrayBuffers - before;
		const sockets = await Promise.all(Array.from({ length: 25 }, openSocket));
		// One byte of each body is never sent.
		const head = `${requestLine} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\nContent-Length: ${megabytes * megabyte.length + 1}\r\n\r\n`;
		for (const socket of sockets) socket.write(head);
		// The refusal comes before the body.
		const answers = await Promise.all(sockets.map((socket) => once(socket, 'data')));
		for (const [answer] of answers) expect(String(answer)).toMatch(/^HTTP\/1\.1 401 /);
		let highest = 0;
		const sendBody = async (socket: Socket): Promise<void> => {
			const closed = new Promise((resolve) => socket.once('close', resolve));
			for (let sent = 0; sent < megabytes && socket.writable; sent += 1) {
				if (!socket.write(megabyte)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
				// What was received and dropped stays until it is collected.
				if (keptBytes() > 50 * megabyte.length) {
					collectGarbage();
					// Buffers that were collected are freed by another thread, so that a busy machine counts some of them still.
					await setImmediate();
				}
				highest = Math.max(highest, keptBytes());
			}
		};
		await Promise.all(sockets.map(sendBody));
		expect(highest).toBeLessThan(100 * megabyte.length);
		for (const socket of sockets) socket.destroy();
		expect((await call(target(), 'GET', '/health')).status).toBe(200);
	});
});

describe('the demo identity provider', () => {
	test('needs its token', async () => {
		const ask = (authorization: string) => call(target(), 'GET', '/idp/getUser?id=1', { headers: { authorization } });
		expect((await ask('Bearer demo-idp-token')).body).toMatchObject({ email: demoTenants[0].email });
		for (const wrong of ['', 'demo-idp-token', 'Bearer demo-idp-toke', 'Bearer demo-idp-token2', 'bearer demo-idp-token'])
			expect((await ask(wrong)).status).toBe(401);
	});

	test('is not there beside another one', async () => {
		const other = await startLocal({ AUTH_URL: `${local.baseUrl}/idp` });
		const path = '/idp/getUser?id=1';
		const response = await fetch(`${other.baseUrl}${path}`, { headers: { authorization: 'Bearer demo-idp-token' } });
		expect([response.status, await response.json()]).toEqual([404, { message: 'Not Found' }]);
		const [{ userId, email, firstName, lastName, clientId }] = demoTenants;
		expect(await other.service.users.list()).toEqual([]);
		await other.service.users.put({ id: userId, email, firstName, lastName, clientId });
		expect(await signIn({ ...target(), baseUrl: other.baseUrl }, 'a')).toMatch(/\./);
		await other.close();
	});
});

describe("InfluxDB's /ping", () => {
	test.each(['GET', 'HEAD'])('answers %s with 204, without a token', async (method) => {
		const response = await fetch(`${local.baseUrl}/ping`, { method });
		expect([response.status, await response.text()]).toEqual([204, '']);
		expect(response.headers.get('x-influxdb-version')).toMatch(/^2\.\d+\.\d+$/);
		expect(response.headers.get('x-influxdb-build')).toBe('OSS');
	});

	test.each([
		['POST', '/ping', 405],
		['GET', '/ping/x', 404],
	])('answers %s %s with %i', async (method, path, status) => {
		expect((await fetch(local.baseUrl + path, { method })).status).toBe(status);
	});
});

test('a point is refused with 503 and Retry-After when it cannot be stored', async () => {
	const closing = await startLocal();
	await closing.service.series.close();
	const response = await fetch(`${closing.baseUrl}/api/v2/write?bucket=b`, {
		method: 'POST',
		headers: { authorization: `Token ${writeToken}` },
		body: 'm f=1',
	});
	expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
	await closing.close();
});
