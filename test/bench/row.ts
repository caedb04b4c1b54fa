/** One comparison of a benchmark: a ratio within one run, and the budget that the design gives it. */
export interface BenchRow {
	readonly name: string;
	readonly baseline: string;
	/** What was measured, in words. */
	readonly measured: string;
	/** Ours over the baseline's (a time or a rate, as `budget` says); null where there is no baseline. */
	readonly ratio: number | null;
	readonly budget: string;
	readonly met: boolean;
}

/** The middle value. */
export const median = (values: readonly number[]): number => {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};

/** Milliseconds that `work` takes, once for each of `runs`. */
export const timesOf = async (runs: number, work: () => Promise<unknown>): Promise<readonly number[]> => {
	const times: number[] = [];
	for (let index = 0; index < runs; index += 1) {
		const startedAt = performance.now();
		await work();
		times.push(performance.now() - startedAt);
	}
	return times;
};
