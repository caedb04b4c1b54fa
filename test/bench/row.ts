import * as v from 'valibot';
import { readConfig } from '#shared/config.ts';

const { BENCH } = readConfig(v.object({ BENCH: v.optional(v.picklist(['whole', 'short']), 'whole') }));

/** The result of one benchmark: a comparison within one run, and its budget (test/bench/README.md#budgets). */
export interface BenchRow {
	readonly name: string;
	readonly baseline: string;
	/** The measurements as text. */
	readonly measured: string;
	/** Our time or rate divided by the baseline's; null without a baseline. */
	readonly ratio: number | null;
	readonly budget: string;
	readonly met: boolean;
}

/** Returns a size or a number of rounds: the second one where BENCH is `short` (test/bench/README.md#the-short-form). */
export function sizeOf(whole: number, short: number): number {
	return BENCH === 'short' ? short : whole;
}

/** Returns the median of some numbers, NaN when there are none. */
export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Runs `work` once. Resolves to the milliseconds that it took. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
	const startedAt = performance.now();
	await work();
	return performance.now() - startedAt;
}

/** Returns the median times in milliseconds of two functions that run alternately, after a third as many rounds to warm up. */
export async function alternate(
	ours: () => Promise<unknown>,
	theirs: () => Promise<unknown>,
	rounds = sizeOf(30, 1),
): Promise<readonly [number, number]> {
	const [ourTimes, theirTimes]: [number[], number[]] = [[], []];
	const warmUpRounds = Math.floor(rounds / 3);
	for (let round = -warmUpRounds; round < rounds; round += 1) {
		const [ourMs, theirMs] = [await timeOf(ours), await timeOf(theirs)];
		if (round < 0) continue;
		ourTimes.push(ourMs);
		theirTimes.push(theirMs);
	}
	return [median(ourTimes), median(theirTimes)];
}

/** Builds the row of two times in milliseconds, ours and the baseline's, whose ratio has a budget. */
export function ratioRow(
	name: string,
	baseline: string,
	[ours, theirs]: readonly [number, number],
	{ maxRatio }: { readonly maxRatio: number },
): BenchRow {
	return {
		name,
		baseline,
		measured: `${ours.toFixed(1)} ms against ${theirs.toFixed(1)} ms`,
		ratio: ours / theirs,
		budget: `at most ${maxRatio}x`,
		met: ours / theirs <= maxRatio,
	};
}
