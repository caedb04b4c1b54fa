import type { EvaluationProgress } from '../alarm-rows/alarm-rows.ts';

/** Whether the alarms of a schema are evaluated. `late`: the lag is more than three minutes. `never`: not yet, or not any more. */
export const evaluationStatuses = ['ok', 'late', 'never'] as const;

/** How far the alarms of a schema are evaluated. */
export interface EvaluationStatus {
	/** The time of the alarms' states, epoch milliseconds; null: there are no states. */
	readonly until: number | null;
	readonly status: (typeof evaluationStatuses)[number];
}

/** The largest lag of a schema that is not late, in milliseconds. */
const maxLagMs = 180_000;

/**
 * Returns how far the alarms of a schema are evaluated.
 * @param progress null: the schema is not evaluated
 * @param now epoch milliseconds
 * @param settleMs how long the evaluation waits for late samples, in milliseconds
 */
export function evaluationStatus(
	progress: Pick<EvaluationProgress, 'evaluatedUntil'> | null,
	now: number,
	settleMs: number,
): EvaluationStatus {
	const until = progress?.evaluatedUntil ?? null;
	if (until === null) return { until, status: 'never' };
	return { until, status: isLate(lagMs(until, now, settleMs)) ? 'late' : 'ok' };
}

/** Returns whether a schema with this lag, in milliseconds, is late. */
export function isLate(lag: number): boolean {
	return lag > maxLagMs;
}

/** Returns how far the evaluation is behind, in milliseconds. The time that it waits for late samples is no lag. */
export function lagMs(evaluatedUntil: number, now: number, settleMs: number): number {
	return now - settleMs - evaluatedUntil;
}
