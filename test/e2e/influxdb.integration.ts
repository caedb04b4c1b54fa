import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeInflux, influxd } from '#test/support/servers/influx.ts';
import { createBucket } from '#test/support/servers/influxd.ts';
import { openLocalTarget } from '#test/support/servers/local.ts';
import { boardsSuite } from './boards.ts';
import { correctionsSuite } from './corrections.ts';
import { historySuite } from './history.ts';
import { isolationSuite } from './isolation.ts';
import { panelSuite } from './panel.ts';
import { readingsSuite } from './readings.ts';
import { reportsSuite } from './reports.ts';
import { call, signIn, type Target } from './target.ts';
import { topicsSuite } from './topics.ts';
import { totalsSuite } from './totals.ts';
import { variablesSuite } from './variables.ts';

const environment = (server: Parameters<typeof influxd>[0] = 'influxd'): Readonly<Record<string, string>> => {
	const { url, token, org } = influxd(server);
	return { INFLUX_URL: url, INFLUX_TOKEN: token, INFLUX_ORG: org };
};

describeInflux('end to end with InfluxDB', () => {
	beforeAll(async () => {
		for (const server of ['influxd', 'newestInfluxd'] as const)
			for (const bucket of ['plant_a', 'plant_b']) await createBucket(influxd(server), bucket);
	});

	describe('the local service', () => {
		let target: Target;
		beforeAll(async () => {
			target = await openLocalTarget(environment());
		});
		afterAll(() => target.close());
		for (const suite of [
			variablesSuite,
			topicsSuite,
			readingsSuite,
			historySuite,
			totalsSuite,
			correctionsSuite,
			reportsSuite,
			panelSuite,
			boardsSuite,
			isolationSuite,
		])
			suite(() => target);
	});

	describe('the local service in InfluxQL', () => {
		let target: Target;
		beforeAll(async () => {
			target = await openLocalTarget({ ...environment('newestInfluxd'), INFLUX_LANGUAGE: 'influxql' });
		});
		afterAll(() => target.close());
		for (const suite of [topicsSuite, readingsSuite, historySuite, totalsSuite, reportsSuite]) suite(() => target);
	});

	test('the demo plant writes to InfluxDB, and every one of its variables is read', async () => {
		const target = await openLocalTarget({ ...environment(), DEMO_PLANT: 'on' });
		try {
			const token = await signIn(target, 'a');
			const { status, body } = await call(target, 'POST', '/multipleDataTsdb', { token, body: {} });
			expect(status).toBe(200);
			expect(body.data.length).toBeGreaterThan(5);
			// The link of the remote gauge fails for three minutes of every six.
			for (const { name, quality } of body.data)
				expect([name, name === 'Remote gauge' && quality === 'stale' ? 'good' : quality]).toEqual([name, 'good']);
		} finally {
			await target.close();
		}
	});
});
