import { benchBatch } from './batch.ts';
import { benchBrownOut } from './brown-out.ts';
import { benchConsole } from './console.ts';
import { benchEquations } from './equations.ts';
import { benchFold } from './fold.ts';
import { benchHostile } from './hostile.ts';
import { benchInflux } from './influx.ts';
import { benchIntegrity } from './integrity.ts';
import type { BenchRow } from './row.ts';
import { benchSharedReads } from './shared-reads.ts';
import { benchStart } from './start.ts';

/** `npm run bench`: runs all benchmarks in turn and prints one table. The exit code is 1 when a budget is not met. */
const rows: BenchRow[] = [];
for (const bench of [
	benchEquations,
	benchFold,
	benchHostile,
	benchIntegrity,
	benchBatch,
	benchStart,
	benchBrownOut,
	benchInflux,
	benchSharedReads,
	benchConsole,
])
	rows.push(...(await bench()));
console.table(
	rows.map(({ name, baseline, measured, ratio, budget, met }) => ({
		benchmark: name,
		against: baseline,
		measured,
		ratio: ratio === null ? '–' : ratio.toFixed(ratio < 1 ? 3 : 1),
		budget,
		met: met ? 'yes' : 'NO',
	})),
);
process.exitCode = rows.every(({ met }) => met) ? 0 : 1;
