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

/** Returns the median of some numbers, NaN when there are none. */
export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Runs `work` several times. Resolves to the milliseconds that each run took. */
export async function timesOf(runs: number, work: () => Promise<unknown>): Promise<readonly number[]> {
	const times: number[] = [];
	for (let index = 0; index < runs; index += 1) {
		const startedAt = performance.now();
		await work();
		times.push(performance.now() - startedAt);
	}
	return times;
}

/** Returns the median times in milliseconds of two functions that run alternately, after a third as many rounds to warm up. */
export async function alternate(
	ours: () => Promise<unknown>,
	theirs: () => Promise<unknown>,
	rounds = 60,
): Promise<readonly [number, number]> {
	const [a, b]: [number[], number[]] = [[], []];
	for (let round = -Math.ceil(rounds / 3); round < rounds; round += 1) {
		const [first, second] = [await timesOf(1, ours), await timesOf(1, theirs)];
		if (round < 0) continue;
		a.push(...first);
		b.push(...second);
	}
	return [median(a), median(b)];
}

/** Builds the row of two times in milliseconds, whose ratio has a budget. */
export function ratioRow(name: string, baseline: string, [ours, theirs]: readonly [number, number], most: number): BenchRow {
	return {
		name,
		baseline,
		measured: `${ours.toFixed(1)} ms against ${theirs.toFixed(1)} ms`,
		ratio: ours / theirs,
		budget: `at most ${most}x`,
		met: ours / theirs <= most,
	};
}
