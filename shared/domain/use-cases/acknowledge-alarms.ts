import * as v from 'valibot';
import type { Actor } from '../access/actor.ts';
import { acknowledgement, type OperatedAlarm } from '../alarm/alarm-operation.ts';
import { alarmStatus } from '../alarm/alarm-status.ts';
import type { DerivedState } from '../alarm/derived-state.ts';
import { inParallel } from '../alarm/in-parallel.ts';
import { type OperateDeps, operateAlarm, readOperatedAlarms } from '../alarm/operate-alarm.ts';
import {
	finiteNumber,
	integerFrom,
	listUpTo,
	optionalField,
	storedIdSchema,
	textOrEmpty,
	uniqueBy,
} from '../validation/field.ts';
import { maxAcknowledgedAlarms, maxCommentLength } from '../validation/input-limits.ts';
import { withKeywords } from '../validation/keywords.ts';
import { messageFor } from '../validation/parse.ts';
import { problem } from '../validation/problem.ts';

/** An occurrence of an alarm that a user has seen. */
export const seenOccurrenceSchema = v.object({
	id: storedIdSchema,
	occurrence: v.pipe(finiteNumber, integerFrom(1, Number.MAX_SAFE_INTEGER)),
});

/** The body of POST /ackAlarms. */
export const acknowledgementSchema = v.object({
	alarms: v.pipe(
		...listUpTo(seenOccurrenceSchema, maxAcknowledgedAlarms, 'alarms'),
		v.nonEmpty(messageFor(problem('no_items', 'At least one alarm is required.', { items: 'alarms' }))),
		uniqueBy<SeenOccurrence>('id'),
	),
	comment: optionalField(withKeywords(textOrEmpty(maxCommentLength), { form: 'lines' })),
});

/** An occurrence of an alarm that a user has seen. */
export type SeenOccurrence = v.InferOutput<typeof seenOccurrenceSchema>;

/**
 * The result for one alarm. `already`: the occurrence, and every later one, was acknowledged before. `newer`: the alarm was raised again
 * since; nothing is stored. `not_found`: there is no such alarm, or it was not raised that often.
 */
export const acknowledgementResults = ['acknowledged', 'already', 'newer', 'not_found'] as const;

/** The result for one alarm, with its stored state. `occurrence` and the state are null when there is no such alarm. */
export interface AcknowledgedAlarm {
	readonly id: number;
	readonly result: (typeof acknowledgementResults)[number];
	readonly state: DerivedState | null;
	/** The newest occurrence. */
	readonly occurrence: number | null;
}

/** Who acknowledges, and why. */
export interface Acknowledger {
	readonly user: Actor;
	readonly comment: string | null;
}

/** Alarms that are acknowledged at the same time. */
const concurrency = 10;

/**
 * Acknowledges occurrences of alarms, each alarm in a transaction of its own. Only the occurrence that the user names is acknowledged, and
 * those before it.
 * @returns what became of each alarm, in their order
 * @throws DomainError the errors of `operateAlarm`; the alarms before it may have been acknowledged, and a retry is harmless
 */
export async function acknowledgeAlarms(
	deps: OperateDeps & { readonly now: () => number },
	schema: string,
	seen: readonly SeenOccurrence[],
	by: Acknowledger,
): Promise<readonly AcknowledgedAlarm[]> {
	const ids = seen.map(({ id }) => id);
	const alarms = await readOperatedAlarms(deps, schema, ids);
	const operation = { ...by, now: deps.now() };
	const results = new Map<number, AcknowledgedAlarm>();
	await inParallel(concurrency, seen, async ({ id, occurrence }) => {
		const decide = (alarm: OperatedAlarm | null) => {
			const answer = resultOf(alarm, id, occurrence, operation.now);
			if (alarm === null || answer.result !== 'acknowledged') return { commit: null, answer };
			const commit = acknowledgement(alarm, occurrence, operation);
			return { commit, answer: { ...answer, state: stateAfter(alarm, commit.operator?.put ?? null, operation.now) } };
		};
		results.set(id, await operateAlarm(deps, schema, id, decide, { first: alarms.get(id) ?? null }));
	});
	return ids.flatMap((id) => results.get(id) ?? []);
}

function resultOf(alarm: OperatedAlarm | null, id: number, seen: number, now: number): AcknowledgedAlarm {
	if (alarm === null) return { id, result: 'not_found', state: null, occurrence: null };
	const { state, occurrence } = alarmStatus(alarm.row, alarm.rows, now);
	const acknowledged = alarm.rows.operator?.ackedOccurrence ?? 0;
	const answer = { id, state, occurrence };
	if (seen > occurrence) return { ...answer, result: 'not_found' };
	if (occurrence <= acknowledged) return { ...answer, result: 'already' };
	return { ...answer, result: seen < occurrence ? 'newer' : 'acknowledged' };
}

function stateAfter({ row, rows }: OperatedAlarm, operator: OperatedAlarm['rows']['operator'], now: number): DerivedState | null {
	return alarmStatus(row, { ...rows, operator }, now).state;
}
