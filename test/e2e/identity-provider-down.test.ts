import type { RequestListener } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Log } from '#http/log.ts';
import { silentLog } from '#infra/local/console-log.ts';
import { demoTenants } from '#infra/local/demo/idp.ts';
import { seedUsers } from '#infra/local/demo/seed.ts';
import type { LocalServer } from '#infra/local/server.ts';
import { listen } from '#test/support/servers/http-server.ts';
import { startLocal } from '#test/support/servers/local.ts';
import { call, tenants } from './target.ts';

const minuteMs = 60_000;
const [user] = demoTenants;
if (user === undefined) throw new Error('The demo has no tenant.');

/** What the provider says of the user of the first demo tenant, by operation. */
const answers: Readonly<Record<string, unknown>> = {
	getUser: { email: user.email, token_apps: user.tokenApps },
	getSchemaProduct: [{ schema_name: user.schema, tsdb_name: user.database, product_id: 1, client_id: 1 }],
	listProductxUserxClient: [{ id_product: 1 }],
};
const operationOf = (url = ''): string => new URL(url, 'http://provider').pathname.slice(1);
const json =
	(answerOf: (operation: string) => unknown): RequestListener =>
	({ url }, response) =>
		void response.setHeader('content-type', 'application/json').end(JSON.stringify(answerOf(operationOf(url)) ?? null));
const well = json((operation) => answers[operation]);

let provider: Awaited<ReturnType<typeof listen>>;
let local: LocalServer;
let answer: RequestListener;
let requests: number;
let now: number;
let errors: Readonly<Record<string, unknown>>[];

beforeEach(async () => {
	answer = well;
	requests = 0;
	errors = [];
	now = Date.now();
	provider = await listen((request, response) => {
		requests += 1;
		answer(request, response);
	});
	const log: Log = { ...silentLog, error: (message, fields) => errors.push({ message, ...fields }) };
	local = await startLocal({ AUTH_URL: provider.url, IDP_TIMEOUT_MS: '300' }, () => now, log);
	await seedUsers(local.service);
});
afterEach(async () => {
	await local.close();
	provider.close();
});

const post = (path: string, token?: string, body: unknown = {}) =>
	call({ ...local, feed: async () => undefined }, 'POST', path, { token, body });
const signIn = () => post('/loginSso', undefined, tenants.a);
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

test.each<[string, RequestListener, number]>([
	['503', (_, response) => void response.writeHead(503).end(), 502],
	['a page of its proxy', (_, response) => void response.end('<html>'), 502],
	['a broken connection', (_, response) => void response.destroy(), 502],
	['nothing', () => undefined, 504],
])('while the identity provider answers %s sessions are renewed, and nobody signs in', async (_, outage, status) => {
	const { token, user: before } = (await signIn()).body;
	answer = outage;
	now += 30 * minuteMs;
	const renewals = await Promise.all(Array.from({ length: 5 }, () => post('/renewToken', token)));
	expect(renewals.map(({ status: each, body }) => [each, body.user])).toEqual(Array(5).fill([200, before]));
	expect(claimsOf(renewals[0]?.body.token)).toMatchObject({ session_exp: claimsOf(token).session_exp, schema: 'plant_a' });
	expect(errors[0]).toEqual({
		message: 'A provider is down: what it said last holds until the session ends.',
		error: expect.stringMatching(/^DomainError: dependency_(failed|slow).*(getUser|getSchemaProduct|listProductx)/),
	});
	// The next renewal does not ask it.
	requests = 0;
	expect((await post('/renewToken', token)).status).toBe(200);
	expect(requests).toBe(0);
	expect((await signIn()).status).toBe(status);
	now += 10_000;
	answer = well;
	// The answers to two calls close the circuits of the user and of the client.
	expect((await post('/renewToken', token)).status).toBe(200);
	answer = json((operation) => (operation === 'listProductxUserxClient' ? [] : answers[operation]));
	expect((await post('/renewToken', token)).body.request.code).toBe('renewal_refused');
});

test('a session lasts as long as it would have, and no longer', async () => {
	let { token } = (await signIn()).body;
	const ends = claimsOf(token).session_exp;
	provider.close();
	for (let each = 0; each < 23; each += 1) {
		now += 30 * minuteMs;
		token = (await post('/renewToken', token)).body.token;
	}
	expect(claimsOf(token)).toMatchObject({ exp: ends, session_exp: ends });
	now += 30 * minuteMs;
	expect((await post('/renewToken', token)).status).toBe(401);
});

test('a user who was removed here, and a provider that says no with one of its three answers, are refused', async () => {
	const { token } = (await signIn()).body;
	answer = (request, response) => {
		if (operationOf(request.url) === 'getUser') json(() => null)(request, response);
		else response.writeHead(503).end();
	};
	expect((await post('/renewToken', token)).body.request.code).toBe('renewal_refused');
	answer = (_, response) => void response.writeHead(503).end();
	expect((await post('/renewToken', token)).status).toBe(200);
	await local.service.users.remove(user.email);
	expect((await post('/renewToken', token)).body.request.code).toBe('renewal_refused');
});

test('a provider that refuses the service’s own token is not down: the held token stays as it is', async () => {
	const { token } = (await signIn()).body;
	answer = (_, response) => void response.writeHead(401).end();
	expect((await post('/renewToken', token)).status).toBe(502);
	expect((await post('/saveChart', token, { id: 0, title: 'c', series: [] })).status).toBe(200);
});
