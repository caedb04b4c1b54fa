import { inspect } from 'node:util';
import { benches } from './benches.ts';
import type { BenchRow } from './row.ts';

/**
 * `npm run bench`: runs all benchmarks in turn, or those that are named (`npm run bench -- fold console`). Prints each row when it is
 * measured, and how long each benchmark took. One that fails is a row, and those after it run. The exit code is 1 when one failed or a
 * budget is not met.
 */
const chosenNames = process.argv.slice(2);
const unknownNames = chosenNames.filter((name) => !(name in benches));
if (unknownNames.length > 0)
	throw new RangeError(`There is no benchmark ${unknownNames.join(', ')}, only ${Object.keys(benches).join(', ')}.`);
for (const [name, bench] of Object.entries(benches)) {
	if (chosenNames.length > 0 && !chosenNames.includes(name)) continue;
	const startedAt = performance.now();
	const rows = await bench().catch((error: unknown): readonly BenchRow[] => [
		{ name, baseline: 'none', measured: `failed: ${inspect(error)}`, ratio: null, budget: 'runs', met: false },
	]);
	for (const row of rows) console.log(lineOf(row));
	console.log(`# ${name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
	if (rows.some(({ met }) => !met)) process.exitCode = 1;
}

function lineOf({ name, baseline, measured, ratio, budget, met }: BenchRow): string {
	const against = baseline === 'none' ? '' : ` (against ${baseline})`;
	// Ratios below 1 are told apart by more decimals.
	const times = ratio === null ? '' : `, ${ratio < 1 ? ratio.toFixed(3) : ratio.toFixed(1)}x`;
	return `${met ? 'met' : 'NOT MET'}: ${name}${against}: ${measured}${times}; ${budget}`;
}
