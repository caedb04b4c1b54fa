import { createServer, type IncomingHttpHeaders } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Secret, staticSecret } from '#adapters/secret.ts';
import { createCanaryClient } from '#functions/canary/client.ts';
import { createHandler } from '#functions/canary/handler.ts';
import { plantA } from '#infra/local/demo/idp.ts';
import { listen } from '#infra/local/gateway/http.ts';
import type { LocalServer } from '#infra/local/server.ts';
import { readConfig, telemetrySchema } from '#shared/config.ts';
import { canaryUserAgent } from '#shared/tasks.ts';
import { emfOf, metricsOf } from '#test/support/emf.ts';
import { startLocal } from '#test/support/servers/local.ts';
import { createTelemetry } from '#wiring/telemetry.ts';

const { email, schema, database } = plantA;
let lines: string[];
let close: () => unknown;

beforeEach(() => {
	lines = [];
	close = () => undefined;
});
afterEach(() => close());

/** Runs the canary once against a service. */
const run = (url: string, token: Secret = staticSecret(plantA.tokenApps), timeoutMs = 5000) => {
	const settings = readConfig(telemetrySchema, { ENDPOINT: 'canary', ENVIRONMENT: 'dev' });
	const telemetry = createTelemetry({ sink: (line) => lines.push(line), settings });
	let time = 0;
	const clock = () => (time += 40);
	return createHandler({ ...telemetry, clock, client: createCanaryClient({ url, email, schema, database, token, timeoutMs }) })();
};

/** Starts a service that answers each path with a status and a body. */
const serve = async (answers: Readonly<Record<string, readonly [status: number, body: unknown]>>) => {
	const requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
	const server = createServer((request, response) => {
		const { url: path = '', headers } = request;
		requests.push({ path, headers });
		const [status, body] = answers[path] ?? [404, {}];
		if (status > 0) response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
	});
	const url = await listen(server, 0);
	close = () => {
		server.closeAllConnections();
		server.close();
	};
	return { url, requests };
};

/** Asserts that a run failed, and that its metrics and its error line say so. */
const expectFailure = async (running: ReturnType<typeof run>, message: string) => {
	expect(await running).toEqual({ outcome: 'failed', done: {} });
	const [error, report] = lines;
	expect(JSON.parse(error ?? '')).toMatchObject({ level: 'ERROR', error: expect.stringContaining(message) });
	expect(metricsOf(report ?? '')).toMatchObject({ CanaryFailures: { unit: 'Count', values: [1] } });
	expect(emfOf(report ?? '')).toMatchObject({ environment: 'dev', outcome: 'failed' });
};

describe('the canary, on the service of this machine', () => {
	let local: LocalServer;
	beforeEach(async () => {
		local = await startLocal({ DEMO_PLANT: 'on' });
		close = () => local.close();
	});

	test('signs in, reads every variable, and records a success and the duration', async () => {
		const { outcome, done } = await run(local.baseUrl);
		expect([outcome, Number(done['readings']) > 0]).toEqual(['ok', true]);
		expect(lines.map(metricsOf)).toEqual([
			{ CanaryFailures: { unit: 'Count', values: [0] }, CanaryLatency: { unit: 'Milliseconds', values: [40] } },
		]);
	});

	test('records a failure when its token is refused, and uses a token that was changed', async () => {
		await expectFailure(run(local.baseUrl, staticSecret('wrong')), 'loginSso answered 401');
		const changed: Secret = { value: async () => 'old', refresh: async () => plantA.tokenApps };
		expect(await run(local.baseUrl, changed)).toMatchObject({ outcome: 'ok' });
	});
});

describe('the canary records a failure', () => {
	const session = [200, { token: 't' }] as const;

	test.each([
		['sign-in fails', { '/loginSso': [502, {}] }, 'loginSso answered 502'],
		['sign-in gives no token', { '/loginSso': [200, {}] }, 'token'],
		['its token is refused', { '/loginSso': session, '/multipleDataTsdb': [401, {}] }, 'multipleDataTsdb answered 401'],
		['readings fail', { '/loginSso': session, '/multipleDataTsdb': [504, {}] }, 'multipleDataTsdb answered 504'],
		['there is no variable', { '/loginSso': session, '/multipleDataTsdb': [200, { data: [] }] }, 'read nothing'],
		[
			'no reading is good',
			{ '/loginSso': session, '/multipleDataTsdb': [200, { data: [{ quality: 'no_data' }, { quality: 'stale' }] }] },
			'read 2 variables, and none is good: no_data',
		],
		['the answer is no list of readings', { '/loginSso': session, '/multipleDataTsdb': [200, { data: {} }] }, 'data'],
	] as const)('when %s', async (_, answers, message) => {
		const { url } = await serve(answers);
		await expectFailure(run(url), message);
	});

	test('when the service does not answer in time, or at all', async () => {
		const { url } = await serve({ '/loginSso': [0, {}] });
		await expectFailure(run(url, undefined, 50), 'TimeoutError');
		lines = [];
		close();
		await expectFailure(run(url), 'fetch failed');
	});
});

test('one good reading among others is enough', async () => {
	const data = [{ quality: 'no_data' }, { quality: 'good' }];
	const { url } = await serve({ '/loginSso': [200, { token: 't' }], '/multipleDataTsdb': [200, { data }] });
	expect(await run(url)).toEqual({ outcome: 'ok', done: { readings: 2 } });
});

test('the canary’s requests have its user agent, by which they are not counted as traffic', async () => {
	const { url, requests } = await serve({
		'/loginSso': [200, { token: 't' }],
		'/multipleDataTsdb': [200, { data: [{ quality: 'good' }] }],
	});
	expect(await run(url)).toEqual({ outcome: 'ok', done: { readings: 1 } });
	expect(requests.map(({ path, headers }) => [path, headers['user-agent'], headers.authorization])).toEqual([
		['/loginSso', canaryUserAgent, undefined],
		['/multipleDataTsdb', canaryUserAgent, 'Bearer t'],
	]);
});
