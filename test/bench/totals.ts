import type { Correction } from '#domain/board/correction.ts';
import { correctedSpans } from '#domain/totals/apply-corrections.ts';
import { evaluateLines } from '#domain/totals/evaluate-lines.ts';
import { foldLongest } from '#domain/totals/fold-longest.ts';
import { foldNights } from '#domain/totals/fold-nights.ts';
import { foldSignal } from '#domain/totals/fold-signal.ts';
import { joinSources } from '#domain/totals/join-sources.ts';
import { createSignal } from '#domain/totals/signal.ts';
import type { TotalsLine } from '#domain/totals/totals-request.ts';
import { tokensOf } from '#test/support/builders/equations.ts';
import { type BenchRow, median, sizeOf } from './row.ts';

const samples = sizeOf(1_000_000, 1000);
const everyMs = 5000;
/** How long a sample holds where none follows. */
const holdMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Fewest samples that a core folds in a second of CPU time. */
const fewestPerSecond = 20_000_000;

/** Measures the fold of a signal over the days of two months. CPU time does not depend on what else the machine does. */
export async function benchTotals(): Promise<readonly BenchRow[]> {
	const times = Float64Array.from({ length: samples }, (_, index) => index * everyMs);
	const values = Float64Array.from({ length: samples }, (_, index) => (index % 97 < 50 ? 0 : 1.1 * (index % 89)));
	const days = Math.ceil((samples * everyMs) / dayMs);
	const bounds = Array.from({ length: days + 1 }, (_, day) => day * dayMs);
	const signal = createSignal(times, values, holdMs);
	const cpuMs = cpuTimesOf(() => foldSignal(createSignal(times, values, holdMs), bounds));
	const zone = { name: 'UTC', offsetAt: () => 0 };
	const hours = { between: { fromMs: 2 * hourMs, toMs: 5 * hourMs }, zone };
	const nights = { overMs: hourMs, hours, range: [0, 100] as const, calendar: { zone, dayStartMs: 0 } };
	const perSecond = (1000 * samples) / median(cpuMs);
	return [
		{
			name: `fold of ${samples.toLocaleString('en')} samples over ${days} days`,
			baseline: '–',
			measured: `${(perSecond / 1e6).toFixed(0)} million samples a second of CPU time`,
			ratio: null,
			budget: `at least ${fewestPerSecond / 1e6} million`,
			met: perSecond >= fewestPerSecond,
		},
		rowAgainstFold('least mean of an hour, of three hours a night', () => foldNights(signal, nights, bounds), median(cpuMs)),
		rowAgainstFold('longest stretch outside of limits', () => foldLongest(signal, { above: 60 }, bounds), median(cpuMs)),
		benchCorrections(),
		benchChain(),
		benchSources(),
	];
}

/** How many times as long as the fold a function may take that reads the signal beside it. */
const maxShareOfFold = 0.3;

/** Measures a function of the same signal against the fold. */
function rowAgainstFold(name: string, work: () => unknown, foldMs: number): BenchRow {
	const ours = median(cpuTimesOf(work));
	return {
		name: `${name}, of ${samples.toLocaleString('en')} samples`,
		baseline: 'the fold of the same samples',
		measured: `${ours.toFixed(1)} against ${foldMs.toFixed(1)} ms of CPU time`,
		ratio: ours / foldMs,
		budget: `at most ${maxShareOfFold}x`,
		met: ours / foldMs <= maxShareOfFold,
	};
}

/** Sources of one topic, with 20 samples each, a quarter of them, and how many times as long all of them may take. */
const sourceCounts = { quarter: sizeOf(1250, 5), all: sizeOf(5000, 20) };
const maxSourceRatio = 6;

/** Measures how the sources of one topic are joined, against a quarter of them. A sample holds while many others come, at random. */
function benchSources(): BenchRow {
	const sourcesOf = (count: number) =>
		Array.from({ length: count }, (_, source) => ({
			tags: [['host', `${source}`]] as const,
			times: Float64Array.from({ length: 20 }, (_, index) => index * holdMs + ((source * 7919) % holdMs)),
			values: new Float64Array(20).fill(source),
		}));
	const cpuOf = (count: number): number => {
		const sources = sourcesOf(count);
		return median(cpuTimesOf(() => joinSources(sources, 0, holdMs / 2), sizeOf(5, 1)));
	};
	const [theirs, ours] = [cpuOf(sourceCounts.quarter), cpuOf(sourceCounts.all)];
	return {
		name: `${sourceCounts.all.toLocaleString('en')} sources of one topic, 20 samples each`,
		baseline: `${sourceCounts.quarter.toLocaleString('en')} sources`,
		measured: `${ours.toFixed(0)} against ${theirs.toFixed(0)} ms of CPU time`,
		ratio: ours / theirs,
		budget: `at most ${maxSourceRatio}x`,
		met: ours / theirs <= maxSourceRatio,
	};
}

/** Formulas in a chain, each as long as it may be, and how many times as long as one of them they may take, each. */
const chained = sizeOf(39, 2);
const maxChainRatio = 2;

/** Measures formulas that use each other in a chain, over the days of a year, against as many that use the signal alone. */
function benchChain(): BenchRow {
	const times = Float64Array.from({ length: 366 * 24 }, (_, hour) => hour * hourMs);
	const sources = new Map([
		[
			's',
			{
				signal: createSignal(
					times,
					times.map((time) => time % 97),
					2 * hourMs,
				),
			},
		],
	]);
	const bounds = Array.from({ length: 367 }, (_, day) => day * dayMs);
	const asked = { function: 'mean', rule: { range: [0, 100] } } as const;
	const line: TotalsLine = { kind: 'signal', key: 's', varId: 1, bit: undefined, holdMs: undefined, asked };
	const linesOf = (inputOf: (index: number) => string): readonly TotalsLine[] => [
		line,
		...Array.from({ length: chained }, (_, index): TotalsLine => {
			return { kind: 'formula', key: `f${index}`, equation: tokensOf(`${inputOf(index)}${' + s'.repeat(127)}`) };
		}),
	];
	const [chain, flat] = [linesOf((index) => (index === 0 ? 's' : `f${index - 1}`)), linesOf(() => 's')];
	const ours = median(cpuTimesOf(() => evaluateLines(chain, sources, bounds), sizeOf(5, 1)));
	const theirs = median(cpuTimesOf(() => evaluateLines(flat, sources, bounds), sizeOf(5, 1)));
	return {
		name: `${chained} formulas of 255 tokens in a chain, over 366 days`,
		baseline: 'as many over the signal alone',
		measured: `${ours.toFixed(0)} against ${theirs.toFixed(0)} ms of CPU time`,
		ratio: ours / theirs,
		budget: `at most ${maxChainRatio}x`,
		met: ours / theirs <= maxChainRatio,
	};
}

/** The most corrections of a schema. Here all are of one variable and overlap. */
const corrections = sizeOf(10_000, 100);
/** How many times as long as their parsing it may take to tell which one decides. */
const maxRatio = 2;

/** Measures what it costs to tell which correction of a variable decides at each time, against JSON.parse of them. */
function benchCorrections(): BenchRow {
	const stored = Array.from({ length: corrections }, (_, index): Correction => {
		const from = index * 4000;
		return {
			id: index + 1,
			varId: 1,
			type: 'exclude',
			from,
			to: dayMs - from + 1,
			reason: 'Sensor cleaned',
			author: 'a@b.example',
			time: dayMs,
		};
	});
	const text = JSON.stringify(stored);
	const ours = median(cpuTimesOf(() => correctedSpans(stored)));
	const theirs = median(cpuTimesOf(() => JSON.parse(text)));
	return {
		name: `${corrections.toLocaleString('en')} corrections of one variable, all over each other: who decides when`,
		baseline: 'JSON.parse of the corrections',
		measured: `${ours.toFixed(1)} against ${theirs.toFixed(1)} ms of CPU time`,
		ratio: ours / theirs,
		budget: `at most ${maxRatio}x`,
		met: ours / theirs <= maxRatio,
	};
}

/** Returns the CPU milliseconds of each run, after a third as many to warm up. */
function cpuTimesOf(work: () => unknown, runs = sizeOf(30, 1)): readonly number[] {
	const warmUpRuns = Math.floor(runs / 3);
	const times = Array.from({ length: warmUpRuns + runs }, () => {
		const before = process.cpuUsage();
		work();
		const { user, system } = process.cpuUsage(before);
		return (user + system) / 1000;
	});
	return times.slice(warmUpRuns);
}
