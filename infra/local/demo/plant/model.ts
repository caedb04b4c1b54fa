import { dayMs, hourMs } from '#domain/milliseconds.ts';
import { dischargeBarOf, powerKwOf } from './distribution.ts';
import { noise } from './noise.ts';
import { hysteresis, switchPumps, withFlow } from './pumps.ts';
import type { PlantState } from './state.ts';
import { levelAfter, possibleInflowM3h, type Tank, type TankFlows, tanks } from './tank.ts';

/**
 * Pump stations. `flowsM3h` is the flow with none, one or both of the pumps running; `bands` are the levels that switch the pumps. The flow
 * varies by the share `noise`.
 */
const intake = {
	flowsM3h: [0, 255, 440],
	bands: { firstOnM: 2.5, firstOffM: 3.4, secondOnM: 2, secondOffM: 2.9 },
	noise: 0.01,
} as const;
const distribution = {
	flowsM3h: [0, 260, 440],
	bands: { firstOnM: 3.6, firstOffM: 5, secondOnM: 3.1, secondOffM: 4.4 },
	noise: 0.008,
} as const;

/**
 * The filters: the flow through clean ones while the raw tank is full, the share of it that is lost while that tank is empty, the share that
 * is lost when they are clogged, the levels of the treated tank at which they start and stop, and the volume that clogs them.
 */
const filters = { cleanM3h: 350, emptyTankLoss: 0.1, cloggedLoss: 0.15, onM: 2.5, offM: 3.7, volumeToClogM3: 2200 } as const;

/** A backwash of the filters. */
const backwash = { durationMs: 600_000, flowM3h: 300 } as const;

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
	const dosing = hysteresis(state.dosing, state.treatedChlorineMgL, chlorine.onMgL, chlorine.offMgL);
	const { washLeftMs, washShare, clogging } = washed(state, dtMs);

	// Flows are computed from the town upstream, because the inflow of each tank depends on its outflow.
	const demandM3h = meanDemandM3h(timeMs, dtMs);
	const distributionWantedM3h =
		distribution.flowsM3h[distributionPumps.running] * (1 + distribution.noise * noise('distributionFlow', timeMs));
	const networkFlows = flowsOf(tanks.network, state.networkLevelM, { inM3h: distributionWantedM3h, outM3h: demandM3h, hours });
	const distributionM3h = networkFlows.inM3h;

	const washM3h = backwash.flowM3h * washShare;
	const filteredWantedM3h = treatedWanted ? filterCapacityM3h(state.rawLevelM, clogging, washShare) : 0;
	const treatedOutM3h = distributionM3h + washM3h;
	const treatedFlows = flowsOf(tanks.treated, state.treatedLevelM, { inM3h: filteredWantedM3h, outM3h: treatedOutM3h, hours });
	const filteredM3h = treatedFlows.inM3h;

	const intakeWantedM3h = intake.flowsM3h[intakePumps.running] * (1 + intake.noise * noise('intakeFlow', timeMs));
	const rawFlows = flowsOf(tanks.raw, state.rawLevelM, { inM3h: intakeWantedM3h, outM3h: filteredM3h, hours });

	const treatedLevelM = levelAfter(tanks.treated, state.treatedLevelM, treatedFlows);
	const networkLevelM = levelAfter(tanks.network, state.networkLevelM, networkFlows);
	const renewed = (filteredM3h * hours) / (treatedLevelM * tanks.treated.areaM2);
	const powerKw = powerKwOf({ distributionM3h, treatedLevelM }, dischargeBarOf({ distributionM3h, networkLevelM }));
	return {
		rawLevelM: levelAfter(tanks.raw, state.rawLevelM, rawFlows),
		treatedLevelM,
		networkLevelM,
		intakePumps: withFlow(intakePumps, rawFlows.inM3h),
		distributionPumps: withFlow(distributionPumps, distributionM3h),
		treatedWanted,
		washLeftMs,
		washing: washShare > 0,
		clogging: Math.min(1, clogging + (filteredM3h * hours) / filters.volumeToClogM3),
		dosing,
		treatedChlorineMgL: chlorineAfter(state.treatedChlorineMgL, { renewed, dosing, hours }),
		intakeM3h: rawFlows.inM3h,
		filteredM3h,
		washM3h,
		distributionM3h,
		demandM3h,
		pumpedM3: state.pumpedM3 + distributionM3h * hours,
		energyKwh: state.energyKwh + powerKw * hours,
	};
}

/** Goes on with a backwash for a step, or begins one when the filters are clogged. `washShare`: the share of the step that it takes. */
function washed({ washLeftMs, clogging }: PlantState, dtMs: number) {
	const dueMs = washLeftMs === 0 && clogging >= 1 ? backwash.durationMs : washLeftMs;
	const washMs = Math.min(dueMs, dtMs);
	// A backwash that ends within the step leaves clean filters.
	const hasEnded = washMs > 0 && washMs === dueMs;
	return { washLeftMs: dueMs - washMs, washShare: washMs / dtMs, clogging: hasEnded ? 0 : clogging };
}

/** Returns the mean flow that the filters let through in a step. Nothing flows through them during a backwash. */
function filterCapacityM3h(rawLevelM: number, clogging: number, washShare: number): number {
	const head = 1 - filters.emptyTankLoss + (filters.emptyTankLoss * rawLevelM) / tanks.raw.heightM;
	return filters.cleanM3h * head * (1 - filters.cloggedLoss * clogging) * (1 - washShare);
}

/** Returns the flows of a tank in a step. `wanted.inM3h` is the inflow that is wanted; the inflow that is returned is possible. */
function flowsOf(tank: Tank, levelM: number, wanted: TankFlows): TankFlows {
	return { ...wanted, inM3h: possibleInflowM3h(tank, levelM, wanted) };
}

/** What changes the chlorine of the treated tank in a step. */
interface ChlorineStep {
	/** The share of the tank's volume that was replaced. */
	readonly renewed: number;
	/** Whether the new water is dosed. */
	readonly dosing: boolean;
	readonly hours: number;
}

/**
 * Returns the chlorine in the treated tank, which is mixed, after a step. The implicit formula keeps steps of any length within bounds; over
 * a step of hours, the result stays in the band that the dosing keeps.
 */
function chlorineAfter(tankMgL: number, { renewed, dosing, hours }: ChlorineStep): number {
	const mixed = (addedMgL: number) => (tankMgL + renewed * addedMgL) / (1 + renewed + chlorine.decayPerHour * hours);
	// The lower bound never lifts the tank above what dosed water would give in this step.
	const least = Math.min(chlorine.leastMgL, mixed(chlorine.dosedMgL));
	return Math.max(least, Math.min(mixed(dosing ? chlorine.dosedMgL : 0), chlorine.mostMgL));
}

/** The demand at night, in m³/h. Each peak adds a bell curve around its hour (UTC). */
const nightM3h = 125;
const peaks = [
	{ hour: 7.5, widthHours: 1.5, addedM3h: 205 },
	{ hour: 13.5, widthHours: 2.5, addedM3h: 70 },
	{ hour: 20, widthHours: 1.9, addedM3h: 185 },
] as const;

/** The shares by which the demand varies, slowly and quickly. */
const demandDrift = 0.06;
const demandJitter = 0.02;

/** A mean takes one point every 15 minutes, and at most 96 points: enough for a day. */
const pointEveryMs = hourMs / 4;
const maxPoints = 96;

/**
 * Returns the water that the town draws from the network: a morning peak, a small one at lunch, an evening peak and some noise.
 * @param timeMs start of the interval, epoch milliseconds
 * @param dtMs length of the interval in milliseconds, above 0
 * @returns the mean over the interval in m³/h, always above 0
 */
function meanDemandM3h(timeMs: number, dtMs: number): number {
	const points = Math.min(maxPoints, Math.max(1, Math.ceil(dtMs / pointEveryMs)));
	let sum = 0;
	// Each point is in the middle of its part of the interval.
	for (let point = 0; point < points; point += 1) sum += demandAt(timeMs + ((point + 0.5) / points) * dtMs);
	return sum / points;
}

/** Returns the demand at one time, in m³/h. */
function demandAt(timeMs: number): number {
	const hour = (timeMs % dayMs) / hourMs;
	let demand = nightM3h;
	for (const peak of peaks) {
		const hoursApart = Math.abs(hour - peak.hour);
		// Across midnight where that is nearer.
		const widths = Math.min(hoursApart, 24 - hoursApart) / peak.widthHours;
		demand += peak.addedM3h * Math.exp(-0.5 * widths * widths);
	}
	return demand * (1 + demandDrift * noise('demandDrift', timeMs) + demandJitter * noise('demandJitter', timeMs));
}
