import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalServer } from '#infra/local/server.ts';
import { call, signIn } from '#test/e2e/target.ts';
import { makeCalculatedBody, makeQuery } from '#test/support/builders/builders.ts';
import { errorEntry } from '#test/support/error-entry.ts';
import { feed, startLocal } from '#test/support/servers/local.ts';

const origin = 'https://dashboard.example';

describe('createGateway', () => {
	let local: LocalServer;
	const target = () => ({
		baseUrl: local.baseUrl,
		feed: (database: string, lines: string) => feed(local.baseUrl, database, lines),
		close: local.close,
	});
	beforeAll(async () => {
		local = await startLocal({ CORS_ORIGINS: `${origin},http://localhost:1` });
	});
	afterAll(() => local.close());

	test('responds to a preflight request of a known origin for any path', async () => {
		const { status, headers, text } = await call(target(), 'OPTIONS', '/saveVariable', {
			headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
		});
		expect(status).toBe(204);
		expect(text).toBe('');
		expect(headers.get('access-control-allow-origin')).toBe(origin);
		expect(headers.get('access-control-allow-credentials')).toBe('true');
		expect(headers.get('access-control-allow-methods')).toContain('POST');
		for (const header of ['authorization', 'content-type', 'if-match', 'idempotency-key', 'cache-control'])
			expect(headers.get('access-control-allow-headers')).toContain(header);
	});

	test.each(['https://evil.example', 'null', `${origin}.evil.example`])(
		'sends no CORS headers to another origin: %s',
		async (other) => {
			for (const method of ['OPTIONS', 'GET']) {
				const { headers } = await call(target(), method, '/health', { headers: { origin: other } });
				expect(headers.get('access-control-allow-origin')).toBeNull();
			}
		},
	);

	test.each([['/health'], ['/nowhere'], ['/getVarsTsdb']])(
		'lets a known origin read responses and refusals: %s',
		async (path) => {
			const { headers } = await call(target(), 'GET', path, { headers: { origin } });
			expect(headers.get('access-control-allow-origin')).toBe(origin);
			expect(headers.get('access-control-expose-headers')).toBe('etag,retry-after,idempotent-replayed,apigw-requestid');
		},
	);

	test.each(['/health', '/console', '/', '/docs'])('answers HEAD as GET, without the body: %s', async (path) => {
		const [got, head] = await Promise.all(['GET', 'HEAD'].map((method) => call(target(), method, path)));
		expect([head?.status, head?.text]).toEqual([got?.status, '']);
		for (const name of ['content-type', 'content-length', 'etag', 'location', 'cache-control'])
			expect(head?.headers.get(name)).toBe(got?.headers.get(name));
	});

	test('answers HEAD where a token is needed, too, and only with it', async () => {
		const token = await signIn(target(), 'a');
		expect((await call(target(), 'HEAD', '/getVarsTsdb')).status).toBe(401);
		const [got, head] = await Promise.all(['GET', 'HEAD'].map((method) => call(target(), method, '/getVarsTsdb', { token })));
		expect([head?.status, head?.text]).toEqual([200, '']);
		expect(head?.headers.get('content-length')).toBe(got?.headers.get('content-length'));
		expect((await call(target(), 'HEAD', '/saveVariable', { token })).status).toBe(404);
	});

	test('serves the documents of the issuer with a public cache lifetime', async () => {
		const discovery = await call(target(), 'GET', '/.well-known/openid-configuration');
		expect(discovery.body).toMatchObject({ issuer: local.baseUrl, jwks_uri: `${local.baseUrl}/.well-known/jwks.json` });
		const jwks = await call(target(), 'GET', '/.well-known/jwks.json');
		expect(jwks.body.keys).toEqual([
			{ kid: expect.any(String), kty: 'RSA', alg: 'RS256', use: 'sig', n: expect.any(String), e: 'AQAB' },
		]);
		for (const { headers } of [discovery, jwks]) expect(headers.get('cache-control')).toBe('public, max-age=3600');
	});

	test('refuses a body over 10 MB with 413, and then still responds', async () => {
		const token = await signIn(target(), 'a');
		const { status, body } = await call(target(), 'POST', '/saveVariable', { token, body: Buffer.alloc(11 * 1024 * 1024, 0x20) });
		expect([status, body]).toEqual([413, { message: 'Request Entity Too Large' }]);
		expect((await call(target(), 'GET', '/health')).status).toBe(200);
	});

	test.each([
		['header', 0],
		['payload', 1],
		['signature', 2],
	])('refuses a token with padding after the %s with 401', async (_, padded) => {
		const token = await signIn(target(), 'a');
		expect((await call(target(), 'GET', '/getVarsTsdb', { token })).status).toBe(200);
		const withPadding = token.split('.').map((part, index) => (index === padded ? `${part}=` : part));
		const { status, body } = await call(target(), 'GET', '/getVarsTsdb', { token: withPadding.join('.') });
		expect([status, body]).toEqual([401, { message: 'Unauthorized' }]);
	});

	test('refuses a badly encoded path parameter with 400', async () => {
		const token = await signIn(target(), 'a');
		expect((await call(target(), 'POST', '/deleteVar/%E0%A4%A', { token })).status).toBe(400);
	});

	test('refuses a response over 6 MB with 413, and sends it with gzip', async () => {
		const token = await signIn(target(), 'a');
		const names = Array.from({ length: 100 }, (_, index) => `input${index}`);
		const body = makeCalculatedBody(names.join(' + '));
		const varsTsdb = Object.fromEntries(names.map((name) => [name, makeQuery({ calc_topic: name.padEnd(1000, 'x') })]));
		for (let index = 0; index < 60; index += 1)
			expect((await call(target(), 'POST', '/saveVariable', { token, body: { ...body, varsTsdb } })).status).toBe(200);
		const list = (coding: string) => call(target(), 'GET', '/getVarsTsdb', { token, headers: { 'accept-encoding': coding } });
		const plain = await list('identity');
		expect([plain.status, plain.body]).toEqual([
			413,
			{ request: errorEntry('answer_too_large', expect.stringContaining('Accept-Encoding: gzip')) },
		]);
		const zipped = await list('gzip');
		expect(zipped.status).toBe(200);
		expect(zipped.body.data).toHaveLength(60);
	});

	test('accepts an absolute request target', async () => {
		const { hostname, port } = new URL(local.baseUrl);
		const socket = connect(Number(port), hostname);
		socket.write(`GET ${local.baseUrl}/health HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`);
		let text = '';
		for await (const chunk of socket) text += String(chunk);
		expect(text).toMatch(/^HTTP\/1\.1 200 /);
	});

	test('names the origin in the Vary header', async () => {
		const { headers } = await call(target(), 'GET', '/.well-known/jwks.json', { headers: { origin } });
		expect(headers.get('vary')).toBe('accept-encoding, origin');
	});

	test('responds to open requests after close, and accepts no new ones', async () => {
		const closing = await startLocal();
		const open = fetch(`${closing.baseUrl}/health`);
		const idle = connect(Number(new URL(closing.baseUrl).port), '127.0.0.1');
		await once(idle, 'connect');
		const startedAt = performance.now();
		const [response] = await Promise.all([open, open.then(() => closing.close())]);
		expect(response.status).toBe(200);
		// A connection that asks for nothing would keep it open for a minute.
		expect(performance.now() - startedAt).toBeLessThan(10_000);
		idle.destroy();
		await expect(fetch(`${closing.baseUrl}/health`)).rejects.toThrow();
	});
});
