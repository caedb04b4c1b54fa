import { describe, expect, test } from 'vitest';
import { unlimited } from '#http/schema-limit.ts';
import { silentLog } from '#infra/local/console-log.ts';
import { createGateway, type GatewayDeps } from '#infra/local/gateway/gateway.ts';
import { listen } from '#infra/local/gateway/http.ts';
import { routeOf } from '#infra/local/gateway/route.ts';
import { endpoints } from '#shared/contract.ts';
import { startLocal } from '#test/support/servers/local.ts';

const paths = ['/openapi.json', '/docs', '/docs/start.js'];

describe('PUBLIC_DOCS', () => {
	test('is on by default: the API’s description and its page are there', async () => {
		const local = await startLocal();
		for (const path of paths) expect((await fetch(`${local.baseUrl}${path}`)).status, path).toBe(200);
		await local.close();
	});

	test('off: they answer as unknown routes do, and the others as before', async () => {
		const local = await startLocal({ PUBLIC_DOCS: 'off' });
		const answerTo = async (path: string) => {
			const response = await fetch(`${local.baseUrl}${path}`);
			return { status: response.status, body: await response.text(), headers: [...response.headers.keys()] };
		};
		const unknown = await answerTo('/nowhere');
		expect([unknown.status, unknown.body]).toEqual([404, '{"message":"Not Found"}']);
		for (const path of paths) expect(await answerTo(path), path).toEqual(unknown);
		expect((await answerTo('/health')).status).toBe(200);
		await local.close();
	});
});

describe('the routes of a page', () => {
	test('lead to one endpoint, with the name of the file in the second', () => {
		expect(routeOf('GET', '/docs')).toMatchObject({ endpoint: { name: 'docs' }, path: '/docs', parameters: {} });
		expect(routeOf('GET', '/docs/a%2Fb.js')).toMatchObject({
			endpoint: { name: 'docs' },
			path: '/docs/{file}',
			parameters: { file: 'a/b.js' },
		});
		for (const path of ['/docs/', '/docs/a/b', '/docsx', '/Docs']) expect(routeOf('GET', path), path).toBeNull();
		expect(routeOf('POST', '/docs')).toBeNull();
	});

	test('reach the handler as events with the key of their route', async () => {
		const keys: string[] = [];
		const handlers = Object.fromEntries(
			endpoints.map(({ name }) => [
				name,
				async ({ routeKey, pathParameters }: { routeKey: string; pathParameters?: unknown }) => {
					keys.push(`${name} ${routeKey} ${JSON.stringify(pathParameters)}`);
					return { statusCode: 200 };
				},
			]),
		) as unknown as GatewayDeps['handlers'];
		const server = createGateway(
			Promise.resolve({
				handlers,
				limit: unlimited,
				settings: new Set(['publicDocs'] as const),
				authorize: async () => ({ outcome: 'unauthorized', challenge: '' }),
				corsOrigins: [],
				allowedHosts: [],
				proxyHops: 0,
				mounts: [],
				log: silentLog,
				now: Date.now,
			}),
		);
		const baseUrl = await listen(server, 0);
		for (const path of ['/docs', '/docs/start.js']) await (await fetch(`${baseUrl}${path}`)).text();
		server.closeAllConnections();
		server.close();
		expect(keys).toEqual(['docs GET /docs undefined', 'docs GET /docs/{file} {"file":"start.js"}']);
	});
});
