import { demandM3h } from './demand.ts';
import { noise } from './noise.ts';
import { asFlowing, hysteresis, pairM3h, switchPumps } from './pumps.ts';
import type { PlantState } from './state.ts';
import { inflowM3h, levelAfter, tanks } from './tank.ts';

const minuteMs = 60_000;

const hourMs = 60 * minuteMs;

const intake = {
	oneM3h: 255,
	bothM3h: 440,
	bands: { firstOnM: 2.5, firstOffM: 3.4, secondOnM: 2, secondOffM: 2.9 },
} as const;

const distribution = {
	oneM3h: 260,
	bothM3h: 440,
	bands: { firstOnM: 3.6, firstOffM: 5, secondOnM: 3.1, secondOffM: 4.4 },
} as const;

const filters = { cleanM3h: 350, cloggedLoss: 0.15, onM: 2.5, offM: 3.7, volumeToClogM3: 2200 } as const;

const wash = { durationMs: 10 * minuteMs, flowM3h: 300 } as const;

const chlorine = { onMgL: 0.86, offMgL: 1, leastMgL: 0.8, mostMgL: 1.05, dosedMgL: 1.5, decayPerHour: 0.03 } as const;

/**
 * The plant `dtMs` later: raw water is pumped into the raw tank, runs through the filters and past the chlorine dosing into
 * the treated tank, and is pumped up to the network tank, from which the town draws. Pumps and valve are switched by the
 * levels at the beginning. The same state, time and length always give the same next state.
 * @param timeMs epoch milliseconds of `state`
 * @param dtMs more than 0; over a long one, flows are its means, and levels stay within the tanks all the same
 */
export function step(state: PlantState, timeMs: number, dtMs: number): PlantState {
	const hours = dtMs / hourMs;
	const intakePumps = switchPumps(state.intakePumps, state.rawLevelM, intake.bands);
	const distributionPumps = switchPumps(state.distributionPumps, state.networkLevelM, distribution.bands);
	const treatedWanted = hysteresis(state.treatedWanted, state.treatedLevelM, filters.onM, filters.offM);

	const washDueMs = state.washLeftMs === 0 && state.clogging >= 1 ? wash.durationMs : state.washLeftMs;
	const washMs = Math.min(washDueMs, dtMs);
	const washM3h = wash.flowM3h * (washMs / dtMs);
	// A wash that ends within the step leaves clean filters behind it.
	const cloggingBefore = washMs > 0 && washMs === washDueMs ? 0 : state.clogging;

	// From the town upwards: each tank's outflow is known before its inflow.
	const drawnM3h = demandM3h(timeMs, dtMs);
	const wavering = 1 + 0.008 * noise(3, timeMs, minuteMs);
	const distributionWantedM3h = pairM3h(distributionPumps, distribution.oneM3h, distribution.bothM3h) * wavering;
	const distributionM3h = inflowM3h(tanks.network, state.networkLevelM, distributionWantedM3h, drawnM3h, hours);

	const head = 0.9 + (0.1 * state.rawLevelM) / tanks.raw.heightM;
	const filterCapacityM3h = filters.cleanM3h * head * (1 - filters.cloggedLoss * cloggingBefore) * (1 - washMs / dtMs);
	const filteredWantedM3h = treatedWanted ? filterCapacityM3h : 0;
	const treatedOutM3h = distributionM3h + washM3h;
	const filteredM3h = inflowM3h(tanks.treated, state.treatedLevelM, filteredWantedM3h, treatedOutM3h, hours);

	const intakeWavering = 1 + 0.01 * noise(4, timeMs, minuteMs);
	const intakeWantedM3h = pairM3h(intakePumps, intake.oneM3h, intake.bothM3h) * intakeWavering;
	const intakeM3h = inflowM3h(tanks.raw, state.rawLevelM, intakeWantedM3h, filteredM3h, hours);

	const dosing = hysteresis(state.dosing, state.treatedChlorineMgL, chlorine.onMgL, chlorine.offMgL);
	const treatedLevelM = levelAfter(tanks.treated, state.treatedLevelM, filteredM3h, treatedOutM3h, hours);
	const renewed = (filteredM3h * hours) / (treatedLevelM * tanks.treated.areaM2);
	return {
		rawLevelM: levelAfter(tanks.raw, state.rawLevelM, intakeM3h, filteredM3h, hours),
		treatedLevelM,
		networkLevelM: levelAfter(tanks.network, state.networkLevelM, distributionM3h, drawnM3h, hours),
		intakePumps: asFlowing(intakePumps, intakeM3h),
		distributionPumps: asFlowing(distributionPumps, distributionM3h),
		treatedWanted,
		washLeftMs: washDueMs - washMs,
		washing: washMs > 0,
		clogging: Math.min(1, cloggingBefore + (filteredM3h * hours) / filters.volumeToClogM3),
		dosing,
		treatedChlorineMgL: chlorineAfter(state.treatedChlorineMgL, renewed, dosing, hours),
		intakeM3h,
		filteredM3h,
		washM3h,
		distributionM3h,
		demandM3h: drawnM3h,
	};
}

/**
 * Chlorine in the mixed treated tank that is renewed by `renewed` of its volume. Implicit, so that a step of any length stays
 * within bounds; over one of hours, dosing that went on and off within it keeps the residual in its band.
 */
function chlorineAfter(tankMgL: number, renewed: number, dosing: boolean, hours: number): number {
	const mixed = (dosedMgL: number) => (tankMgL + renewed * dosedMgL) / (1 + renewed + chlorine.decayPerHour * hours);
	const least = Math.min(chlorine.leastMgL, mixed(chlorine.dosedMgL));
	return Math.max(least, Math.min(mixed(dosing ? chlorine.dosedMgL : 0), chlorine.mostMgL));
}
