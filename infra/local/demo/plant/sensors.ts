import { dischargeBarOf, powerKwOf, staticBarOf } from './distribution.ts';
import { noise } from './noise.ts';
import { isRunning } from './pumps.ts';
import type { PlantState } from './state.ts';

/** One value of one series of the plant. A bigint is stored as an integer. */
export interface PlantSample {
	readonly topic: string;
	readonly field: string;
	readonly value: number | boolean | bigint;
	/** Epoch milliseconds. */
	readonly timeMs: number;
}

/** The state of the plant with the values that only instruments show. */
type Measurements = ReturnType<typeof measure>;

/** A series, and how its instrument reads the plant. */
interface PlantSeries {
	readonly topic: string;
	readonly field: string;
	/** Null: the instrument sends nothing at that time. */
	readonly read: (plant: Measurements) => PlantSample['value'] | null;
}

/** Every series of the plant: levels in m, flows in m³/h, pressures in bar, pumps running (intake: boolean; distribution: 0 or 1). */
export const plantSeries = {
	intakeFlow: { topic: 'plant/intake/flow', field: 'value', read: (plant) => rounded(plant.intakeM3h, 3) },
	intakePump1: { topic: 'plant/intake/pump1', field: 'running', read: (plant) => isRunning(plant.intakePumps, 1) },
	intakePump2: { topic: 'plant/intake/pump2', field: 'running', read: (plant) => isRunning(plant.intakePumps, 2) },
	rawLevel: { topic: 'plant/raw/level', field: 'value', read: (plant) => rounded(plant.rawLevelM, 3) },
	rawTurbidity: { topic: 'plant/raw/turbidity', field: 'value', read: (plant) => rounded(plant.rawTurbidityNtu, 2) },
	filteredFlow: { topic: 'plant/filters/flow', field: 'value', read: (plant) => rounded(plant.filteredM3h, 3) },
	filterHeadLoss: { topic: 'plant/filters/headloss', field: 'value', read: (plant) => rounded(plant.filterHeadLossM, 3) },
	washFlow: { topic: 'plant/filters/washflow', field: 'value', read: (plant) => rounded(plant.washM3h, 3) },
	filteredTurbidity: { topic: 'plant/filters/turbidity', field: 'value', read: (plant) => rounded(plant.filteredNtu, 3) },
	chlorine: { topic: 'plant/disinfection/chlorine', field: 'value', read: (plant) => rounded(plant.chlorineMgL, 3) },
	treatedLevel: { topic: 'plant/treated/level', field: 'value', read: (plant) => rounded(plant.treatedLevelM, 3) },
	distributionPump1: { topic: 'plant/distribution/pump1', field: 'running', read: (plant) => distributionPump(plant, 1) },
	distributionPump2: { topic: 'plant/distribution/pump2', field: 'running', read: (plant) => distributionPump(plant, 2) },
	distributionFlow: { topic: 'plant/distribution/flow', field: 'value', read: (plant) => rounded(plant.distributionM3h, 3) },
	distributionPressure: { topic: 'plant/distribution/pressure', field: 'value', read: (plant) => rounded(plant.dischargeBar, 2) },
	distributionPower: { topic: 'plant/distribution/power', field: 'value', read: (plant) => rounded(plant.powerKw, 1) },
	networkLevel: { topic: 'plant/network/level', field: 'value', read: (plant) => rounded(plant.networkLevelM, 3) },
	networkDemand: { topic: 'plant/network/demand', field: 'value', read: (plant) => rounded(plant.demandM3h, 3) },
	networkPressure: { topic: 'plant/network/pressure', field: 'value', read: (plant) => rounded(plant.networkBar, 2) },
	vibration: { topic: 'plant/intake/vibration', field: 'value', read: (plant) => rounded(plant.vibrationMmS, 2) },
	remoteGauge: {
		topic: 'plant/network/remote',
		field: 'value',
		read: ({ isLinkUp, networkLevelM }) => (isLinkUp ? rounded(networkLevelM, 2) : null),
	},
	chlorineStock: { topic: 'plant/disinfection/stock', field: 'value', read: (plant) => rounded(plant.chlorineStockPercent, 1) },
	pumpedVolume: {
		topic: 'plant/distribution/volume',
		field: 'value',
		read: (plant) => Math.floor(plant.pumpedM3) % totalizerSizeM3,
	},
	energy: { topic: 'plant/distribution/energy', field: 'value', read: (plant) => rounded(plant.energyKwh, 1) },
	status: { topic: 'plant/status', field: 'byte', read: statusByte },
} as const satisfies Record<string, PlantSeries>;

const allSeries: readonly PlantSeries[] = Object.values(plantSeries);

const minuteMs = 60_000;

/** The reading at which the totalizer of the distribution begins again at 0. */
const totalizerSizeM3 = 10_000;

/**
 * Returns one sample of every series whose instrument sends one at that time. The same state and time (epoch milliseconds) always give
 * the same samples.
 */
export function samplesOf(state: PlantState, timeMs: number): readonly PlantSample[] {
	const plant = measure(state, timeMs);
	return allSeries.flatMap(({ topic, field, read }) => {
		const value = read(plant);
		return value === null ? [] : [{ topic, field, value, timeMs }];
	});
}

/** Adds the values that only instruments show. The numbers are made up so that curves look like those of a real plant. */
function measure(state: PlantState, timeMs: number) {
	// Rain every few days adds up to about 60 NTU to the raw water.
	const rainNtu = Math.max(0, noise('rain', timeMs, 480) - 0.55) * 130;
	const rawTurbidityNtu =
		7 + 1.5 * noise('rawTurbidityDrift', timeMs, 60) + 0.2 * noise('rawTurbidityJitter', timeMs, 1) + rainNtu;
	const dischargeBar = dischargeBarOf(state) + 0.01 * noise('dischargePressure', timeMs, 1);
	return {
		...state,
		rawTurbidityNtu,
		filterHeadLossM: (0.35 + 1.3 * state.clogging) * (state.filteredM3h / 340) ** 2,
		filteredNtu: 0.09 + 0.12 * state.clogging ** 2 + 0.008 * rawTurbidityNtu + 0.01 * noise('filteredTurbidity', timeMs, 1),
		chlorineMgL: Math.max(0, state.treatedChlorineMgL + 0.008 * noise('chlorine', timeMs, 1)),
		dischargeBar,
		powerKw: powerKwOf(state, dischargeBar),
		// Exceeds 4.5 mm/s once a minute, so that an alarm at that limit chatters.
		vibrationMmS: 4 + 1.5 * Math.sin((2 * Math.PI * timeMs) / minuteMs),
		// A bad radio link: 3 of 6 minutes without data.
		isLinkUp: timeMs % (6 * minuteMs) < 3 * minuteMs,
		chlorineStockPercent: 11 + 2 * noise('chlorineStock', timeMs, 720),
		networkBar: staticBarOf(state) - 0.06 * (state.demandM3h / 100) ** 2 + 0.01 * noise('networkPressure', timeMs, 1),
	};
}

function statusByte(plant: Measurements): bigint {
	// From the least significant bit. `plant-a.json` has the same positions. The limits are in metres, NTU and mg/l.
	const bits = {
		intakePump1: isRunning(plant.intakePumps, 1),
		intakePump2: isRunning(plant.intakePumps, 2),
		distributionPump: plant.distributionPumps.running > 0,
		inletValve: plant.filteredM3h > 0,
		backwash: plant.washing,
		chlorineDosing: plant.dosing && plant.filteredM3h > 0,
		tankHigh: plant.networkLevelM > 4.8,
		alarm: plant.filteredNtu > 0.5 || plant.chlorineMgL < 0.6 || plant.networkLevelM < 1.5,
	};
	return BigInt(Object.values(bits).reduce((byte, isOn, bit) => byte | (Number(isOn) << bit), 0));
}

function distributionPump({ distributionPumps }: PlantState, pump: 1 | 2): bigint {
	return BigInt(isRunning(distributionPumps, pump));
}

function rounded(value: number, decimals: number): number {
	const scale = 10 ** decimals;
	return Math.round(value * scale) / scale;
}
