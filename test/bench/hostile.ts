import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { HostileResult, HostileRun } from '#test/support/hostile-bodies/send.ts';
import { targets } from '#test/support/hostile-bodies/shapes.ts';
import { type BenchRow, sizeOf } from './row.ts';

/**
 * The CPU that a handler may take: a multiple of JSON.parse of the same bytes, and what any request takes (test/bench/README.md#budgets).
 */
const maxRatio = 2;
const requestMs = 5;

const mebibyte = 2 ** 20;

/** The memory that a handler may take beyond JSON.parse, in MB. */
const maxMemory = 64;

/** The largest output of the program. */
const maxOutputBytes = 64 * mebibyte;

const program = join(import.meta.dirname, '../support/hostile-bodies/send.ts');

/** Sends hostile bodies in a process of its own with some flags of V8. */
const resultsOf = (run: HostileRun, ...flags: readonly string[]): readonly HostileResult[] => {
	const argument = JSON.stringify({ ...run, targets: sizeOf(targets.length, 1) } satisfies HostileRun);
	return JSON.parse(
		execFileSync(process.execPath, ['--expose-gc', ...flags, program, argument], { maxBuffer: maxOutputBytes }).toString(),
	);
};

const largestBy = (results: readonly HostileResult[], measure: (result: HostileResult) => number): HostileResult => {
	const [largest] = [...results].sort((a, b) => measure(b) - measure(a));
	if (largest === undefined) throw new RangeError('There are no results.');
	return largest;
};

/** Compares what handlers take for hostile bodies of 1 MB with JSON.parse of the same bytes: the worst body in CPU, and in memory. */
export const benchHostile = async (): Promise<readonly BenchRow[]> => {
	const ratioOf = ({ handlerMs, parseMs }: HostileResult): number => (handlerMs - requestMs) / parseMs;
	const cpu = resultsOf({ measures: 'cpu', budget: { ratio: maxRatio, ms: requestMs } }, '--max-old-space-size=300');
	const slowest = largestBy(cpu, ratioOf);
	// Nothing is collected during a call where the young generation is large, so that all that is allocated is counted.
	const memories = resultsOf({ measures: 'memory' }, '--min-semi-space-size=256', '--max-semi-space-size=256');
	const largest = largestBy(memories, ({ allocatedBeyond }) => allocatedBeyond);
	const memory = largest.allocatedBeyond / mebibyte;
	return [
		{
			name: `hostile 1 MB body, CPU: ${slowest.target}, ${slowest.shape}`,
			baseline: 'JSON.parse of the same bytes',
			measured: `${slowest.handlerMs.toFixed(1)} against ${slowest.parseMs.toFixed(1)} ms`,
			ratio: slowest.handlerMs / slowest.parseMs,
			budget: `at most ${maxRatio}x and ${requestMs} ms`,
			met: ratioOf(slowest) <= maxRatio,
		},
		{
			name: `hostile 1 MB body, memory: ${largest.target}, ${largest.shape}`,
			baseline: 'JSON.parse of the same bytes',
			measured: `${memory.toFixed(1)} MB more`,
			ratio: null,
			budget: `at most ${maxMemory} MB more`,
			met: memory <= maxMemory,
		},
	];
};
