import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { InfluxDB } from '@influxdata/influxdb-client';
import { staticSecret } from '#adapters/secret.ts';
import type { SampleKey, SampleReader } from '#domain/ports/sample-reader.ts';
import { parseTotalsRequest } from '#domain/totals/totals-request.ts';
import { readTotals } from '#domain/use-cases/read-totals.ts';
import { makeQuery, makeVariable } from '#test/support/builders/builders.ts';
import { createBucket, type Influxd, startInfluxd, writeLines } from '#test/support/servers/influxd.ts';
import { type InfluxTimeSeries, openInfluxAt } from '#test/support/servers/open-influx.ts';
import { alternate, type BenchRow, ratioRow, sizeOf } from './row.ts';

const bucket = 'totals';
const lines = 12;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const end = Date.UTC(2026, 0, 31);
const counterSize = 10_000;
const linesPerWrite = 10_000;
const rounds = sizeOf(5, 1);

/** Samples of a variable every so often, until the end. */
interface SampleSet {
	readonly name: string;
	readonly stepMs: number;
	readonly lengthMs: number;
}

/** Samples of a month by the minute, and of a day every 5 s. */
const sets: readonly SampleSet[] = [
	{ name: '24 h of 5 s', stepMs: sizeOf(5000, 300_000), lengthMs: dayMs },
	{ name: '30 d of 1 min', stepMs: sizeOf(60_000, 3_600_000), lengthMs: 30 * dayMs },
];

/** As many samples as one request may read, but for a few. */
export const largest: SampleSet = { name: '999,000 samples', stepMs: 1000, lengthMs: sizeOf(83_249_000, 60_000) };

/** The memory of a function, in bytes. */
const functionBytes = 512 * 1024 * 1024;
/** The share of it that one request may take. */
const maxMemoryShare = 0.8;

const topicOf = ({ stepMs }: SampleSet, line: number): string => `totals/${stepMs}/${line}`;
/** Even lines are the flow of a pump in m³/h, which switches at full steps; odd lines a counter that turns at `counterSize`. */
const isCounter = (line: number): boolean => line % 2 === 1;
const flowAt = (step: number, line: number): number => ((step + 7 * line) % 97 < 50 ? 120 + (step % 11) : 0);
const advanceOf = (line: number): number => 1 + (line % 5);

/** Returns what a line counts over the whole range, from how its samples are made. */
const truthOf = ({ stepMs, lengthMs }: SampleSet, line: number): number => {
	const steps = lengthMs / stepMs;
	if (isCounter(line)) return steps * advanceOf(line);
	let sum = 0;
	for (let step = 0; step < steps; step += 1) sum += flowAt(step, line);
	return (sum * stepMs) / hourMs;
};

const writeSet = async (influxd: Influxd, set: SampleSet): Promise<void> => {
	const { stepMs, lengthMs } = set;
	const steps = lengthMs / stepMs;
	for (let line = 0; line < lines; line += 1)
		for (let from = 0; from <= steps; from += linesPerWrite) {
			const rows = Array.from({ length: Math.min(linesPerWrite, steps + 1 - from) }, (_, index) => {
				const step = from + index;
				const value = isCounter(line) ? (step * advanceOf(line)) % counterSize : flowAt(step, line);
				return `${topicOf(set, line)} value=${value} ${BigInt(end - lengthMs + step * stepMs)}000000`;
			});
			await writeLines(influxd, bucket, rows.join('\n'));
		}
};

/** The query that a user would write for a line. */
const handwritten = (set: SampleSet, line: number): string => `from(bucket: "${bucket}")
  |> range(start: ${new Date(end - set.lengthMs).toISOString()}, stop: ${new Date(end + 1).toISOString()})
  |> filter(fn: (r) => r._measurement == "${topicOf(set, line)}" and r._field == "value")
  |> ${isCounter(line) ? 'difference(nonNegative: true) |> sum()' : 'integral(unit: 1h)'}`;

/** The largest error of some numbers against the truth, in per cent. */
const worstError = (set: SampleSet, numbers: readonly (number | null)[]): string => {
	const errors = numbers.map((number, line) => Math.abs((number ?? Number.NaN) / truthOf(set, line) - 1));
	return `${(100 * Math.max(...errors)).toFixed(3)} %`;
};

/** Counts all lines of a set, as the service does. */
export const countSet = async (set: SampleSet, samples: SampleReader): Promise<readonly (number | null)[]> => {
	const unit = { calc_period: set.stepMs / 1000, calc_unit_period: 's' } as const;
	const definitions = new Map(
		Array.from({ length: lines }, (_, line) => {
			const variable = makeVariable({ id: line + 1, varsTsdb: { Flow: makeQuery({ calc_topic: topicOf(set, line), ...unit }) } });
			return [line + 1, { variable, version: 1, deleting: false, bytes: 0 }];
		}),
	);
	const deps = {
		definitions: { get: async () => definitions },
		samples,
		alarms: { events: () => Promise.reject(new Error('Not asked.')), progress: async () => null },
	};
	const request = parseTotalsRequest(
		{
			lines: Array.from({ length: lines }, (_, line) => ({
				key: `l${line}`,
				varId: line + 1,
				...(isCounter(line) ? { function: 'increase', counter: { size: counterSize } } : { function: 'total', per: 'h' }),
			})),
			start: end - set.lengthMs,
			end,
			period: set.lengthMs > dayMs ? { count: 1, unit: 'd' } : { count: 30, unit: 'm' },
		},
		end + dayMs,
	);
	const { lines: counted } = await readTotals({ ...deps, store: { get: async () => [] } }, 's', bucket, request);
	return counted.map(({ values }) => values.total.value);
};

/** Measures the most memory that a process takes to count the largest request. */
const benchMemory = async (influxd: Influxd): Promise<BenchRow> => {
	await writeSet(influxd, largest);
	const file = fileURLToPath(new URL('./influx-totals-memory.ts', import.meta.url));
	const { url, org, token } = influxd;
	const run = promisify(execFile)(process.execPath, ['--disable-warning=DEP0169', file, JSON.stringify({ url, org, token })]);
	const bytes = Number((await run).stdout);
	return {
		name: `InfluxDB: 12 totals of ${largest.name}, memory of the process`,
		baseline: 'the memory of a function, 512 MB',
		measured: `${(bytes / 2 ** 20).toFixed(0)} MB`,
		ratio: bytes / functionBytes,
		budget: `at most ${maxMemoryShare}x`,
		met: bytes <= maxMemoryShare * functionBytes,
	};
};

const benchSet = async (influxd: Influxd, adapter: InfluxTimeSeries, set: SampleSet): Promise<readonly BenchRow[]> => {
	await writeSet(influxd, set);
	const keys = Array.from(
		{ length: lines },
		(_, line): SampleKey => ({ topic: topicOf(set, line), field: 'value', from: end - set.lengthMs, to: end }),
	);
	const ours = () => countSet(set, adapter);
	const api = new InfluxDB(influxd).getQueryApi(influxd.org);
	const theirs = async (): Promise<readonly number[]> => {
		const numbers: number[] = [];
		for (let line = 0; line < lines; line += 1) {
			const [row] = await api.collectRows<{ _value: number }>(handwritten(set, line));
			numbers.push(row?._value ?? Number.NaN);
		}
		return numbers;
	};
	const raw = await alternate(ours, () => adapter.readSamples(bucket, keys), rounds);
	const byHand = await alternate(ours, theirs, rounds);
	const error = worstError(set, await ours());
	const name = `InfluxDB: 12 totals over ${set.name}`;
	return [
		ratioRow(name, 'the same samples raw', raw, { maxRatio: 1.3 }),
		ratioRow(`${name}, worst error ${error}`, `12 queries of Flux, worst error ${worstError(set, await theirs())}`, byHand, {
			maxRatio: 5,
		}),
	];
};

/**
 * Measures totals against reading their samples raw, and against the integrals and differences of Flux. Returns no rows, with a message,
 * when this machine cannot run influxd.
 */
export const benchInfluxTotals = async (): Promise<readonly BenchRow[]> => {
	const influxd = await startInfluxd();
	if ('unavailable' in influxd) {
		console.error(`BENCHMARKS OF TOTALS ON INFLUXDB ARE SKIPPED: ${influxd.unavailable}.`);
		return [];
	}
	const adapter = openInfluxAt({ ...influxd, token: staticSecret(influxd.token), topicColumn: '_measurement', gzip: false });
	try {
		await createBucket(influxd, bucket);
		const rows: BenchRow[] = [];
		for (const set of sets) rows.push(...(await benchSet(influxd, adapter, set)));
		return [...rows, await benchMemory(influxd)];
	} finally {
		adapter.close();
		await influxd.stop();
	}
};
