import type { IncomingMessage, RequestListener } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { createIdpClient } from '../../../shared/adapters/idp-client.ts';
import { listen } from '../../support/http-server.ts';

const cutShort: RequestListener = (_, response) => {
	response.writeHead(200, { 'content-length': '99' });
	response.write('{"em', () => response.destroy());
};

describe('the identity provider’s client', () => {
	let close: () => void = () => undefined;
	afterEach(() => close());

	const clientOf = async (listener: RequestListener, timeoutMs = 2000) => {
		const server = await listen(listener);
		close = server.close;
		return createIdpClient({ url: `${server.url}/auth`, token: 'idp-secret', timeoutMs });
	};
	const answering = (status: number, body: unknown) => (_: IncomingMessage, response: Parameters<RequestListener>[1]) => {
		response.writeHead(status, { 'content-type': 'application/json' });
		response.end(typeof body === 'string' ? body : JSON.stringify(body));
	};

	test('asks as specified, and takes what it needs of the answers', async () => {
		const asked: string[] = [];
		const client = await clientOf((request, response) => {
			asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
			const answers: Record<string, unknown> = {
				getUser: { id: 4, email: 'a@b.example', token_apps: 'secret', more: { than: 'needed' } },
				getSchemaProduct: [{ schema_name: 's', tsdb_name: 't', product_id: 2, client_id: 3, more: 1 }],
				listProductxUserxClient: [{ id_product: 2, name: 'n', description: 'd' }],
			};
			answering(200, answers[/(\w+)\?/.exec(request.url ?? '')?.[1] ?? ''])(request, response);
		});
		expect(await client.getUser(4)).toEqual({ email: 'a@b.example', token_apps: 'secret' });
		expect(await client.getSchemaProduct(3, 2)).toEqual([{ schema_name: 's', tsdb_name: 't', product_id: 2, client_id: 3 }]);
		expect(await client.listProductxUserxClient(4, 3)).toEqual([{ id_product: 2 }]);
		expect(asked).toEqual([
			'GET /auth/getUser?id=4 Bearer idp-secret',
			'GET /auth/getSchemaProduct?clientId=3&productId=2 Bearer idp-secret',
			'GET /auth/listProductxUserxClient?id_user=4&id_client=3 Bearer idp-secret',
		]);
	});

	test.each([[404], [400], [422]])('status %s means that it knows none', async (status) => {
		const client = await clientOf(answering(status, 'whatever'));
		expect([await client.getUser(0), await client.getSchemaProduct(0, 1), await client.listProductxUserxClient(0, 0)]).toEqual([
			null,
			[],
			[],
		]);
	});

	test('null means that it knows none, too', async () => {
		const client = await clientOf(answering(200, 'null'));
		expect([await client.getUser(0), await client.getSchemaProduct(0, 1)]).toEqual([null, []]);
	});

	test.each<[string, RequestListener]>([
		['500', answering(500, {})],
		['401: our own token is refused', answering(401, {})],
		['429', answering(429, {})],
		['a page instead of JSON', answering(200, '<html>')],
		['an empty answer', answering(200, '')],
		['another form', answering(200, { email: 5, token_apps: 'x' })],
		['a list', answering(200, [])],
		['a redirect', (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()],
		['a connection cut in the middle', cutShort],
	])('is a fault of the provider, never an answer: %s', async (_, listener) => {
		const client = await clientOf(listener);
		await expect(client.getUser(1)).rejects.toMatchObject({
			code: 'dependency_failed',
			payload: { dependency: 'identityProvider' },
		});
	});

	test('a refused connection is a fault, whose cause holds no secret', async () => {
		const server = await listen(() => undefined);
		server.close();
		const client = createIdpClient({ url: server.url, token: 'idp-secret', timeoutMs: 2000 });
		const error: unknown = await client.getUser(1).catch((caught: unknown) => caught);
		expect(error).toMatchObject({ code: 'dependency_failed', message: expect.not.stringContaining('idp-secret') });
	});

	test.each<[string, RequestListener]>([
		['no answer at all', () => undefined],
		['a body that never ends', (_, response) => void response.writeHead(200).write('{')],
	])('past its deadline it is slow: %s', async (_, listener) => {
		const client = await clientOf(listener, 100);
		await expect(client.getUser(1)).rejects.toMatchObject({
			code: 'dependency_slow',
			payload: { dependency: 'identityProvider' },
		});
	});
});
