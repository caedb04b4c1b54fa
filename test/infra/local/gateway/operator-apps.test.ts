import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '#infra/local/console-log.ts';
import { createMetricsApp, createReadyApp } from '#infra/local/gateway/operator-apps.ts';
import type { LocalServer } from '#infra/local/server.ts';
import { createServiceMetrics } from '#infra/local/wiring/service-metrics.ts';
import { call, signIn } from '#test/e2e/target.ts';
import { startLocal, writeToken } from '#test/support/servers/local.ts';

const directory = mkdtempSync(join(tmpdir(), 'caudal-metrics-'));
let local: LocalServer;
const target = () => ({ baseUrl: local.baseUrl, feed: async () => undefined, close: local.close });
beforeAll(async () => {
	local = await startLocal({ STATE_DIR: directory, METRICS_TOKEN: 'a-metrics-token' });
});
afterAll(async () => {
	await local.close();
	rmSync(directory, { recursive: true, force: true });
});

const metrics = async (authorization?: string) => {
	const response = await fetch(`${local.baseUrl}/metrics`, { headers: authorization === undefined ? {} : { authorization } });
	return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};

/** Returns the value of a metric with its labels in the text format of Prometheus. */
const valueIn = (text: string, name: string): number | undefined => {
	const line = text.split('\n').find((each) => each.startsWith(`${name} `));
	return line === undefined ? undefined : Number(line.slice(name.length + 1));
};

describe('GET /metrics', () => {
	test('counts requests, readings, samples and the state', async () => {
		const token = await signIn(target(), 'b');
		await call(target(), 'GET', '/getVarsTsdb', { token });
		await call(target(), 'POST', '/saveVariable', { token, body: {} });
		const write = (body: string) =>
			fetch(`${local.baseUrl}/api/v2/write?bucket=plant_b&precision=s`, {
				method: 'POST',
				headers: { authorization: `Token ${writeToken}` },
				body,
			});
		expect((await write('well level=4.2\nwell flow=3')).status).toBe(204);
		expect((await write('well level=4.2 1')).status).toBe(422);
		const { status, type, text } = await metrics('Bearer a-metrics-token');
		expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
		expect(valueIn(text, 'caudal_request_duration_seconds_count{route="GET /getVarsTsdb",status="200"}')).toBe(1);
		expect(valueIn(text, 'caudal_request_duration_seconds_count{route="POST /saveVariable",status="400"}')).toBe(1);
		expect(valueIn(text, 'caudal_samples_total{outcome="stored"}')).toBe(2);
		expect(valueIn(text, 'caudal_state_bytes{file="caudal.db"}')).toBeGreaterThanOrEqual(4096);
		expect(valueIn(text, 'caudal_disk_free_bytes')).toBeGreaterThan(0);
		expect(valueIn(text, 'caudal_schemas_late')).toBe(0);
		expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
	});

	test('tells the schema whose requests to a route have all failed for 5 minutes', async () => {
		let now = 0;
		const service = createServiceMetrics('memory', () => now);
		const { request } = service.measured(silentLog);
		const failed = { requestId: 'r', routeKey: 'POST /multipleDataTsdb', status: 504, outcome: 'fault', durationMs: 1 } as const;
		for (const minute of [0, 1, 4.999, 5]) {
			now = minute * 60_000;
			expect((await service.read()).text).not.toContain('caudal_schema_fails_wholly_total{');
			request({ ...failed, schema: 'plant_a' });
			request({ ...failed, schema: 'plant_b', status: 200, outcome: 'ok' });
		}
		const { text } = await service.read();
		expect(valueIn(text, 'caudal_schema_fails_wholly_total{schema="plant_a"}')).toBe(1);
		expect(text).not.toContain('{schema="plant_b"}');
	});

	test('takes the token, and is not there for anybody without one', async () => {
		for (const wrong of [undefined, 'Bearer wrong', 'a-metrics-token', 'Bearer a-metrics-token2'])
			expect((await metrics(wrong)).status).toBe(401);
		const request = {
			method: 'GET',
			path: '/metrics',
			query: new URLSearchParams(),
			headers: {},
			readBody: async () => Buffer.of(),
		};
		const statusOf = async (isPublic: boolean) =>
			(await createMetricsApp(async () => ({ text: '', type: 'text/plain' }), { isPublic, token: undefined }).respond(request))
				.status;
		expect([await statusOf(false), await statusOf(true)]).toEqual([404, 200]);
	});
});

describe('GET /ready', () => {
	test('is 200 while the state can be written, and 503 while it cannot', async () => {
		const ready = () => call(target(), 'GET', '/ready');
		expect(await ready()).toMatchObject({ status: 200, body: { status: 'ready', failed: [] } });
		for (const path of ['/ready', '/health', '/metrics'])
			expect((await call(target(), 'HEAD', path, { token: 'a-metrics-token' })).status).toBe(200);
		const other = new DatabaseSync(join(directory, 'caudal.db'), { timeout: 0 });
		other.exec('BEGIN IMMEDIATE');
		await expect.poll(ready, { timeout: 5000 }).toMatchObject({ status: 503, body: { failed: ['state'] } });
		expect((await call(target(), 'GET', '/health')).status).toBe(200);
		other.exec('ROLLBACK');
		other.close();
		await expect.poll(ready, { timeout: 5000 }).toMatchObject({ status: 200 });
	});

	test('names every check that fails, reports why, and checks once a second at most', async () => {
		let [now, runs] = [0, 0];
		const reasons: string[][] = [];
		const checks = {
			disk: async () => {
				runs += 1;
				throw new Error('It is full.');
			},
			series: async () => undefined,
		};
		const { respond } = createReadyApp(
			checks,
			(...reason) => reasons.push(reason),
			() => now,
		);
		const ask = () =>
			respond({ method: 'GET', path: '/ready', query: new URLSearchParams(), headers: {}, readBody: async () => Buffer.of() });
		for (const at of [0, 999, 1000]) {
			now = at;
			const { status, body } = await ask();
			expect([status, JSON.parse(String(body))]).toEqual([503, { status: 'not ready', failed: ['disk'] }]);
		}
		expect([runs, reasons]).toEqual([
			2,
			[
				['disk', 'It is full.'],
				['disk', 'It is full.'],
			],
		]);
	});
});
