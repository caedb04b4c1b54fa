import type { PlantState } from './state.ts';

/** Height of the network tank above the distribution pumps. */
const networkTankM = 32;
const metresPerBar = 10.2;
const pumpEfficiency = 0.72;

/** Returns the pressure that the network tank puts on the distribution, in bar. */
export function staticBarOf({ networkLevelM }: Pick<PlantState, 'networkLevelM'>): number {
	return (networkTankM + networkLevelM) / metresPerBar;
}

/** Returns the pressure behind the distribution pumps, in bar: the static one, and the friction of the flow. */
export function dischargeBarOf(state: Pick<PlantState, 'networkLevelM' | 'distributionM3h'>): number {
	return staticBarOf(state) + 0.045 * (state.distributionM3h / 100) ** 2;
}

/** Returns the power of the distribution pumps in kW, at a pressure behind them in bar. */
export function powerKwOf(
	{ distributionM3h, treatedLevelM }: Pick<PlantState, 'distributionM3h' | 'treatedLevelM'>,
	dischargeBar: number,
): number {
	const liftM = dischargeBar * metresPerBar - treatedLevelM;
	return (9.81 * (distributionM3h / 3600) * liftM) / pumpEfficiency;
}
