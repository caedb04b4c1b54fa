import type { EvaluationProgress } from '../alarm-rows/alarm-rows.ts';

/** Whether the alarms of a schema are evaluated. `late`: not for more than three minutes. `never`: not yet, or not any more. */
export const evaluationStatuses = ['ok', 'late', 'never'] as const;

/** How far the alarms of a schema are evaluated. */
export interface EvaluationStatus {
	/** The states of the alarms are those of this time, epoch milliseconds; null: there are none. */
	readonly until: number | null;
	readonly status: (typeof evaluationStatuses)[number];
}

/** The lag beyond which a schema is late, in milliseconds. */
export const lateMs = 180_000;

/**
 * Returns how far the alarms of a schema are evaluated.
 * @param progress null: the schema is not evaluated
 * @param now epoch milliseconds
 */
export function evaluationStatus(progress: Pick<EvaluationProgress, 'evaluatedUntil'> | null, now: number): EvaluationStatus {
	const until = progress?.evaluatedUntil ?? null;
	if (until === null) return { until, status: 'never' };
	return { until, status: now - until > lateMs ? 'late' : 'ok' };
}
