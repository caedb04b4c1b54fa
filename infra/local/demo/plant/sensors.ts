import { minuteMs } from '#domain/milliseconds.ts';
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
	intakeFlow: { topic: 'plant/intake/flow', field: 'value', read: (plant) => toThousandths(plant.intakeM3h) },
	intakePump1: { topic: 'plant/intake/pump1', field: 'running', read: (plant) => isRunning(plant.intakePumps, 1) },
	intakePump2: { topic: 'plant/intake/pump2', field: 'running', read: (plant) => isRunning(plant.intakePumps, 2) },
	rawLevel: { topic: 'plant/raw/level', field: 'value', read: (plant) => toThousandths(plant.rawLevelM) },
	rawTurbidity: { topic: 'plant/raw/turbidity', field: 'value', read: (plant) => toHundredths(plant.rawTurbidityNtu) },
	filteredFlow: { topic: 'plant/filters/flow', field: 'value', read: (plant) => toThousandths(plant.filteredM3h) },
	filterHeadLoss: { topic: 'plant/filters/headloss', field: 'value', read: (plant) => toThousandths(plant.filterHeadLossM) },
	washFlow: { topic: 'plant/filters/washflow', field: 'value', read: (plant) => toThousandths(plant.washM3h) },
	filteredTurbidity: { topic: 'plant/filters/turbidity', field: 'value', read: (plant) => toThousandths(plant.filteredNtu) },
	chlorine: { topic: 'plant/disinfection/chlorine', field: 'value', read: (plant) => toThousandths(plant.chlorineMgL) },
	treatedLevel: { topic: 'plant/treated/level', field: 'value', read: (plant) => toThousandths(plant.treatedLevelM) },
	distributionPump1: { topic: 'plant/distribution/pump1', field: 'running', read: (plant) => distributionPump(plant, 1) },
	distributionPump2: { topic: 'plant/distribution/pump2', field: 'running', read: (plant) => distributionPump(plant, 2) },
	distributionFlow: { topic: 'plant/distribution/flow', field: 'value', read: (plant) => toThousandths(plant.distributionM3h) },
	distributionPressure: {
		topic: 'plant/distribution/pressure',
		field: 'value',
		read: (plant) => toHundredths(plant.dischargeBar),
	},
	distributionPower: { topic: 'plant/distribution/power', field: 'value', read: (plant) => toTenths(plant.powerKw) },
	networkLevel: { topic: 'plant/network/level', field: 'value', read: (plant) => toThousandths(plant.networkLevelM) },
	networkDemand: { topic: 'plant/network/demand', field: 'value', read: (plant) => toThousandths(plant.demandM3h) },
	networkPressure: { topic: 'plant/network/pressure', field: 'value', read: (plant) => toHundredths(plant.networkBar) },
	vibration: { topic: 'plant/intake/vibration', field: 'value', read: (plant) => toHundredths(plant.vibrationMmS) },
	remoteGauge: {
		topic: 'plant/network/remote',
		field: 'value',
		read: ({ isLinkUp, networkLevelM }) => (isLinkUp ? toHundredths(networkLevelM) : null),
	},
	chlorineStock: { topic: 'plant/disinfection/stock', field: 'value', read: (plant) => toTenths(plant.chlorineStockPercent) },
	pumpedVolume: {
		topic: 'plant/distribution/volume',
		field: 'value',
		read: (plant) => Math.floor(plant.pumpedM3) % totalizerSizeM3,
	},
	energy: { topic: 'plant/distribution/energy', field: 'value', read: (plant) => toTenths(plant.energyKwh) },
	status: { topic: 'plant/status', field: 'byte', read: statusByte },
} as const satisfies Record<string, PlantSeries>;

const allSeries: readonly PlantSeries[] = Object.values(plantSeries);

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

// The numbers below are made up so that curves look like those of a real plant.

/**
 * The turbidity of the raw water: in dry weather, how far it drifts and jitters, and by rain. It rains while the noise `rain` is above
 * `rainThreshold`, every few days; that adds up to about 60 NTU.
 */
const rawTurbidity = { dryNtu: 7, driftNtu: 1.5, jitterNtu: 0.2, rainThreshold: 0.55, rainNtu: 130 } as const;

/** The head that is lost in clean filters, and in addition when they are clogged, at a flow. It grows with the square of the flow. */
const headLoss = { cleanM: 0.35, cloggedM: 1.3, atM3h: 340 } as const;

/** The turbidity behind the filters: of clean ones, in addition when they are clogged, the share of the raw water's, and the noise. */
const filteredTurbidity = { cleanNtu: 0.09, cloggedNtu: 0.12, rawShare: 0.008, noiseNtu: 0.01 } as const;

/** How far the readings of chlorine and of pressures vary. */
const chlorineNoiseMgL = 0.008;
const pressureNoiseBar = 0.01;

/** The vibration exceeds 4.5 mm/s once a period, so that an alarm at that limit chatters. */
const vibration = { meanMmS: 4, swingMmS: 1.5, periodMs: minuteMs } as const;

/** A bad radio link: it is up in the first 3 of 6 minutes. */
const radioLink = { periodMs: 6 * minuteMs, upMs: 3 * minuteMs } as const;

/** The chlorine in stock. */
const chlorineStock = { meanPercent: 11, swingPercent: 2 } as const;

/** Pressure that friction takes in the town's network at a demand of 100 m³/h. It grows with the square of the demand. */
const networkFrictionBarAt100M3h = 0.06;

/** Adds the values that only instruments show. */
function measure(state: PlantState, timeMs: number) {
	const rainNtu = Math.max(0, noise('rain', timeMs) - rawTurbidity.rainThreshold) * rawTurbidity.rainNtu;
	const driftNtu = rawTurbidity.driftNtu * noise('rawTurbidityDrift', timeMs);
	const jitterNtu = rawTurbidity.jitterNtu * noise('rawTurbidityJitter', timeMs);
	const rawTurbidityNtu = rawTurbidity.dryNtu + driftNtu + jitterNtu + rainNtu;
	const dischargeBar = dischargeBarOf(state) + pressureNoiseBar * noise('dischargePressure', timeMs);
	const networkFrictionBar = networkFrictionBarAt100M3h * (state.demandM3h / 100) ** 2;
	return {
		...state,
		rawTurbidityNtu,
		filterHeadLossM: (headLoss.cleanM + headLoss.cloggedM * state.clogging) * (state.filteredM3h / headLoss.atM3h) ** 2,
		filteredNtu:
			filteredTurbidity.cleanNtu +
			filteredTurbidity.cloggedNtu * state.clogging ** 2 +
			filteredTurbidity.rawShare * rawTurbidityNtu +
			filteredTurbidity.noiseNtu * noise('filteredTurbidity', timeMs),
		chlorineMgL: Math.max(0, state.treatedChlorineMgL + chlorineNoiseMgL * noise('chlorine', timeMs)),
		dischargeBar,
		powerKw: powerKwOf(state, dischargeBar),
		vibrationMmS: vibration.meanMmS + vibration.swingMmS * Math.sin((2 * Math.PI * timeMs) / vibration.periodMs),
		isLinkUp: timeMs % radioLink.periodMs < radioLink.upMs,
		chlorineStockPercent: chlorineStock.meanPercent + chlorineStock.swingPercent * noise('chlorineStock', timeMs),
		networkBar: staticBarOf(state) - networkFrictionBar + pressureNoiseBar * noise('networkPressure', timeMs),
	};
}

/** The limits of the states in the status byte. */
const limits = { tankHighM: 4.8, tankLowM: 1.5, turbidityHighNtu: 0.5, chlorineLowMgL: 0.6 } as const;

/** Returns the byte of states. */
function statusByte(plant: Measurements): bigint {
	// From the least significant bit. `plant-a.json` has the same positions.
	const bits = {
		intakePump1: isRunning(plant.intakePumps, 1),
		intakePump2: isRunning(plant.intakePumps, 2),
		distributionPump: plant.distributionPumps.running > 0,
		inletValve: plant.filteredM3h > 0,
		backwash: plant.washing,
		chlorineDosing: plant.dosing && plant.filteredM3h > 0,
		tankHigh: plant.networkLevelM > limits.tankHighM,
		alarm:
			plant.filteredNtu > limits.turbidityHighNtu ||
			plant.chlorineMgL < limits.chlorineLowMgL ||
			plant.networkLevelM < limits.tankLowM,
	};
	return BigInt(Object.values(bits).reduce((byte, isOn, position) => byte | (Number(isOn) << position), 0));
}

/** The distribution pumps report 0 and 1. */
function distributionPump({ distributionPumps }: PlantState, pump: 1 | 2): bigint {
	return BigInt(isRunning(distributionPumps, pump));
}

const toTenths = (value: number): number => Math.round(value * 10) / 10;

const toHundredths = (value: number): number => Math.round(value * 100) / 100;

const toThousandths = (value: number): number => Math.round(value * 1000) / 1000;
