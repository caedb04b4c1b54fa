import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import { plantA } from '#infra/local/demo/idp.ts';
import { seedPlant } from '#infra/local/demo/seed.ts';
import { listen } from '#test/support/servers/http-server.ts';
import { startLocal } from '#test/support/servers/local.ts';
import { type BenchRow, sizeOf } from './row.ts';

const dashboards = sizeOf(50, 2);
/** Longer than one read may take (8 s), so that polls also end and begin again. */
const measuredMs = sizeOf(10_000, 100);
const signInEveryMs = 50;
const promptMs = 1000;
const credentials = {
	email: plantA.email,
	tokenApp: plantA.tokenApps,
	schemaName: plantA.schema,
	tsdb_name: plantA.database,
};
const tokenSchema = v.object({ token: v.string() });

/**
 * Measures sign-ins while InfluxDB takes queries and never answers, and 50 dashboards poll all the time. One process serves all of
 * them, and sends their requests. The polls share no read, so that each waits for InfluxDB.
 */
export async function benchBrownOut(): Promise<readonly BenchRow[]> {
	const influx = await listen(() => undefined);
	const local = await startLocal({ INFLUX_URL: influx.url, INFLUX_TOKEN: 'bench', INFLUX_ORG: 'bench', READINGS_SHARED_MS: '0' });
	const post = (path: string, body: object, token = ''): Promise<Response> =>
		fetch(local.baseUrl + path, {
			method: 'POST',
			headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
			body: JSON.stringify(body),
		});
	const signIn = async (): Promise<string> => {
		const response = await post('/loginSso', credentials);
		return v.parse(tokenSchema, await response.json()).token;
	};
	try {
		await seedPlant(local.service, Date.now());
		const token = await signIn();
		const end = performance.now() + measuredMs;
		const polls: number[] = [];
		const poll = async (): Promise<void> => {
			while (performance.now() < end) polls.push((await post('/multipleDataTsdb', {}, token)).status);
		};
		const polling = Promise.all(Array.from({ length: dashboards }, poll));
		const signIns: Promise<number>[] = [];
		while (performance.now() < end) {
			const startedAt = performance.now();
			signIns.push(
				signIn().then(
					() => performance.now() - startedAt,
					() => Number.POSITIVE_INFINITY,
				),
			);
			await pause(signInEveryMs);
		}
		const times = await Promise.all(signIns);
		await polling;
		if (polls.length < dashboards || polls.includes(200)) throw new Error(`Polls did not hang: ${polls.length} were answered.`);
		const share = times.filter((ms) => ms <= promptMs).length / times.length;
		return [
			{
				name: `brown-out: sign-ins beside ${dashboards} polling dashboards`,
				baseline: 'InfluxDB never answers',
				measured: `${times.length} sign-ins, slowest ${Math.round(Math.max(...times))} ms; ${polls.length} polls failed`,
				ratio: share,
				budget: '100 % within 1 s',
				met: share === 1,
			},
		];
	} finally {
		influx.close();
		await local.close();
	}
}
