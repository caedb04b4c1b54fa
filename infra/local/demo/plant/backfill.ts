/** Interval between two samples of a series. The time of every sample is a multiple of it. */
export const cadenceMs = 5000;

/** Length of the most recent part of the past, which is filled at the full cadence. */
export const fineMs = 24 * 60 * 60 * 1000;

/** Most steps for everything older: as many as there are half hours in a year. Values that are held for half an hour then leave no gaps. */
const maxCoarseSteps = 365 * 48;

/** One step of the simulation: from `fromMs` (epoch milliseconds), `dtMs` long. */
export interface PlannedStep {
	readonly fromMs: number;
	readonly dtMs: number;
}

/** Returns the newest multiple of the cadence that is not after `nowMs`. */
export function boundaryAt(nowMs: number): number {
	return Math.floor(nowMs / cadenceMs) * cadenceMs;
}

/**
 * Yields the steps from one boundary to a later one without a hole: the last 24 h at the full cadence, anything older in equal longer
 * steps. Any interval therefore takes at most some 35,000 steps, as many as two days at the full cadence. Yields nothing unless `toMs` is later
 * than `fromMs`.
 */
export function* stepsBetween(fromMs: number, toMs: number): Generator<PlannedStep, void, undefined> {
	const fineFromMs = Math.max(fromMs, toMs - fineMs);
	const coarseMs = Math.ceil((fineFromMs - fromMs) / maxCoarseSteps / cadenceMs) * cadenceMs;
	let timeMs = fromMs;
	while (timeMs < toMs) {
		const dtMs = timeMs < fineFromMs ? Math.min(coarseMs, fineFromMs - timeMs) : cadenceMs;
		yield { fromMs: timeMs, dtMs };
		timeMs += dtMs;
	}
}
