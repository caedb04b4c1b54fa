import { inspect } from 'node:util';
import { benchBackgrounds } from './backgrounds.ts';
import { benchBatch } from './batch.ts';
import { benchBrownOut } from './brown-out.ts';
import { benchConsole } from './console.ts';
import { benchEquations } from './equations.ts';
import { benchFold } from './fold.ts';
import { benchHostile } from './hostile.ts';
import { benchHostileTexts } from './hostile-texts.ts';
import { benchInflux } from './influx.ts';
import { benchInfluxTotals } from './influx-totals.ts';
import { benchIntegrity } from './integrity.ts';
import { benchReports } from './reports.ts';
import type { BenchRow } from './row.ts';
import { benchSharedReads } from './shared-reads.ts';
import { benchStart } from './start.ts';
import { benchTotals } from './totals.ts';

const benches: Readonly<Record<string, () => Promise<readonly BenchRow[]>>> = {
	equations: benchEquations,
	fold: benchFold,
	totals: benchTotals,
	reports: benchReports,
	hostile: benchHostile,
	'hostile-texts': benchHostileTexts,
	backgrounds: benchBackgrounds,
	integrity: benchIntegrity,
	batch: benchBatch,
	start: benchStart,
	'brown-out': benchBrownOut,
	influx: benchInflux,
	'influx-totals': benchInfluxTotals,
	'shared-reads': benchSharedReads,
	console: benchConsole,
};

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
