import { call, callUnchecked, signIn } from '#test/e2e/target.ts';
import { makeBody, makeQuery } from '#test/support/builders/builders.ts';
import { openInfluxProxy } from '#test/support/servers/influx-proxy.ts';
import { createBucket, startInfluxd } from '#test/support/servers/influxd.ts';
import { openLocalTarget } from '#test/support/servers/local.ts';
import { type BenchRow, sizeOf } from './row.ts';

const clients = sizeOf(50, 2);
const readsPerClient = sizeOf(5, 2);
const variables = sizeOf(40, 2);
/** Most requests to InfluxDB for all reads of one second. */
const mostRequests = 2;

/** Counts the requests to InfluxDB of 50 clients that each read the same 40 newest values 5 times within a second. */
export async function benchSharedReads(): Promise<readonly BenchRow[]> {
	const influxd = await startInfluxd();
	if ('unavailable' in influxd) {
		console.error(`BENCHMARK OF SHARED READS IS SKIPPED: ${influxd.unavailable}.`);
		return [];
	}
	try {
		await createBucket(influxd, 'plant_a');
		const proxy = await openInfluxProxy(influxd.url);
		try {
			const settings = { INFLUX_URL: proxy.url, INFLUX_TOKEN: influxd.token, INFLUX_ORG: influxd.org };
			const shared = await readEqually(settings, proxy.newRequests);
			const single = await readEqually({ ...settings, READINGS_SHARED_MS: '0' }, proxy.newRequests);
			return [
				{
					name: `InfluxDB requests of ${clients} x ${readsPerClient} equal reads in 1 s, shared`,
					baseline: 'not shared',
					measured: `${shared.requests} against ${single.requests}; ${shared.ms.toFixed(0)} ms against ${single.ms.toFixed(0)} ms`,
					ratio: shared.requests / single.requests,
					budget: `at most ${mostRequests} requests`,
					met: shared.requests <= mostRequests,
				},
			];
		} finally {
			proxy.close();
		}
	} finally {
		await influxd.stop();
	}
}

/** Reads over HTTP. The clock of the service stands at 5 moments of one second, so that the count does not depend on the machine. */
async function readEqually(settings: Readonly<Record<string, string>>, newRequests: () => number) {
	let now = Date.now();
	const target = await openLocalTarget(settings, () => now);
	try {
		const token = await signIn(target, 'a');
		const ids: number[] = [];
		for (let index = 0; index < variables; index += 1) {
			const calc_topic = `bench/${index}`;
			await target.feed('plant_a', `${calc_topic} value=${index} ${now - 1000}`);
			const body = makeBody({ varsTsdb: { Flow: makeQuery({ calc_topic }) } });
			ids.push((await call(target, 'POST', '/saveVariable', { token, body })).body.data.id);
		}
		newRequests();
		const startedAt = performance.now();
		for (let round = 0; round < readsPerClient; round += 1) {
			const reads = Array.from({ length: clients }, () =>
				callUnchecked(target, 'POST', '/multipleDataTsdb', { token, body: { ids } }),
			);
			for (const { status, body } of await Promise.all(reads))
				if (status !== 200 || body.data.length !== variables) throw new Error(`A read answered ${status}.`);
			now += 1000 / readsPerClient;
		}
		return { requests: newRequests(), ms: performance.now() - startedAt };
	} finally {
		await target.close();
	}
}
