import * as v from 'valibot';
import { storedActorSchema } from '../access/actor.ts';
import { type Alarm, alarmSchema } from '../board/alarm.ts';
import { storedTimeSchema } from '../calendar/iso-time.ts';

/** A count of a stored row, from 0. */
export const countSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** The kinds of entries in the journal of alarms. `gap`: a time that was never evaluated; it concerns no single alarm. */
const kinds = ['raised', 'cleared', 'acknowledged', 'shelved', 'unshelved', 'changed', 'deleted', 'gap'] as const;

/**
 * The writer of an event, and the number that the writer gave it. Together with time and alarm they form the event's key, so that keys of
 * two writers never collide. `evaluator`: `seq` of the state; `operator`: `n` of the operator's row; `definition`: the version of the
 * saved alarm; for a deletion, one more than the stored version.
 */
const originSchema = v.object({ writer: v.picklist(['evaluator', 'operator', 'definition']), number: countSchema });

/** An entry in the journal of alarms (shared/domain/alarm/EVALUATION.md#the-journal). Times are epoch milliseconds. */
export const alarmEventSchema = v.object({
	/** When it happened: event time for the evaluator, the clock for everything else. */
	time: storedTimeSchema,
	/** When it was written. */
	recordedAt: storedTimeSchema,
	/** 0: the event concerns the whole schema. */
	alarmId: countSchema,
	origin: originSchema,
	/** The occurrence of the alarm that the event belongs to; 0: none. */
	occurrence: countSchema,
	kind: v.picklist(kinds),
	/**
	 * For `raised`: why the alarm was raised. For `cleared`: `disabled` or `deleted` when that ended it, otherwise the cause that ended.
	 * Null for other kinds.
	 */
	cause: v.nullable(v.picklist(['condition', 'no_data', 'disabled', 'deleted'])),
	/** The newest usable value at that time; null: there was none, or the event does not record it. */
	value: v.nullable(v.pipe(v.number(), v.finite())),
	/** The quality of the value at that time; null for events that operators cause. */
	quality: v.nullable(v.picklist(['good', 'no_data', 'bad'])),
	/** The names of the inputs that made the value unusable or too old; empty when it was usable. */
	inputs: v.array(v.string()),
	/** Who did it; null: the service itself. */
	user: v.nullable(storedActorSchema),
	comment: v.nullable(v.string()),
	/** For `shelved`: when the shelf ends. Entries of earlier releases have none. */
	shelvedUntil: v.optional(storedTimeSchema),
	/** The alarm at that time; null for `gap`, and for a deleted alarm whose definition is no longer known. */
	alarm: v.nullable(
		v.object({
			...v.pick(alarmSchema, ['name', 'severity', 'message', 'condition', 'threshold']).entries,
			/** The unit of the variable; null where the event did not read it. */
			unit: v.nullable(v.string()),
			version: countSchema,
		}),
	),
});

/** An entry in the journal of alarms. */
export type AlarmEvent = v.InferOutput<typeof alarmEventSchema>;

/** The writer of an event, as a letter of its key. Stored keys hold these letters, so they never change. */
const letters: Readonly<Record<AlarmEvent['origin']['writer'], string>> = { evaluator: 'p', operator: 'o', definition: 'd' };

// Numbers of a key have leading zeros up to these lengths, so that keys sort as their numbers do.
const timeDigits = 13;
const idDigits = 16;
const numberDigits = 10;

/**
 * Returns the key of an event within its schema. Keys sort by time, then by alarm, then by writer and number. The
 * key is also the event's id on the wire.
 * @example
 * alarmEventKey(event); // '1764000000000#0000000000000007#p0000000012'
 */
export function alarmEventKey({ time, alarmId, origin }: Pick<AlarmEvent, 'time' | 'alarmId' | 'origin'>): string {
	const number = digits(origin.number, numberDigits);
	return `${digits(time, timeDigits)}#${digits(alarmId, idDigits)}#${letters[origin.writer]}${number}`;
}

/**
 * Returns the description of an alarm for an event.
 * @param version of the saved alarm
 * @param unit of the alarm's variable; null when it was not read
 */
export function alarmOfEvent(
	{ name, severity, message, condition, threshold }: Alarm,
	{ version, unit }: { readonly version: number; readonly unit: string | null },
): NonNullable<AlarmEvent['alarm']> {
	return { name, severity, message, condition, threshold, unit, version };
}

/** Returns the start of the keys of events at `time` (epoch milliseconds), for limits of a range. */
export function alarmEventKeyStart(time: number): string {
	return digits(time, timeDigits);
}

const digits = (value: number, length: number): string => String(value).padStart(length, '0');
