import * as v from 'valibot';
import { countSchema, timeSchema } from './stored-number.ts';

/**
 * What operators did with one alarm (shared/domain/alarm/EVALUATION.md#stored-rows). Users write it, and the evaluator does where a shelf
 * ends. It is a row of its own, so an acknowledgement never conflicts with an evaluation. Times are epoch milliseconds. Users are named by
 * e-mail.
 */
export const operatorStateSchema = v.object({
	/** Counts every change of the row, from 1. */
	rowVersion: countSchema,
	/** The newest occurrence that was acknowledged; 0: none. */
	ackedOccurrence: countSchema,
	ackedBy: v.nullable(v.string()),
	ackedAt: v.nullable(timeSchema),
	/** The alarm tells nobody until then; null: it is not shelved. */
	shelvedUntil: v.nullable(timeSchema),
	shelvedBy: v.nullable(v.string()),
	/** Why it is shelved. */
	reason: v.nullable(v.string()),
	/** Number of events that this row wrote. */
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
