import type { IncomingMessage, RequestListener } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { createIdpClient } from '#adapters/idp-client.ts';
import { type Secret, staticSecret } from '#adapters/secret.ts';
import { fault } from '#test/support/servers/faulty-proxy.ts';
import { listen } from '#test/support/servers/http-server.ts';
import { openStoredSecret, type StoredSecret } from '#test/support/servers/stored-secret.ts';

const cutShort: RequestListener = (_, response) => {
	response.writeHead(200, { 'content-length': '99' });
	response.write('{"em', () => response.destroy());
};

describe('the identity provider’s client', () => {
	let close: () => void = () => undefined;
	afterEach(() => close());

	const clientOf = async (listener: RequestListener, timeoutMs = 2000, token: Secret = staticSecret('idp-secret')) => {
		const server = await listen(listener);
		close = server.close;
		return createIdpClient({ url: `${server.url}/auth`, token, timeoutMs });
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
		['403', answering(403, {})],
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
		const client = createIdpClient({ url: server.url, token: staticSecret('idp-secret'), timeoutMs: 2000 });
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

	describe('whose token is changed', () => {
		const accepts = 'idp-token-2';
		const user = { email: 'a@b.example', token_apps: 'x' };
		let stored: StoredSecret;
		let shown: string[];
		afterEach(() => stored.close());

		/** A provider that refuses every token but `accepts`, and a client that has read the one before. */
		const rotated = async (refusal: number, timeoutMs?: number) => {
			stored = await openStoredSecret('idp-token-1');
			await stored.secret.value();
			shown = [];
			const listener: RequestListener = (request, response) => {
				const token = String(request.headers.authorization);
				shown.push(token);
				answering(token === `Bearer ${accepts}` ? 200 : refusal, token === `Bearer ${accepts}` ? user : {})(request, response);
			};
			return clientOf(listener, timeoutMs, stored.secret);
		};

		test.each([[401], [403]])('shows the new one after status %s, and only that from then on', async (refusal) => {
			const client = await rotated(refusal);
			stored.put(accepts);
			expect([await client.getUser(4), await client.getUser(4)]).toEqual([user, user]);
			expect(shown).toEqual(['Bearer idp-token-1', 'Bearer idp-token-2', 'Bearer idp-token-2']);
			expect(stored.readings()).toBe(2);
		});

		test('reads it once for twenty calls at once', async () => {
			const client = await rotated(401);
			stored.put(accepts);
			const users = await Promise.all(Array.from({ length: 20 }, () => client.getUser(4)));
			expect(users).toEqual(users.map(() => user));
			expect(shown).toHaveLength(40);
			expect(stored.readings()).toBe(2);
		});

		test.each([[401], [403]])('asks once where status %s comes for a token that is the same still', async (refusal) => {
			const client = await rotated(refusal);
			await expect(client.getUser(4)).rejects.toMatchObject({
				code: 'dependency_failed',
				payload: { cause: `getUser: status ${refusal}` },
			});
			expect(shown).toHaveLength(1);
			await expect(client.getUser(4)).rejects.toMatchObject({ code: 'dependency_failed' });
			expect(shown).toHaveLength(2);
			expect(stored.readings()).toBe(2);
		});

		test('asks twice at most, where the new one is refused too', async () => {
			const client = await rotated(401);
			stored.put('idp-token-3');
			await expect(client.getUser(4)).rejects.toMatchObject({
				code: 'dependency_failed',
				payload: { cause: 'getUser: status 401' },
			});
			expect(shown).toEqual(['Bearer idp-token-1', 'Bearer idp-token-3']);
		});

		test.each([[500], [429], [404]])('does not read it anew for status %s', async (status) => {
			const client = await rotated(status);
			await client.getUser(4).catch(() => undefined);
			expect(stored.readings()).toBe(1);
		});

		test('is a fault of the provider where it cannot be read anew, and says why', async () => {
			const client = await rotated(401);
			stored.meet(() => fault('AccessDeniedException'));
			await expect(client.getUser(4)).rejects.toMatchObject({
				code: 'dependency_failed',
				payload: {
					dependency: 'identityProvider',
					cause: expect.stringMatching(/^getUser: status 401; Secret .* AccessDeniedException/),
				},
			});
		});

		test('is slow where it is not read anew within the time of the call', async () => {
			const client = await rotated(401, 200);
			stored.meet(() => 'silence');
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
