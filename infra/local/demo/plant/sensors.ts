import { noise } from './noise.ts';
import { isRunning } from './pumps.ts';
import type { PlantState } from './state.ts';

const minuteMs = 60_000;

const hourMs = 60 * minuteMs;

/** How high the network tank stands above the distribution pumps, and how many metres of water make a bar. */
const networkTankM = 32;

const metresPerBar = 10.2;

const pumpEfficiency = 0.72;

/** The bits of the status byte, 0 = least significant. */
export const statusBits = {
	intakePump1: 0,
	intakePump2: 1,
	distributionPump: 2,
	inletValve: 3,
	backwash: 4,
	chlorineDosing: 5,
	tankHigh: 6,
	alarm: 7,
} as const;

/** What the plant's instruments show beside what its state says. */
export interface Measurements {
	readonly rawTurbidityNtu: number;
	readonly filterHeadLossM: number;
	readonly filteredTurbidityNtu: number;
	readonly chlorineMgL: number;
	readonly dischargeBar: number;
	readonly powerKw: number;
	readonly networkBar: number;
	readonly statusByte: number;
}

/** What the instruments show at `timeMs` (epoch milliseconds) of a plant in `state`; the same whenever it is asked. */
export function readSensors(state: PlantState, timeMs: number): Measurements {
	const flow = state.distributionM3h / 100;
	const drawn = state.demandM3h / 100;
	const rawTurbidityNtu = 7 + 1.5 * noise(6, timeMs, hourMs) + 0.2 * noise(7, timeMs, minuteMs) + muddiedNtu(timeMs);
	const filteredTurbidityNtu = 0.09 + 0.12 * state.clogging ** 2 + 0.008 * rawTurbidityNtu + 0.01 * noise(8, timeMs, minuteMs);
	const chlorineMgL = Math.max(0, state.treatedChlorineMgL + 0.008 * noise(9, timeMs, minuteMs));
	const staticBar = (networkTankM + state.networkLevelM) / metresPerBar;
	const dischargeBar = staticBar + 0.045 * flow ** 2 + 0.01 * noise(10, timeMs, minuteMs);
	const liftM = dischargeBar * metresPerBar - state.treatedLevelM;
	return {
		rawTurbidityNtu,
		filterHeadLossM: (0.35 + 1.3 * state.clogging) * (state.filteredM3h / 340) ** 2,
		filteredTurbidityNtu,
		chlorineMgL,
		dischargeBar,
		powerKw: (9.81 * (state.distributionM3h / 3600) * liftM) / pumpEfficiency,
		networkBar: staticBar - 0.06 * drawn ** 2 + 0.01 * noise(11, timeMs, minuteMs),
		statusByte: byteOf({
			intakePump1: isRunning(state.intakePumps, 1),
			intakePump2: isRunning(state.intakePumps, 2),
			distributionPump: state.distributionPumps.running > 0,
			inletValve: state.filteredM3h > 0,
			backwash: state.washing,
			chlorineDosing: state.dosing && state.filteredM3h > 0,
			tankHigh: state.networkLevelM > 4.8,
			alarm: filteredTurbidityNtu > 0.5 || chlorineMgL < 0.6 || state.networkLevelM < 1.5,
		}),
	};
}

/** Rain muddies the river every few days: from 0 to about 60 NTU more. */
const muddiedNtu = (timeMs: number): number => Math.max(0, noise(5, timeMs, 8 * hourMs) - 0.55) * 130;

function byteOf(bits: Readonly<Record<keyof typeof statusBits, boolean>>): number {
	let byte = 0;
	if (bits.intakePump1) byte |= 1 << statusBits.intakePump1;
	if (bits.intakePump2) byte |= 1 << statusBits.intakePump2;
	if (bits.distributionPump) byte |= 1 << statusBits.distributionPump;
	if (bits.inletValve) byte |= 1 << statusBits.inletValve;
	if (bits.backwash) byte |= 1 << statusBits.backwash;
	if (bits.chlorineDosing) byte |= 1 << statusBits.chlorineDosing;
	if (bits.tankHigh) byte |= 1 << statusBits.tankHigh;
	if (bits.alarm) byte |= 1 << statusBits.alarm;
	return byte;
}
