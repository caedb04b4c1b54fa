import { isRunning } from './pumps.ts';
import { type Measurements, readSensors } from './sensors.ts';
import type { PlantState } from './state.ts';

/** One value of one series. A bigint is written as an integer. */
export interface Sample {
	readonly topic: string;
	readonly field: string;
	readonly value: number | boolean | bigint;
	/** Epoch milliseconds. */
	readonly timeMs: number;
}

interface SeriesDefinition {
	readonly topic: string;
	readonly field: string;
	readonly read: (state: PlantState, shown: Measurements) => Sample['value'];
}

/** A sensor's resolution: 1, 2 or 3 decimals. */
function rounded(value: number, decimals: number): number {
	const scale = 10 ** decimals;
	return Math.round(value * scale) / scale;
}

const level = (metres: number) => rounded(metres, 3);

const flow = (m3h: number) => rounded(m3h, 3);

/** Every series of the plant: levels m, flows m³/h, pressures bar, pumps running (the intake's as boolean, the others' as 0 or 1). */
export const plantSeries = {
	intakeFlow: { topic: 'plant/intake/flow', field: 'value', read: (state) => flow(state.intakeM3h) },
	intakePump1: { topic: 'plant/intake/pump1', field: 'running', read: (state) => isRunning(state.intakePumps, 1) },
	intakePump2: { topic: 'plant/intake/pump2', field: 'running', read: (state) => isRunning(state.intakePumps, 2) },
	rawLevel: { topic: 'plant/raw/level', field: 'value', read: (state) => level(state.rawLevelM) },
	rawTurbidity: { topic: 'plant/raw/turbidity', field: 'value', read: (_, shown) => rounded(shown.rawTurbidityNtu, 2) },
	filteredFlow: { topic: 'plant/filters/flow', field: 'value', read: (state) => flow(state.filteredM3h) },
	filterHeadLoss: { topic: 'plant/filters/headloss', field: 'value', read: (_, shown) => rounded(shown.filterHeadLossM, 3) },
	washFlow: { topic: 'plant/filters/washflow', field: 'value', read: (state) => flow(state.washM3h) },
	filteredTurbidity: {
		topic: 'plant/filters/turbidity',
		field: 'value',
		read: (_, shown) => rounded(shown.filteredTurbidityNtu, 3),
	},
	chlorine: { topic: 'plant/disinfection/chlorine', field: 'value', read: (_, shown) => rounded(shown.chlorineMgL, 3) },
	treatedLevel: { topic: 'plant/treated/level', field: 'value', read: (state) => level(state.treatedLevelM) },
	distributionPump1: {
		topic: 'plant/distribution/pump1',
		field: 'running',
		read: (state) => (isRunning(state.distributionPumps, 1) ? 1n : 0n),
	},
	distributionPump2: {
		topic: 'plant/distribution/pump2',
		field: 'running',
		read: (state) => (isRunning(state.distributionPumps, 2) ? 1n : 0n),
	},
	distributionFlow: { topic: 'plant/distribution/flow', field: 'value', read: (state) => flow(state.distributionM3h) },
	distributionPressure: {
		topic: 'plant/distribution/pressure',
		field: 'value',
		read: (_, shown) => rounded(shown.dischargeBar, 2),
	},
	distributionPower: { topic: 'plant/distribution/power', field: 'value', read: (_, shown) => rounded(shown.powerKw, 1) },
	networkLevel: { topic: 'plant/network/level', field: 'value', read: (state) => level(state.networkLevelM) },
	networkDemand: { topic: 'plant/network/demand', field: 'value', read: (state) => flow(state.demandM3h) },
	networkPressure: { topic: 'plant/network/pressure', field: 'value', read: (_, shown) => rounded(shown.networkBar, 2) },
	status: { topic: 'plant/status', field: 'byte', read: (_, shown) => BigInt(shown.statusByte) },
} as const satisfies Record<string, SeriesDefinition>;

const definitions: readonly SeriesDefinition[] = Object.values(plantSeries);

/** One sample of every series of a plant that is in `state` at `timeMs` (epoch milliseconds). */
export function samplesOf(state: PlantState, timeMs: number): readonly Sample[] {
	const shown = readSensors(state, timeMs);
	return definitions.map(({ topic, field, read }) => ({ topic, field, value: read(state, shown), timeMs }));
}
