import { staticSecret } from '#adapters/secret.ts';
import type { SeriesKey } from '#domain/ports/time-series.ts';
import {
	type InfluxqlAccess,
	influxd1Versions,
	runInfluxql,
	startInfluxd1,
	writeLines1,
} from '#test/support/servers/influxd1.ts';
import { openInfluxqlAt } from '#test/support/servers/open-influx.ts';
import { alternate, type BenchRow, ratioRow, sizeOf } from './row.ts';

const database = 'bench';
const series = sizeOf(40, 4);
const stepMs = sizeOf(10_000, 600_000);
const day = { ms: 86_400_000 };
const minute = { ms: 60_000 };
const now = Date.UTC(2026, 0, 15, 12);
const topics = Array.from({ length: series }, (_, index) => `plant/area/${index}`);

const newest = (topic: string): SeriesKey => ({ read: 'newest', topic, field: 'value', lookback: day });
const means = (topic: string): SeriesKey => ({
	read: 'history',
	topic,
	field: 'value',
	lookback: day,
	period: minute,
	aggregate: 'mean',
});

/** Writes a day of every topic, one sample every 10 s. */
async function writeSamples(access: InfluxqlAccess): Promise<void> {
	await runInfluxql(access, `CREATE DATABASE ${database}`);
	for (const [index, topic] of topics.entries()) {
		const lines = Array.from(
			{ length: day.ms / stepMs },
			(_, step) => `${topic} value=${((step * 37 + index) % 1000) / 7} ${BigInt(now - (step + 1) * stepMs) * 1_000_000n}`,
		);
		await writeLines1(access, database, lines.join('\n'));
	}
}

/** Sends statements that somebody would write for the same rows, of which the newest values are of any type, too, and parses the JSON. */
async function handwritten({ url, user, password }: InfluxqlAccess, statements: readonly string[]): Promise<unknown> {
	const response = await fetch(`${url}/query`, {
		method: 'POST',
		headers: { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`, 'accept-encoding': 'identity' },
		body: new URLSearchParams({ db: database, epoch: 'ms', q: statements.join(';') }),
	});
	return response.json();
}

const source = `FROM ${topics.map((topic) => `"${topic}"`).join()} WHERE time >= ${now - day.ms}ms AND time < ${now}ms GROUP BY`;
const newestStatements = ['float', 'boolean', 'string'].map((type) => `SELECT last("value"::${type}) ${source} *`);
const meanStatements = [`SELECT mean("value"::float) ${source} time(1m), * fill(none)`];

/** Measures reads by InfluxQL on InfluxDB 1. Returns no rows, with a message, when this machine cannot run it. */
export const benchInfluxql = async (): Promise<readonly BenchRow[]> => {
	const influxd = await startInfluxd1(influxd1Versions[0]);
	if ('unavailable' in influxd) {
		console.error(`BENCHMARKS ON INFLUXDB 1 ARE SKIPPED: ${influxd.unavailable}.`);
		return [];
	}
	const { url, user, password } = influxd;
	const adapter = openInfluxqlAt({ url, user, token: staticSecret(password), topicColumn: '_measurement', gzip: false });
	const against = (keys: readonly SeriesKey[], statements: readonly string[]) =>
		alternate(
			() => adapter.read(database, keys, now),
			() => handwritten(influxd, statements),
		);
	try {
		await writeSamples(influxd);
		const baseline = 'handwritten statements, JSON';
		return [
			ratioRow(`InfluxQL: ${series} newest values`, baseline, await against(topics.map(newest), newestStatements), {
				maxRatio: 1.25,
			}),
			ratioRow(`InfluxQL: ${series} x 1440 means`, baseline, await against(topics.map(means), meanStatements), {
				maxRatio: 1.15,
			}),
		];
	} finally {
		adapter.close();
		await influxd.stop();
	}
};
