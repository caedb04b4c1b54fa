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
 * `npm run bench`: runs all benchmarks in turn, or those that are named (`npm run bench -- fold console`), and prints one table. The exit
 * code is 1 when a budget is not met.
 */
const chosenNames = process.argv.slice(2);
const rows: BenchRow[] = [];
for (const name of chosenNames.length > 0 ? chosenNames : Object.keys(benches)) {
	const bench = benches[name];
	if (bench === undefined) throw new RangeError(`There is no benchmark ${name}, only ${Object.keys(benches).join(', ')}.`);
	rows.push(...(await bench()));
}
console.table(
	rows.map(({ name, baseline, measured, ratio, budget, met }) => ({
		benchmark: name,
		against: baseline,
		measured,
		ratio: ratioText(ratio),
		budget,
		met: met ? 'yes' : 'NO',
	})),
);

/** Ratios below 1 are told apart by more decimals. */
function ratioText(ratio: number | null): string {
	if (ratio === null) return '–';
	return ratio < 1 ? ratio.toFixed(3) : ratio.toFixed(1);
}

process.exitCode = rows.every(({ met }) => met) ? 0 : 1;
