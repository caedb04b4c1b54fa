import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { call, type HttpResponse, signIn, type Target } from '#test/e2e/target.ts';
import { makeBody, makeQuery } from '#test/support/builders/builders.ts';
import { listen } from '#test/support/servers/http-server.ts';
import { openLocalTarget } from '#test/support/servers/local.ts';

/** An InfluxDB 3 without samples, and the requests of the database of plant_a that it does not answer while `hangs`. */
let influx: Awaited<ReturnType<typeof listen>>;
let hangs: boolean;
let unanswered: ServerResponse[];
/** Number of requests of the database of plant_a so far. */
let asked: number;
let target: Target;
let tokens: Record<'a' | 'b', string>;

beforeEach(async () => {
	[hangs, unanswered, asked] = [false, [], 0];
	influx = await listen(async (request, response) => {
		if (request.url === '/ping') {
			response.writeHead(204, { 'x-influxdb-version': '3.6.0' }).end();
			return;
		}
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk);
		const isOfA = `${request.url} ${Buffer.concat(chunks)}`.includes('plant_a');
		if (isOfA) asked += 1;
		if (isOfA && hangs) unanswered.push(response);
		else answer(response);
	});
});
afterEach(async () => {
	await target.close();
	influx.close();
});

const answer = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'application/json' }).end('[]');

/** Starts the service with a variable for each tenant, which each has read once. */
const start = async (settings: Readonly<Record<string, string>>): Promise<void> => {
	const access = { INFLUX_URL: influx.url, INFLUX_TOKEN: 'token', INFLUX_LANGUAGE: 'influxql', READINGS_SHARED_MS: '0' };
	target = await openLocalTarget({ ...access, ...settings });
	tokens = { a: await signIn(target, 'a'), b: await signIn(target, 'b') };
	for (const tenant of ['a', 'b'] as const) {
		const body = makeBody({ varsTsdb: { Flow: makeQuery() } });
		expect((await call(target, 'POST', '/saveVariable', { token: tokens[tenant], body })).status).toBe(200);
		expect((await poll(tenant)).body.data).toMatchObject([{ quality: 'no_data' }]);
	}
	asked = 0;
};

const poll = (tenant: 'a' | 'b') => call(target, 'POST', '/multipleDataTsdb', { token: tokens[tenant], body: {} });

/** Polls of plant_b, one after the other, while plant_a hangs. Each must be answered. */
const expectNeighbourIsServed = async (): Promise<void> => {
	for (let count = 0; count < 20; count += 1) expect((await poll('b')).body.data).toMatchObject([{ quality: 'no_data' }]);
};

test('a tenant whose database hangs has at most REQUESTS_PER_SCHEMA requests under way, and its neighbour is served', async () => {
	await start({ REQUESTS_PER_SCHEMA: '4', INFLUX_TIMEOUT_MS: '25000' });
	hangs = true;
	const ended: HttpResponse[] = [];
	const polls = Array.from({ length: 10 }, async () => ended.push(await poll('a')));
	await expect.poll(() => ended.length).toBe(6);
	for (const { status, headers, body } of ended) {
		expect([status, headers.get('retry-after')]).toEqual([503, '1']);
		expect(body.request).toMatchObject({ code: 'schema_busy', params: { setting: 'REQUESTS_PER_SCHEMA', limit: 4 } });
	}
	// Whatever endpoint the tenant asks.
	expect((await call(target, 'GET', '/getVarsTsdb', { token: tokens.a })).status).toBe(503);
	await expectNeighbourIsServed();
	expect(ended).toHaveLength(6);
	hangs = false;
	for (const response of unanswered) answer(response);
	await Promise.all(polls);
	expect(ended.slice(6).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
	expect((await poll('a')).status).toBe(200);
});

test('a database that hangs is not asked after three polls without an answer, and its neighbour is served', async () => {
	await start({ INFLUX_TIMEOUT_MS: '2000' });
	hangs = true;
	const first = await Promise.all([poll('a'), poll('a'), poll('a')]);
	expect(first.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
		[504, null],
		[504, null],
		[504, null],
	]);
	asked = 0;
	const later = await Promise.all([poll('a'), poll('a'), poll('a'), poll('a')]);
	for (const { status, headers, body } of later) {
		expect([status, headers.get('retry-after')]).toEqual([504, '2']);
		expect(body.tsdb.code).toBe('dependency_slow');
	}
	expect(asked).toBe(0);
	await expectNeighbourIsServed();
	hangs = false;
	// The probe after 2 s is answered, and closes the circuit.
	while ((await poll('a')).status !== 200) await pause(100);
	for (const { status } of await Promise.all([poll('a'), poll('a'), poll('a')])) expect(status).toBe(200);
});
