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
import { benchInfluxql } from './influxql.ts';
import { benchIntegrity } from './integrity.ts';
import { benchLoad } from './load.ts';
import { benchReports } from './reports.ts';
import type { BenchRow } from './row.ts';
import { benchSharedReads } from './shared-reads.ts';
import { benchStart } from './start.ts';
import { benchTenants } from './tenants.ts';
import { benchTotals } from './totals.ts';

/** The benchmarks by their names, in the order in which they run. Each resolves to its rows. */
export const benches: Readonly<Record<string, () => Promise<readonly BenchRow[]>>> = {
	equations: benchEquations,
	fold: benchFold,
	totals: benchTotals,
	reports: benchReports,
	hostile: benchHostile,
	'hostile-texts': benchHostileTexts,
	backgrounds: benchBackgrounds,
	integrity: benchIntegrity,
	tenants: benchTenants,
	batch: benchBatch,
	start: benchStart,
	load: benchLoad,
	'brown-out': benchBrownOut,
	influx: benchInflux,
	influxql: benchInfluxql,
	'influx-totals': benchInfluxTotals,
	'shared-reads': benchSharedReads,
	console: benchConsole,
};
