import type { PlantState } from './state.ts';

/** Height of the network tank above the distribution pumps, in metres. */
const networkTankM = 32;

/** Height of a column of water with a pressure of 1 bar, in metres. */
const metresPerBar = 10.2;

/** The share of the power of the pumps that lifts water. */
const pumpEfficiency = 0.72;

/** Pressure that friction takes before the network tank, at a flow of 100 m³/h. It grows with the square of the flow. */
const frictionBarAt100M3h = 0.045;

/** Weight of a cubic metre of water, in kN. */
const waterWeightKn = 9.81;

const secondsPerHour = 3600;

/** Returns the pressure that the network tank puts on the distribution, in bar. */
export function staticBarOf({ networkLevelM }: Pick<PlantState, 'networkLevelM'>): number {
	return (networkTankM + networkLevelM) / metresPerBar;
}

/** Returns the pressure behind the distribution pumps, in bar: the static one, and the friction of the flow. */
export function dischargeBarOf(state: Pick<PlantState, 'networkLevelM' | 'distributionM3h'>): number {
	return staticBarOf(state) + frictionBarAt100M3h * (state.distributionM3h / 100) ** 2;
}

/** Returns the power of the distribution pumps in kW, at a pressure behind them in bar. */
export function powerKwOf(
	{ distributionM3h, treatedLevelM }: Pick<PlantState, 'distributionM3h' | 'treatedLevelM'>,
	dischargeBar: number,
): number {
	// The pumps lift water from the surface of the treated tank.
	const liftM = dischargeBar * metresPerBar - treatedLevelM;
	return (waterWeightKn * (distributionM3h / secondsPerHour) * liftM) / pumpEfficiency;
}
