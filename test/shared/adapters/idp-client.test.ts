import type { IncomingMessage, RequestListener } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { createIdpClient } from '#adapters/idp-client.ts';
import { type Secret, SecretError, staticSecret } from '#adapters/secret.ts';
import { awsError } from '#test/support/servers/faulty-proxy.ts';
import { listen } from '#test/support/servers/http-server.ts';
import { openStoredSecret, type StoredSecret } from '#test/support/servers/stored-secret.ts';

const closeHalfWay: RequestListener = (_, response) => {
	response.writeHead(200, { 'content-length': '99' });
	response.write('{"em', () => response.destroy());
};

describe('createIdpClient', () => {
	let close: () => void = () => undefined;
	afterEach(() => close());

	const clientOf = async (listener: RequestListener, timeoutMs = 2000, token: Secret = staticSecret('idp-secret')) => {
		const server = await listen(listener);
		close = server.close;
		return createIdpClient({ url: `${server.url}/auth`, token, timeoutMs });
	};
	const respondWith = (status: number, body: unknown) => (_: IncomingMessage, response: Parameters<RequestListener>[1]) => {
		response.writeHead(status, { 'content-type': 'application/json' });
		response.end(typeof body === 'string' ? body : JSON.stringify(body));
	};

	test('sends the specified requests, and reads the fields that it needs', async () => {
		const requests: string[] = [];
		const client = await clientOf((request, response) => {
			requests.push(`${request.method} ${request.url} ${request.headers.authorization}`);
			const bodies: Record<string, unknown> = {
				getUser: { id: 4, email: 'a@b.example', token_apps: 'secret', more: { than: 'needed' } },
				getSchemaProduct: [{ schema_name: 's', tsdb_name: 't', product_id: 2, client_id: 3, more: 1 }],
				listProductxUserxClient: [{ id_product: 2, name: 'n', description: 'd' }],
			};
			respondWith(200, bodies[/(\w+)\?/.exec(request.url ?? '')?.[1] ?? ''])(request, response);
		});
		expect(await client.getUser(4)).toEqual({ email: 'a@b.example', token_apps: 'secret' });
		expect(await client.getSchemaProduct(3, 2)).toEqual([{ schema_name: 's', tsdb_name: 't', product_id: 2, client_id: 3 }]);
		expect(await client.listProductxUserxClient(4, 3)).toEqual([{ id_product: 2 }]);
		expect(requests).toEqual([
			'GET /auth/getUser?id=4 Bearer idp-secret',
			'GET /auth/getSchemaProduct?clientId=3&productId=2 Bearer idp-secret',
			'GET /auth/listProductxUserxClient?id_user=4&id_client=3 Bearer idp-secret',
		]);
	});

	test.each([[404], [400], [422]])('treats status %s as unknown', async (status) => {
		const client = await clientOf(respondWith(status, 'whatever'));
		expect([await client.getUser(0), await client.getSchemaProduct(0, 1), await client.listProductxUserxClient(0, 0)]).toEqual([
			null,
			[],
			[],
		]);
	});

	test('returns null for a user without a token', async () => {
		const client = await clientOf(respondWith(200, JSON.stringify({ email: 'a@b.example', token_apps: null })));
		expect(await client.getUser(4)).toEqual({ email: 'a@b.example', token_apps: null });
	});

	test.each([null, {}, 'text', { id_product: '2' }, [], { id_product: null }])('skips the damaged record %j', async (damaged) => {
		const client = await clientOf(respondWith(200, [damaged, { id_product: 2 }, damaged]));
		expect(await client.listProductxUserxClient(4, 3)).toEqual([{ id_product: 2 }]);
	});

	test('fails where every record is damaged, and returns none where there is none', async () => {
		const failing = await clientOf(respondWith(200, [{ id_product: '2' }]));
		await expect(failing.listProductxUserxClient(4, 3)).rejects.toMatchObject({ code: 'dependency_failed' });
		await expect(failing.getSchemaProduct(3, 2)).rejects.toMatchObject({ code: 'dependency_failed' });
		const empty = await clientOf(respondWith(200, []));
		expect([await empty.listProductxUserxClient(4, 3), await empty.getSchemaProduct(3, 2)]).toEqual([[], []]);
	});

	test('treats null as unknown', async () => {
		const client = await clientOf(respondWith(200, 'null'));
		expect([await client.getUser(0), await client.getSchemaProduct(0, 1)]).toEqual([null, []]);
	});

	test.each<[string, boolean, RequestListener]>([
		['500', true, respondWith(500, {})],
		['503', true, respondWith(503, '<html>')],
		['401', false, respondWith(401, {})],
		['429', true, respondWith(429, {})],
		['403', false, respondWith(403, {})],
		['410', false, respondWith(410, {})],
		['a page instead of JSON', true, respondWith(200, '<html>')],
		['an empty body', true, respondWith(200, '')],
		['another shape', false, respondWith(200, { email: 5, token_apps: 'x' })],
		['a list', false, respondWith(200, [])],
		['a redirect', true, (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()],
		['a connection closed half way', true, closeHalfWay],
	])('fails with dependency_failed on %s (down: %s)', async (_, isDown, listener) => {
		const client = await clientOf(listener);
		await expect(client.getUser(1)).rejects.toMatchObject({
			code: 'dependency_failed',
			payload: { dependency: 'identityProvider', isDown },
		});
	});

	test('fails on a refused connection, without the token in the error', async () => {
		const server = await listen(() => undefined);
		server.close();
		const client = createIdpClient({ url: server.url, token: staticSecret('idp-secret'), timeoutMs: 2000 });
		const error: unknown = await client.getUser(1).catch((caught: unknown) => caught);
		expect(error).toMatchObject({
			code: 'dependency_failed',
			payload: { isDown: true },
			message: expect.not.stringContaining('idp-secret'),
		});
	});

	test('counts as down while the service cannot read its own token, because nobody asks then', async () => {
		const unread = () => Promise.reject(new SecretError('AccessDeniedException'));
		const client = await clientOf(respondWith(200, null), 2000, { value: unread, refresh: unread });
		await expect(client.getUser(1)).rejects.toMatchObject({ code: 'dependency_failed', payload: { isDown: true } });
	});

	test.each<[string, RequestListener]>([
		['no response', () => undefined],
		['a body that never ends', (_, response) => void response.writeHead(200).write('{')],
	])('fails with dependency_slow on %s', async (_, listener) => {
		const client = await clientOf(listener, 100);
		await expect(client.getUser(1)).rejects.toMatchObject({
			code: 'dependency_slow',
			payload: { dependency: 'identityProvider' },
		});
	});

	describe('after a change of the token', () => {
		const accepted = 'idp-token-2';
		const user = { email: 'a@b.example', token_apps: 'x' };
		let stored: StoredSecret;
		let sent: string[];
		afterEach(() => stored.close());

		/** Starts a provider that accepted only `accepted`, and a client that has read the token before it. */
		const openAfterRotation = async (refusal: number, timeoutMs?: number) => {
			stored = await openStoredSecret('idp-token-1');
			await stored.secret.value();
			sent = [];
			const listener: RequestListener = (request, response) => {
				const token = String(request.headers.authorization);
				sent.push(token);
				respondWith(token === `Bearer ${accepted}` ? 200 : refusal, token === `Bearer ${accepted}` ? user : {})(
					request,
					response,
				);
			};
			return clientOf(listener, timeoutMs, stored.secret);
		};

		test.each([[401], [403]])('sends the new token after status %s, and only that from then on', async (refusal) => {
			const client = await openAfterRotation(refusal);
			stored.put(accepted);
			expect([await client.getUser(4), await client.getUser(4)]).toEqual([user, user]);
			expect(sent).toEqual(['Bearer idp-token-1', 'Bearer idp-token-2', 'Bearer idp-token-2']);
			expect(stored.readCount()).toBe(2);
		});

		test('reads the token once for twenty concurrent calls', async () => {
			const client = await openAfterRotation(401);
			stored.put(accepted);
			const users = await Promise.all(Array.from({ length: 20 }, () => client.getUser(4)));
			expect(users).toEqual(users.map(() => user));
			expect(sent).toHaveLength(40);
			expect(stored.readCount()).toBe(2);
		});

		test.each([[401], [403]])('sends one request when status %s comes for an unchanged token', async (refusal) => {
			const client = await openAfterRotation(refusal);
			await expect(client.getUser(4)).rejects.toMatchObject({
				code: 'dependency_failed',
				payload: { cause: `getUser: status ${refusal}` },
			});
			expect(sent).toHaveLength(1);
			await expect(client.getUser(4)).rejects.toMatchObject({ code: 'dependency_failed' });
			expect(sent).toHaveLength(2);
			expect(stored.readCount()).toBe(2);
		});

		test('sends at most two requests, when the new token is refused too', async () => {
			const client = await openAfterRotation(401);
			stored.put('idp-token-3');
			await expect(client.getUser(4)).rejects.toMatchObject({
				code: 'dependency_failed',
				payload: { cause: 'getUser: status 401' },
			});
			expect(sent).toEqual(['Bearer idp-token-1', 'Bearer idp-token-3']);
		});

		test.each([[500], [429], [404]])('does not read the token again on status %s', async (status) => {
			const client = await openAfterRotation(status);
			await client.getUser(4).catch(() => undefined);
			expect(stored.readCount()).toBe(1);
		});

		test('fails with dependency_failed and the reason when the token cannot be read again', async () => {
			const client = await openAfterRotation(401);
			stored.respondWith(() => awsError('AccessDeniedException'));
			await expect(client.getUser(4)).rejects.toMatchObject({
				code: 'dependency_failed',
				payload: {
					dependency: 'identityProvider',
					cause: expect.stringMatching(/^getUser: status 401; Secret .* AccessDeniedException/),
				},
			});
		});

		test('fails with dependency_slow when the token is not read within the time of the call', async () => {
			const client = await openAfterRotation(401, 200);
			stored.respondWith(() => 'silence');
			await expect(client.getUser(4)).rejects.toMatchObject({
				code: 'dependency_slow',
				payload: {
					dependency: 'identityProvider',
					cause: 'getUser: over 200 ms: status 401; the token was not read in time',
				},
			});
		});
	});
});
