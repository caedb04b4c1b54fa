import * as v from 'valibot';
import { derivedStates } from '#domain/alarm/derived-state.ts';
import { evaluationStatuses } from '#domain/alarm/evaluation-status.ts';
import { alarmEventSchema, countSchema } from '#domain/alarm-rows/alarm-event.ts';
import { activeCauses } from '#domain/alarm-rows/alarm-rows.ts';
import { acknowledgementResults, acknowledgementSchema, seenOccurrenceSchema } from '#domain/use-cases/acknowledge-alarms.ts';
import { shelfSchema } from '#domain/use-cases/shelve-alarm.ts';
import { idSchema } from '#domain/validation/field.ts';
import { maxAcknowledgedAlarms } from '#domain/validation/input-limits.ts';
import { describedObject } from '../component.ts';
import { actorsText, namedActors } from './actor.ts';
import { alarmTexts, savedBoardSchemas } from './board.ts';
import { differingTagSchema, nullableTimestampSchema, qualitySchema, timestampSchema } from './reading.ts';
import { savedTexts } from './variable.ts';

const stateSchema = v.nullable(v.picklist(derivedStates));

/** An alarm with its current value and its state. */
export const alarmStateSchema = v.object({
	...savedBoardSchemas.alarm.entries,
	active: v.nullable(v.boolean()),
	value: v.nullable(v.number()),
	quality: qualitySchema,
	tags: v.optional(v.array(differingTagSchema)),
	state: stateSchema,
	since: nullableTimestampSchema,
	cause: v.nullable(v.picklist(activeCauses)),
	occurrence: countSchema,
	...namedActors('acknowledgedBy', 'shelvedBy'),
	acknowledgedAt: nullableTimestampSchema,
	shelvedUntil: nullableTimestampSchema,
	reason: v.nullable(v.string()),
	uncertainSince: nullableTimestampSchema,
});

/** How far the alarms of a schema are evaluated. */
export const evaluationSchema = v.object({
	until: nullableTimestampSchema,
	status: v.picklist(evaluationStatuses),
	unbound: countSchema,
});

/** The result of the acknowledgement of one alarm. */
export const acknowledgedAlarmSchema = v.object({
	id: idSchema,
	result: v.picklist(acknowledgementResults),
	state: stateSchema,
	occurrence: v.nullable(countSchema),
});

/** An entry of the journal. */
export const journalEntrySchema = v.object({
	id: v.string(),
	time: timestampSchema,
	recordedAt: timestampSchema,
	// `origin` only makes the key of the stored event.
	...v.omit(alarmEventSchema, ['time', 'recordedAt', 'origin']).entries,
	...namedActors('user'),
	shelvedUntil: v.optional(timestampSchema),
});

const stateText =
	'`normal`; `active_unacknowledged`: active, and nobody acknowledged it; `active_acknowledged`; `returned_unacknowledged`: no longer active, and nobody acknowledged it; `disabled`. Null: not evaluated yet.';

/** The schemas of what operators see of alarms, and do with them. */
export const alarmComponents = {
	AlarmState: describedObject(alarmStateSchema, 'A saved alarm with its current value and its state.', {
		...alarmTexts,
		...savedTexts,
		active: 'Whether the condition holds for the current value; null without a value of quality `good` or `stale`.',
		value: 'The newest value of the variable, or of its bit; null where there is none.',
		quality: 'Whether the value can be trusted.',
		tags: 'Where several sources write at the time of the newest value: the tags in which they differ, as in the `reason` of a reading.',
		state: stateText,
		since: 'When the alarm was raised or cleared last; null: never.',
		cause:
			'Why the alarm is active. `condition`: the condition holds; `no_data`: no usable value for too long, and none since that meets the condition or lasts for the off delay. Null: it is not active.',
		occurrence: 'How often the alarm was raised. To acknowledge it, send this number.',
		acknowledgedBy: 'Who acknowledged this occurrence; null: nobody did.',
		acknowledgedAt: 'When that was.',
		shelvedUntil: 'Nobody is told about the alarm until then; null: it is not shelved.',
		shelvedBy: 'Who shelved it.',
		actors: actorsText,
		reason: 'Why it is shelved.',
		uncertainSince: 'Since when there is no usable value; null: there is one.',
	}),
	Evaluation: describedObject(evaluationSchema, 'How far the alarms are evaluated.', {
		until: 'The states are those of this time; null: there are none.',
		status:
			'`ok`; `late`: the lag beside the settle time is more than 180 s, so an alarm may be active that is not shown so; `never`: the alarms are not evaluated.',
		unbound:
			'Number of alarms in this answer that are not evaluated until they are saved again: they were saved by an earlier release.',
	}),
	SeenOccurrence: describedObject(seenOccurrenceSchema, 'An occurrence of an alarm that a user has seen.', {
		id: 'The id of the alarm.',
		occurrence: 'The `occurrence` that the user saw.',
	}),
	AcknowledgementInput: describedObject(acknowledgementSchema, 'Alarms to acknowledge.', {
		alarms: `The alarms, at most ${maxAcknowledgedAlarms}, each once.`,
		comment: 'What the journal says beside the acknowledgement.',
	}),
	AcknowledgedAlarm: describedObject(acknowledgedAlarmSchema, 'What became of an alarm that was to be acknowledged.', {
		id: 'The id of the alarm.',
		result:
			'`acknowledged`; `already`: that occurrence and every later one was acknowledged before; `newer`: the alarm was raised again since, so nothing is stored: look at it, and send the new occurrence; `not_found`: there is no such alarm, or it was never raised so often.',
		state: `The state now. ${stateText}`,
		occurrence: 'How often the alarm was raised; null: there is no such alarm.',
	}),
	ShelfInput: describedObject(shelfSchema, 'How long an alarm is shelved.', {
		minutes: 'Minutes from now.',
		reason: 'Why nobody is to be told.',
	}),
	JournalEntry: describedObject(journalEntrySchema, 'An entry of the journal of alarms.', {
		id: 'The id of the entry. Ids sort as the entries do.',
		time: 'When it happened. Of `raised` and `cleared`: the time of the data.',
		recordedAt: 'When it was written.',
		alarmId: 'The id of the alarm; 0: the entry concerns all alarms.',
		occurrence: 'The occurrence of the alarm that the entry belongs to; 0: none.',
		kind: 'What happened. `changed`: the alarm was saved; `gap`: the time that the comment names was never evaluated.',
		cause: 'Of `raised`: why. Of `cleared`: what ended, or `disabled` or `deleted` where that ended it.',
		value: 'The newest usable value at that time; null: there was none, or the entry does not tell.',
		quality: 'Of `raised` and `cleared`: what was known of the value. Null for what users do.',
		inputs: 'The names of the inputs that made the value unusable or too old.',
		user: 'Who did it; null: the service itself.',
		actors: actorsText,
		comment: 'The comment of an acknowledgement, the reason of a shelf, or what the service says of it.',
		shelvedUntil: 'Of `shelved`: when the shelf ends by itself.',
		alarm: 'The alarm as it was then; null where the entry concerns all alarms.',
	}),
} as const;
