import { foldSignal } from '#domain/totals/fold-signal.ts';
import { createSignal } from '#domain/totals/signal.ts';
import { type BenchRow, median } from './row.ts';

const samples = 1_000_000;
const everyMs = 5000;
const dayMs = 86_400_000;

/** Fewest samples that a core folds in a second of CPU time. */
const fewestPerSecond = 20_000_000;

/** Measures the fold of a signal over the days of two months. CPU time does not depend on what else the machine does. */
export async function benchTotals(): Promise<readonly BenchRow[]> {
	const times = Float64Array.from({ length: samples }, (_, index) => index * everyMs);
	const values = Float64Array.from({ length: samples }, (_, index) => (index % 97 < 50 ? 0 : 1.1 * (index % 89)));
	const days = Math.ceil((samples * everyMs) / dayMs);
	const bounds = Array.from({ length: days + 1 }, (_, day) => day * dayMs);
	const cpuMs = cpuTimesOf(() => foldSignal(createSignal(times, values, 60_000), bounds, undefined));
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
	];
}

/** Returns the CPU milliseconds of each run, after some to warm up. */
function cpuTimesOf(work: () => unknown): readonly number[] {
	const runs = Array.from({ length: 40 }, () => {
		const before = process.cpuUsage();
		work();
		const { user, system } = process.cpuUsage(before);
		return (user + system) / 1000;
	});
	return runs.slice(10);
}
