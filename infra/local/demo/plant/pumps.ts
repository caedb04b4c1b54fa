import type { PumpPair } from './state.ts';

/** The levels at which a pair's first and second pump start (falling) and stop (rising), in metres. */
export interface PumpBands {
	readonly firstOnM: number;
	readonly firstOffM: number;
	readonly secondOnM: number;
	readonly secondOffM: number;
}

/** A switch with two levels: on at or below the lower, off at or above the upper, in between as it was. */
export function hysteresis(on: boolean, levelM: number, onM: number, offM: number): boolean {
	if (levelM <= onM) return true;
	if (levelM >= offM) return false;
	return on;
}

/** Starts and stops the pair's pumps by the level of the tank that they fill. After both have stopped, the other one leads. */
export function switchPumps(pair: PumpPair, levelM: number, bands: PumpBands): PumpPair {
	const first = hysteresis(pair.running > 0, levelM, bands.firstOnM, bands.firstOffM);
	const second = hysteresis(pair.running > 1, levelM, bands.secondOnM, bands.secondOffM);
	if (first) return { running: second ? 2 : 1, lead: pair.lead };
	return pair.running > 0 ? { running: 0, lead: other(pair.lead) } : pair;
}

/** The pair as the flow shows it: over a long step, pumps may have run that were at rest when it began. */
export function asFlowing(pair: PumpPair, flowM3h: number): PumpPair {
	if (flowM3h === 0) return pair.running === 0 ? pair : { running: 0, lead: pair.lead };
	return pair.running === 0 ? { running: 1, lead: pair.lead } : pair;
}

/** What the pair delivers with none, one or both of its pumps running. */
export function pairM3h(pair: PumpPair, oneM3h: number, bothM3h: number): number {
	if (pair.running === 0) return 0;
	return pair.running === 1 ? oneM3h : bothM3h;
}

/** Whether pump 1 or 2 of the pair runs. */
export function isRunning(pair: PumpPair, pump: PumpPair['lead']): boolean {
	return pair.running === 2 || (pair.running === 1 && pair.lead === pump);
}

const other = (lead: PumpPair['lead']): PumpPair['lead'] => (lead === 1 ? 2 : 1);
