/** The result of one benchmark: a comparison within one run, and its budget (DESIGN.md section 10). */
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
