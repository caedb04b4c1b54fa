import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { benches } from './benches.ts';
import type { BenchRow } from './row.ts';

/**
 * `npm run bench`: runs all benchmarks in turn, or those that are named (`npm run bench -- fold console`). Prints each row when it is
 * measured, and how long each benchmark took. Each has a process of its own: one that fails, or ends its process, is a row, and those after
 * it run. The exit code is 1 when one failed or a budget is not met.
 */
const chosenNames = process.argv.slice(2);
const unknownNames = chosenNames.filter((name) => !(name in benches));
if (unknownNames.length > 0)
	throw new RangeError(`There is no benchmark ${unknownNames.join(', ')}, only ${Object.keys(benches).join(', ')}.`);

/** The exit code of a process whose benchmark printed its rows, of which some are not met. Node's own codes are lower. */
const notMet = 64;

const [onlyName] = chosenNames;
if (chosenNames.length === 1 && onlyName !== undefined) await runBench(onlyName);
else
	for (const name of chosenNames.length === 0 ? Object.keys(benches) : chosenNames) {
		const { status, signal } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), name], { stdio: 'inherit' });
		if (status !== 0) process.exitCode = 1;
		if (status !== 0 && status !== notMet) console.log(lineOf(failedRow(name, `its process ended with ${signal ?? status}`)));
	}

/** Runs one benchmark in this process, and prints its rows. */
async function runBench(name: string): Promise<void> {
	const startedAt = performance.now();
	const rows = (await benches[name]?.().catch((error: unknown) => [failedRow(name, inspect(error))])) ?? [];
	for (const row of rows) console.log(lineOf(row));
	console.log(`# ${name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
	if (rows.some(({ met }) => !met)) process.exitCode = notMet;
}

function failedRow(name: string, cause: string): BenchRow {
	return { name, baseline: 'none', measured: `failed: ${cause}`, ratio: null, budget: 'runs', met: false };
}

function lineOf({ name, baseline, measured, ratio, budget, met }: BenchRow): string {
	const against = baseline === 'none' ? '' : ` (against ${baseline})`;
	// Ratios below 1 are told apart by more decimals.
	const times = ratio === null ? '' : `, ${ratio < 1 ? ratio.toFixed(3) : ratio.toFixed(1)}x`;
	return `${met ? 'met' : 'NOT MET'}: ${name}${against}: ${measured}${times}; ${budget}`;
}
