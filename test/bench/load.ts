import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { readConfig, wholeNumber } from '#shared/config.ts';
import { call, callUnchecked, signIn, type Target } from '#test/e2e/target.ts';
import { makeBody, makeQuery } from '#test/support/builders/builders.ts';
import { runProgram, waitForOutput } from '#test/support/process.ts';
import { type BenchRow, median, sizeOf } from './row.ts';

/** How long the load lasts, and how many hours of samples are written before. */
const optionsSchema = v.object({
	LOAD_SECONDS: v.optional(wholeNumber(1, 86_400), String(sizeOf(60, 1))),
	LOAD_HOURS: v.optional(wholeNumber(1, 8784), '1'),
});

const series = sizeOf(1000, 20);
const writeEveryMs = 10_000;
const dashboards = sizeOf(200, 4);
const variablesOfDashboard = sizeOf(40, 2);
const pollEveryMs = sizeOf(30_000, 500);
const idleReads = sizeOf(50, 2);
/** Times of all series in one request of the samples before the load: as a source that caught up sends them. */
const timesPerRequest = 20;
const secondsPerYear = 31_536_000;

const token = 'token-of-the-benchmark';

/** What a service has used so far. */
interface Usage {
	readonly cpuSeconds: number;
	readonly memoryBytes: number;
}

/**
 * Measures a service on this machine while dashboards poll and sources write: how long polls take, the CPU and memory of the process, and
 * bytes of a sample on the disk. `LOAD_SECONDS=600 LOAD_HOURS=24 npm run bench -- load` takes longer and has more samples.
 */
export async function benchLoad(): Promise<readonly BenchRow[]> {
	const { LOAD_SECONDS, LOAD_HOURS } = readConfig(optionsSchema);
	const directory = mkdtempSync(join(tmpdir(), 'caudal-bench-'));
	const demo = { DEMO_PLANT: 'off', WRITE_TOKEN: token, PUBLIC_METRICS: 'on', RETENTION_DAYS: '36600' };
	const program = runProgram('infra/local/start.ts', [], { PORT: '0', STATE_DIR: directory, ...demo });
	try {
		const [, baseUrl = ''] = await waitForOutput(program, /running on (http:\S+)[\s\S]*Stop with/);
		const target: Target = { baseUrl, feed: async () => undefined, close: async () => undefined };
		const samples = await fill(baseUrl, LOAD_HOURS * 3_600_000);
		const bytesPerSample = sizeOfSeries(directory) / samples;
		const poll = await pollerOf(target);
		const idle = await idleOf(baseUrl, poll);
		const load = await loadOf(baseUrl, poll, LOAD_SECONDS * 1000);
		return rowsOf({ idle, load, bytesPerSample, samples });
	} finally {
		program.child.kill('SIGTERM');
		await program.ended;
		rmSync(directory, { recursive: true, force: true });
	}
}

/** Writes lines to the service. @throws Error when it does not store them all */
async function write(baseUrl: string, lines: readonly string[]): Promise<void> {
	const options = { method: 'POST', headers: { authorization: `Token ${token}` }, body: lines.join('\n') };
	const response = await fetch(`${baseUrl}/api/v2/write?bucket=plant_a&precision=ms`, options);
	if (response.status !== 204) throw new Error(`A write answered ${response.status}: ${await response.text()}`);
}

/** The lines of all series at one time. */
const linesAt = (timeMs: number): readonly string[] =>
	Array.from(
		{ length: series },
		(_, index) => `load/${index} value=${(Math.sin(timeMs / 60_000 + index) * 50 + 50).toFixed(2)} ${timeMs}`,
	);

/** Writes all series up to now. Returns the number of samples. */
async function fill(baseUrl: string, spanMs: number): Promise<number> {
	const stop = Date.now();
	let samples = 0;
	for (let from = stop - spanMs; from < stop; from += timesPerRequest * writeEveryMs) {
		const times = Array.from({ length: timesPerRequest }, (_, index) => from + index * writeEveryMs).filter(
			(time) => time < stop,
		);
		const lines = times.flatMap(linesAt);
		await write(baseUrl, lines);
		samples += lines.length;
	}
	return samples;
}

const sizeOfSeries = (directory: string): number =>
	['series.db', 'series.db-wal'].reduce(
		(sum, name) => sum + (statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0),
		0,
	);

/** Saves variables over the series, and returns what one poll of a dashboard does: it resolves to milliseconds. */
async function pollerOf(target: Target): Promise<() => Promise<number>> {
	const bearer = await signIn(target, 'a');
	const ids: number[] = [];
	for (let index = 0; index < variablesOfDashboard; index += 1) {
		const body = makeBody({ varsTsdb: { Flow: makeQuery({ calc_topic: `load/${index}` }) } });
		ids.push((await call(target, 'POST', '/saveVariable', { token: bearer, body })).body.data.id);
	}
	return async () => {
		const startedAt = performance.now();
		const { status, body } = await callUnchecked(target, 'POST', '/multipleDataTsdb', { token: bearer, body: { ids } });
		if (status !== 200 || body.data.length !== ids.length) throw new Error(`A poll answered ${status}.`);
		return performance.now() - startedAt;
	};
}

async function usageOf(baseUrl: string): Promise<Usage> {
	const text = await (await fetch(`${baseUrl}/metrics`)).text();
	const numberOf = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
	return { cpuSeconds: numberOf('process_cpu_seconds_total'), memoryBytes: numberOf('process_resident_memory_bytes') };
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Measures polls of one dashboard, one after the other. The first ones, which compile, do not count. */
async function idleOf(baseUrl: string, poll: () => Promise<number>) {
	for (let index = 0; index < idleReads; index += 1) await poll();
	const times: number[] = [];
	for (let index = 0; index < idleReads; index += 1) times.push(await poll());
	const before = await usageOf(baseUrl);
	const startedAt = performance.now();
	await sleep(sizeOf(10_000, 100));
	const { cpuSeconds } = await usageOf(baseUrl);
	return { pollMs: median(times), cpuShare: ((cpuSeconds - before.cpuSeconds) * 1000) / (performance.now() - startedAt) };
}

/** Polls and writes for a time. Dashboards begin one after the other, as people open them. */
async function loadOf(baseUrl: string, poll: () => Promise<number>, durationMs: number) {
	const startedAt = performance.now();
	const leftMs = () => durationMs - (performance.now() - startedAt);
	const pollMs: number[] = [];
	const writeMs: number[] = [];
	const memories: number[] = [];
	const before = await usageOf(baseUrl);
	const dashboard = async (index: number) => {
		await sleep((index * pollEveryMs) / dashboards);
		while (leftMs() > 0) {
			const ms = await poll();
			pollMs.push(ms);
			await sleep(Math.max(0, pollEveryMs - ms));
		}
	};
	const source = async () => {
		while (leftMs() > 0) {
			const writtenAt = performance.now();
			await write(baseUrl, linesAt(Date.now()));
			writeMs.push(performance.now() - writtenAt);
			memories.push((await usageOf(baseUrl)).memoryBytes);
			await sleep(Math.max(0, Math.min(writeEveryMs, leftMs())));
		}
	};
	await Promise.all([source(), ...Array.from({ length: dashboards }, (_, index) => dashboard(index))]);
	const { cpuSeconds } = await usageOf(baseUrl);
	const cpuShare = ((cpuSeconds - before.cpuSeconds) * 1000) / (performance.now() - startedAt);
	const half = memories.slice(Math.floor(memories.length / 2));
	return { pollMs, writeMs, cpuShare, memories: [memories[Math.floor(memories.length / 4)] ?? 0, half.at(-1) ?? 0] as const };
}

function rowsOf({
	idle,
	load,
	bytesPerSample,
	samples,
}: {
	readonly idle: Awaited<ReturnType<typeof idleOf>>;
	readonly load: Awaited<ReturnType<typeof loadOf>>;
	readonly bytesPerSample: number;
	readonly samples: number;
}): readonly BenchRow[] {
	const sorted = load.pollMs.toSorted((a, b) => a - b);
	const p99 = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? Number.NaN;
	const [early, late] = load.memories;
	const yearGb = (bytesPerSample * 1000 * (secondsPerYear / 10)) / 1e9;
	const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
	return [
		{
			name: `p99 of ${sorted.length} polls of ${dashboards} dashboards while ${series} series are written`,
			baseline: 'the median of one dashboard alone',
			measured: `${p99.toFixed(1)} ms against ${idle.pollMs.toFixed(1)} ms; writes ${median(load.writeMs).toFixed(0)} ms`,
			ratio: p99 / idle.pollMs,
			budget: 'at most 10x',
			met: p99 <= 10 * idle.pollMs,
		},
		{
			name: 'share of a core under that load',
			baseline: 'none',
			measured: `${(load.cpuShare * 100).toFixed(1)} %, idle ${(idle.cpuShare * 100).toFixed(1)} %`,
			ratio: null,
			budget: 'at most 25 %',
			met: load.cpuShare <= 0.25,
		},
		{
			name: 'memory at the end of that load',
			baseline: 'after a quarter',
			measured: `${megabytes(late)} against ${megabytes(early)}`,
			ratio: late / early,
			budget: 'at most 1.3x',
			met: late <= 1.3 * early,
		},
		{
			name: `bytes on the disk of each of ${samples} samples`,
			baseline: 'none',
			measured: `${bytesPerSample.toFixed(1)}; 1,000 series every 10 s for a year: ${yearGb.toFixed(0)} GB`,
			ratio: null,
			budget: 'at most 60',
			met: bytesPerSample <= 60 || samples < 100_000,
		},
	];
}
