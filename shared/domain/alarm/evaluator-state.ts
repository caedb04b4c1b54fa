import * as v from 'valibot';
import { countSchema, timeSchema } from './stored-number.ts';

/** Why an alarm is active: its condition holds, or there has been no usable value for too long. */
export const activeCauses = ['condition', 'no_data'] as const;

/** Why an alarm is active. */
export type ActiveCause = (typeof activeCauses)[number];

/**
 * The state of one alarm, written by the evaluator only (shared/domain/alarm/README.md#fold). Times are epoch milliseconds, whole seconds.
 */
export const evaluatorStateSchema = v.object({
	/** Counts every change of the row, from 1. */
	rowVersion: countSchema,
	/** The versions of the alarm and of its variable that the state was computed with. 0 for the variable: the alarm is disabled. */
	basis: v.tuple([countSchema, countSchema]),
	/** The state is that of this time. Earlier observations are never stepped again. */
	until: timeSchema,
	/** Whether the condition holds, deadband and delays considered. */
	on: v.boolean(),
	/** Since when the value disagrees with `on`; null: it agrees. */
	pendingSince: v.nullable(timeSchema),
	/** Since when there is no usable value; null: there is one. Delays pause meanwhile. */
	uncertainSince: v.nullable(timeSchema),
	/** The time of the newest usable value: that of its oldest input. */
	lastUsableAt: timeSchema,
	/** Whether there has been no usable value for longer than the alarm allows. */
	silent: v.boolean(),
	/** Null: the alarm is not active. */
	cause: v.nullable(v.picklist(activeCauses)),
	/** When `cause` changed last; null: it never did. */
	since: v.nullable(timeSchema),
	/** Number of times that the alarm was raised. A change of cause while it is active raises it again. */
	occurrence: countSchema,
	/** Number of events that the evaluator wrote for the alarm. */
	seq: countSchema,
	/** The newest usable value; null: there was none yet. */
	value: v.nullable(v.pipe(v.number(), v.finite())),
});

/** The state of one alarm, written by the evaluator only. */
export type EvaluatorState = v.InferOutput<typeof evaluatorStateSchema>;
