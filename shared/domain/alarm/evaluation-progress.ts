import * as v from 'valibot';
import { countSchema, timeSchema } from './stored-number.ts';

/**
 * How far a schema is evaluated, and who evaluates it (shared/domain/alarm/EVALUATION.md#stored-rows). One row a schema. Times are epoch
 * milliseconds.
 */
export const evaluationProgressSchema = v.object({
	/** When the row was written. Lag is counted from here until the first evaluation ends. */
	createdAt: timeSchema,
	/** All alarms are evaluated until this time; null: never evaluated. */
	evaluatedUntil: v.nullable(timeSchema),
	/** The token of the evaluator that holds the lease; null: free. */
	lease: v.nullable(v.string()),
	/** When the lease expires; 0 where it is free. */
	leaseUntil: timeSchema,
	/** When a message of the schema was sent last; null: never. */
	lastSentAt: v.nullable(timeSchema),
	/** Number of alarms that the last tick could not evaluate. */
	failing: countSchema,
	/** When the oldest urgent outbox row of the schema was written, after the last tick; null: none waits. */
	urgentSince: v.nullable(timeSchema),
});

/** How far a schema is evaluated, and who evaluates it. */
export type EvaluationProgress = v.InferOutput<typeof evaluationProgressSchema>;
