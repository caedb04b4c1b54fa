import * as v from 'valibot';
import { storedActorSchema } from '../access/actor.ts';
import { storedTimeSchema } from '../calendar/iso-time.ts';
import { alarmEventSchema, countSchema } from './alarm-event.ts';

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
	/** The time of the state. Observations before it are never processed again. */
	until: storedTimeSchema,
	/** Whether the condition holds, deadband and delays considered. */
	on: v.boolean(),
	/** Since when the value disagrees with `on`; null: it agrees. */
	pendingSince: v.nullable(storedTimeSchema),
	/** Since when there is no usable value; null: there is one. Delays pause meanwhile. */
	uncertainSince: v.nullable(storedTimeSchema),
	/** The time of the newest usable value: that of its oldest input. */
	lastUsableAt: storedTimeSchema,
	/** Whether there has been no usable value for longer than the alarm allows. */
	silent: v.boolean(),
	/** Null: the alarm is not active. */
	cause: v.nullable(v.picklist(activeCauses)),
	/** When `cause` changed last; null: it never did. */
	since: v.nullable(storedTimeSchema),
	/** Number of times that the alarm was raised. A change of cause while it is active raises it again. */
	occurrence: countSchema,
	/** Number of events that the evaluator wrote for the alarm. */
	seq: countSchema,
	/** The newest usable value; null: there was none yet. */
	value: v.nullable(v.pipe(v.number(), v.finite())),
});

/** The state of one alarm, written by the evaluator only. */
export type EvaluatorState = v.InferOutput<typeof evaluatorStateSchema>;

/**
 * What operators did with one alarm (shared/domain/alarm/EVALUATION.md#stored-rows). Users write it; the evaluator also writes it
 * when a shelf ends. It is a row of its own, so an acknowledgement never conflicts with an evaluation. Times are epoch milliseconds.
 */
export const operatorStateSchema = v.object({
	/** Counts every change of the row, from 1. */
	rowVersion: countSchema,
	/** The newest occurrence that was acknowledged; 0: none. */
	ackedOccurrence: countSchema,
	ackedBy: v.nullable(storedActorSchema),
	ackedAt: v.nullable(storedTimeSchema),
	/** No messages about the alarm are sent until then; null: it is not shelved. */
	shelvedUntil: v.nullable(storedTimeSchema),
	shelvedBy: v.nullable(storedActorSchema),
	/** Why it is shelved. */
	reason: v.nullable(v.string()),
	/** Number of events that were written for operations on the alarm. The next one gets the number after it. */
	n: countSchema,
});

/** What operators did with one alarm. */
export type OperatorState = v.InferOutput<typeof operatorStateSchema>;

/** The operator's row before the first operation: its `rowVersion` of 0 is never stored. */
export const noOperatorState: OperatorState = {
	rowVersion: 0,
	ackedOccurrence: 0,
	ackedBy: null,
	ackedAt: null,
	shelvedUntil: null,
	shelvedBy: null,
	reason: null,
	n: 0,
};

/** Returns whether the alarm is shelved at `now` (epoch milliseconds). A shelf ends by itself. */
export function isShelved({ shelvedUntil }: OperatorState, now: number): boolean {
	return shelvedUntil !== null && now < shelvedUntil;
}

/**
 * The events of one alarm that no message has reported yet (shared/domain/alarm/EVALUATION.md#messages). An alarm has one row: while a
 * message cannot be sent, further events merge into it. Times are epoch milliseconds.
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
	/** When the first urgent event that waits was written; null: none waits. Rows of earlier releases have the first event of any kind. */
	firstAt: v.nullable(storedTimeSchema),
	/**
	 * When a message last told that the alarm was raised, or still active; null: never. A message that told only of its end does not
	 * count.
	 */
	sentAt: v.nullable(storedTimeSchema),
	/** The cause in the message of `sentAt`; null: none. */
	sentCause: v.nullable(v.picklist(activeCauses)),
	/** The newest occurrence in the message of `sentAt`; 0: none. */
	sentOccurrence: countSchema,
	/** The newest occurrence of which a message told that it is acknowledged; 0: none. Rows of earlier releases have none. */
	sentAcknowledged: v.optional(countSchema, 0),
});

/** The events of one alarm that no message has reported yet. */
export type Outbox = v.InferOutput<typeof outboxSchema>;

/**
 * How far a schema is evaluated, and who evaluates it (shared/domain/alarm/EVALUATION.md#stored-rows). A schema has one row. Times are
 * epoch milliseconds.
 */
export const evaluationProgressSchema = v.object({
	/** When the row was written. Lag is counted from here until the first evaluation ends. */
	createdAt: storedTimeSchema,
	/** All alarms are evaluated until this time; null: never evaluated. */
	evaluatedUntil: v.nullable(storedTimeSchema),
	/** The token of the evaluator that holds the lease; null: free. */
	lease: v.nullable(v.string()),
	/** When the lease expires; 0 where it is free. */
	leaseUntil: storedTimeSchema,
	/** When a message of the schema was sent last; null: never. */
	lastSentAt: v.nullable(storedTimeSchema),
	/** Number of alarms that the last tick could not evaluate. */
	failing: countSchema,
	/** When the first urgent event was written that still waited after the last tick; null: none waits. */
	urgentSince: v.nullable(storedTimeSchema),
});

/** How far a schema is evaluated, and who evaluates it. */
export type EvaluationProgress = v.InferOutput<typeof evaluationProgressSchema>;
