import { dischargeBarOf, powerKwOf } from './distribution.ts';
import { noise } from './noise.ts';
import { hysteresis, switchPumps, withFlow } from './pumps.ts';
import type { PlantState } from './state.ts';
import { inflowM3h, levelAfter, tanks } from './tank.ts';

const hourMs = 3_600_000;

/** Pump stations. `flowsM3h` is the flow with none, one or both of the pumps running; `bands` are the levels that switch the pumps. */
const intake = {
	flowsM3h: [0, 255, 440],
	bands: { firstOnM: 2.5, firstOffM: 3.4, secondOnM: 2, secondOffM: 2.9 },
} as const;
const distribution = {
	flowsM3h: [0, 260, 440],
	bands: { firstOnM: 3.6, firstOffM: 5, secondOnM: 3.1, secondOffM: 4.4 },
} as const;

/**
 * The filters: the flow through clean ones, the share of it that is lost when they are clogged, the levels of the treated tank at which they
 * start and stop, and the volume that clogs them.
 */
const filters = { cleanM3h: 350, cloggedLoss: 0.15, onM: 2.5, offM: 3.7, volumeToClogM3: 2200 } as const;

/** A backwash of the filters. */
const wash = { durationMs: 600_000, flowM3h: 300 } as const;

/** The chlorine in the treated tank: where dosing starts and stops, its bounds, the chlorine in dosed water, and its decay. */
const chlorine = { onMgL: 0.86, offMgL: 1, leastMgL: 0.8, mostMgL: 1.05, dosedMgL: 1.5, decayPerHour: 0.03 } as const;

/**
 * Returns the state of the plant `dtMs` later. Raw water is pumped into the raw tank, flows through the filters and the
 * chlorine dosing into the treated tank, and is pumped up to the network tank, which supplies the town. The levels at the
 * start of the step switch the pumps and the valve. The same arguments always give the same result.
 * @param timeMs time of `state`, epoch milliseconds
 * @param dtMs above 0; over a long step, flows are its means and levels still stay within the tanks
 */
export function step(state: PlantState, timeMs: number, dtMs: number): PlantState {
	const hours = dtMs / hourMs;
	const intakePumps = switchPumps(state.intakePumps, state.rawLevelM, intake.bands);
	const distributionPumps = switchPumps(state.distributionPumps, state.networkLevelM, distribution.bands);
	const treatedWanted = hysteresis(state.treatedWanted, state.treatedLevelM, filters.onM, filters.offM);

	const washDueMs = state.washLeftMs === 0 && state.clogging >= 1 ? wash.durationMs : state.washLeftMs;
	const washMs = Math.min(washDueMs, dtMs);
	const washM3h = wash.flowM3h * (washMs / dtMs);
	// A backwash that ends within the step leaves clean filters.
	const clogging = washMs > 0 && washMs === washDueMs ? 0 : state.clogging;

	// Computed from the town upstream, because the inflow of each tank depends on its outflow.
	const drawnM3h = demandM3h(timeMs, dtMs);
	const distributionWantedM3h =
		distribution.flowsM3h[distributionPumps.running] * (1 + 0.008 * noise('distributionFlow', timeMs, 1));
	const distributionM3h = inflowM3h(tanks.network, state.networkLevelM, distributionWantedM3h, drawnM3h, hours);

	// A full raw tank presses a tenth more water through the filters than an empty one.
	const head = 0.9 + (0.1 * state.rawLevelM) / tanks.raw.heightM;
	const filterCapacityM3h = filters.cleanM3h * head * (1 - filters.cloggedLoss * clogging) * (1 - washMs / dtMs);
	const treatedOutM3h = distributionM3h + washM3h;
	const filteredWantedM3h = treatedWanted ? filterCapacityM3h : 0;
	const filteredM3h = inflowM3h(tanks.treated, state.treatedLevelM, filteredWantedM3h, treatedOutM3h, hours);

	const intakeWantedM3h = intake.flowsM3h[intakePumps.running] * (1 + 0.01 * noise('intakeFlow', timeMs, 1));
	const intakeM3h = inflowM3h(tanks.raw, state.rawLevelM, intakeWantedM3h, filteredM3h, hours);

	const dosing = hysteresis(state.dosing, state.treatedChlorineMgL, chlorine.onMgL, chlorine.offMgL);
	const treatedLevelM = levelAfter(tanks.treated, state.treatedLevelM, filteredM3h, treatedOutM3h, hours);
	const renewed = (filteredM3h * hours) / (treatedLevelM * tanks.treated.areaM2);
	const networkLevelM = levelAfter(tanks.network, state.networkLevelM, distributionM3h, drawnM3h, hours);
	const powerKw = powerKwOf({ distributionM3h, treatedLevelM }, dischargeBarOf({ distributionM3h, networkLevelM }));
	return {
		rawLevelM: levelAfter(tanks.raw, state.rawLevelM, intakeM3h, filteredM3h, hours),
		treatedLevelM,
		networkLevelM,
		intakePumps: withFlow(intakePumps, intakeM3h),
		distributionPumps: withFlow(distributionPumps, distributionM3h),
		treatedWanted,
		washLeftMs: washDueMs - washMs,
		washing: washMs > 0,
		clogging: Math.min(1, clogging + (filteredM3h * hours) / filters.volumeToClogM3),
		dosing,
		treatedChlorineMgL: chlorineAfter(state.treatedChlorineMgL, renewed, dosing, hours),
		intakeM3h,
		filteredM3h,
		washM3h,
		distributionM3h,
		demandM3h: drawnM3h,
		pumpedM3: state.pumpedM3 + distributionM3h * hours,
		energyKwh: state.energyKwh + powerKw * hours,
	};
}

/**
 * Returns the chlorine in the mixed treated tank after the share `renewed` of its volume was replaced. The implicit formula keeps
 * steps of any length within bounds; over a step of hours, the result stays in the band that the dosing keeps.
 */
function chlorineAfter(tankMgL: number, renewed: number, dosing: boolean, hours: number): number {
	const mixed = (dosedMgL: number) => (tankMgL + renewed * dosedMgL) / (1 + renewed + chlorine.decayPerHour * hours);
	const least = Math.min(chlorine.leastMgL, mixed(chlorine.dosedMgL));
	return Math.max(least, Math.min(mixed(dosing ? chlorine.dosedMgL : 0), chlorine.mostMgL));
}

const dayMs = 24 * hourMs;

/** The demand at night, in m³/h. Each peak adds a bell curve around its hour (UTC). */
const nightM3h = 125;
const peaks = [
	{ hour: 7.5, widthHours: 1.5, addedM3h: 205 },
	{ hour: 13.5, widthHours: 2.5, addedM3h: 70 },
	{ hour: 20, widthHours: 1.9, addedM3h: 185 },
] as const;

/** A mean takes one point every 15 minutes, and at most 96 points: enough for a day. */
const pointEveryMs = hourMs / 4;
const maxPoints = 96;

/**
 * Returns the water that the town draws from the network: a morning peak, a small one at lunch, an evening peak and some noise.
 * @param timeMs start of the interval, epoch milliseconds
 * @param dtMs length of the interval in milliseconds, above 0
 * @returns the mean over the interval in m³/h, always above 0
 */
function demandM3h(timeMs: number, dtMs: number): number {
	const points = Math.min(maxPoints, Math.max(1, Math.ceil(dtMs / pointEveryMs)));
	let sum = 0;
	for (let point = 0; point < points; point += 1) sum += demandAt(timeMs + ((point + 0.5) / points) * dtMs);
	return sum / points;
}

function demandAt(timeMs: number): number {
	const hour = (timeMs % dayMs) / hourMs;
	let demand = nightM3h;
	for (const peak of peaks) {
		const apart = Math.abs(hour - peak.hour);
		const widths = Math.min(apart, 24 - apart) / peak.widthHours;
		demand += peak.addedM3h * Math.exp(-0.5 * widths * widths);
	}
	return demand * (1 + 0.06 * noise('demandDrift', timeMs, 20) + 0.02 * noise('demandJitter', timeMs, 1));
}
