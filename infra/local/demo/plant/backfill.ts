/** How often the plant's instruments are read; every sample's time is a multiple of it. */
export const cadenceMs = 5000;

/** How much of the past is filled at the full cadence. */
export const fineMs = 24 * 60 * 60 * 1000;

/** Most steps of the part of a gap that is older than that: as many as one day at the full cadence. */
const maxCoarseSteps = fineMs / cadenceMs;

/** One step to take: from `fromMs` (epoch milliseconds) on, `dtMs` long. */
export interface PlannedStep {
	readonly fromMs: number;
	readonly dtMs: number;
}

/** The newest multiple of the cadence that is not after `nowMs`. */
export function boundaryAt(nowMs: number): number {
	return Math.floor(nowMs / cadenceMs) * cadenceMs;
}

/**
 * The steps from one boundary to a later one, without a hole: the last 24 h at the full cadence, what is older in equal
 * coarser steps, so that a gap of any length takes at most twice a day's steps. None where `toMs` is not later.
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
