import type { PumpPair } from './state.ts';

/** The tank levels, in metres, at which a pair's first and second pump start (falling) and stop (rising). */
export type PumpBands = Readonly<Record<'firstOnM' | 'firstOffM' | 'secondOnM' | 'secondOffM', number>>;

/** Returns the next position of a switch: on at or below `onLevel`, off at or above `offLevel`, unchanged in between. */
export function hysteresis(isOn: boolean, level: number, onLevel: number, offLevel: number): boolean {
	return level <= onLevel || (isOn && level < offLevel);
}

/** Starts and stops the pumps of a pair by the level of the tank that they fill. The lead changes whenever both have stopped. */
export function switchPumps(pair: PumpPair, levelM: number, bands: PumpBands): PumpPair {
	const isFirstOn = hysteresis(pair.running > 0, levelM, bands.firstOnM, bands.firstOffM);
	const isSecondOn = hysteresis(pair.running > 1, levelM, bands.secondOnM, bands.secondOffM);
	if (isFirstOn) return { running: isSecondOn ? 2 : 1, lead: pair.lead };
	const otherLead = pair.lead === 1 ? 2 : 1;
	return pair.running > 0 ? { running: 0, lead: otherLead } : pair;
}

/** Sets `running` to match the mean flow over a step: during a long step, pumps may have started. */
export function withFlow(pair: PumpPair, flowM3h: number): PumpPair {
	if (flowM3h === 0) return { ...pair, running: 0 };
	return pair.running === 0 ? { ...pair, running: 1 } : pair;
}

/** Whether pump 1 or 2 of a pair is running. */
export function isRunning({ running, lead }: PumpPair, pump: PumpPair['lead']): boolean {
	return running === 2 || (running === 1 && lead === pump);
}
