import * as v from 'valibot';
import { alarmEventSchema } from './alarm-event.ts';
import { activeCauses } from './evaluator-state.ts';
import { countSchema, timeSchema } from './stored-number.ts';

/**
 * What subscribers were not told yet about one alarm (shared/domain/alarm/EVALUATION.md#messages). One row an alarm: while a message cannot
 * be sent, further events merge into it. Times are epoch milliseconds.
 */
export const outboxSchema = v.object({
	/** Counts every change of the row, from 1. */
	rowVersion: countSchema,
	/** Number of `raised` events that wait. */
	raises: countSchema,
	/** The newest event that waits; null: none waits. */
	lastEvent: v.nullable(alarmEventSchema),
	/** Whether the next tick sends a message for it. Other rows wait for the next message. */
	urgent: v.boolean(),
	/** When the oldest waiting event was written; null: none waits. */
	firstAt: v.nullable(timeSchema),
	/** When a message last told that the alarm was raised, or still active; null: never. One that told only of its end does not count. */
	sentAt: v.nullable(timeSchema),
	/** The cause that such a message told last; null: none. */
	sentCause: v.nullable(v.picklist(activeCauses)),
	/** The newest occurrence that such a message told; 0: none. */
	sentOccurrence: countSchema,
});

/** What subscribers were not told yet about one alarm. */
export type Outbox = v.InferOutput<typeof outboxSchema>;
