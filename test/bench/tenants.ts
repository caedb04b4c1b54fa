import {
	alarmsOfTenant,
	budget,
	modelTolerance,
	packUnits,
	simulateAlarms,
	simulatePolls,
	variables,
} from '#test/support/cost/simulation.ts';
import { alarmUnits, pollUnits } from '#test/support/cost/units.ts';
import { type BenchRow, sizeOf } from './row.ts';

/** Simulates polls of many tenants, which Lambda gives to any environment that is free: the mean of the read units that definitions cost a poll. */
export async function benchTenants(): Promise<readonly BenchRow[]> {
	const rows: BenchRow[] = [];
	for (const tenants of [1, 100, 1000, 5000].map((each) => sizeOf(each, Math.min(each, 5)))) {
		const [packed, plain] = [await simulatePolls(tenants, true), await simulatePolls(tenants, false)];
		const model = pollUnits(tenants, packUnits);
		rows.push({
			name: `read units of a poll of ${variables} definitions, ${tenants} tenants`,
			baseline: 'without packs',
			measured: `${packed.units.toFixed(1)} against ${plain.units.toFixed(1)}; ${(100 * packed.cold).toFixed(0)} % of polls miss; ${model.toFixed(1)} by the model`,
			ratio: packed.units / plain.units,
			budget: `at most ${budget} units, and within a tenth of the model`,
			met: packed.units <= budget && Math.abs(model / packed.units - 1) <= modelTolerance,
		});
		const [alarms, alarmModel] = [await simulateAlarms(tenants), alarmUnits(tenants)];
		rows.push({
			name: `read units of ${alarmsOfTenant} alarms, ${tenants} tenants`,
			baseline: 'the model',
			measured: `${alarms.toFixed(1)}; ${alarmModel.toFixed(1)} by the model`,
			ratio: alarms / alarmModel,
			budget: 'within a tenth of the model',
			met: Math.abs(alarmModel / alarms - 1) <= modelTolerance,
		});
	}
	return rows;
}
