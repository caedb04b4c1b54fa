import * as v from 'valibot';
import { countSchema } from '#domain/alarm-rows/alarm-event.ts';
import { conditions } from '#domain/board/condition.ts';
import { severities } from '#domain/board/line.ts';
import { idSchema } from '#domain/validation/field.ts';
import { describedObject } from '../component.ts';
import { timestampSchema } from './reading.ts';

const kindSchema = v.picklist(['raised', 'reminder', 'cleared', 'acknowledged']);

const messageAlarmSchema = v.object({
	id: idSchema,
	name: v.string(),
	severity: v.picklist(severities),
	message: v.string(),
	condition: v.picklist(conditions),
	threshold: v.number(),
	unit: v.nullable(v.string()),
	kind: kindSchema,
	// Generators fail on a choice that can be null within a webhook.
	cause: v.nullable(v.string()),
	value: v.nullable(v.number()),
	since: timestampSchema,
	occurrence: countSchema,
	raises: countSchema,
	eventId: v.nullable(v.string()),
});

const messageNumberSchema = v.object({
	group: v.nullable(v.string()),
	name: v.string(),
	unit: v.string(),
	function: v.string(),
	decimals: countSchema,
	value: v.nullable(v.number()),
	low: v.nullable(v.number()),
	high: v.nullable(v.number()),
	known: v.nullable(v.number()),
});

const messageRiseSchema = v.object({ name: v.string(), since: v.string(), nights: countSchema, certain: v.boolean() });

const text = 'The message as an e-mail has it. Only where it is posted.';

/** The schemas of messages that the service sends (functions/README.md#messages). */
export const messageComponents = {
	MessageAlarm: describedObject(messageAlarmSchema, 'An alarm of a message.', {
		id: 'The id of the alarm.',
		name: 'Its name.',
		severity: 'Its severity.',
		message: 'What to do.',
		condition: 'Its condition.',
		threshold: 'Its threshold.',
		unit: 'The unit of value and threshold; null: not known.',
		kind: 'Why it is told. `reminder`: it is critical, still active, and nobody acknowledged it. `acknowledged`: it is still active.',
		cause: 'Why it is active, `condition` or `no_data`; null: it is not.',
		value: 'The value; null: none is usable.',
		since: 'When its present state began.',
		occurrence: 'How often it was raised.',
		raises: 'How often it was raised since the last message about it.',
		eventId: 'The id of the newest entry of the journal; null for reminders and acknowledgements.',
	}),
	AlarmMessage: describedObject(
		v.object({
			text: v.optional(v.string()),
			schema: v.string(),
			kind: kindSchema,
			severity: v.picklist(severities),
			alarms: v.array(messageAlarmSchema),
			more: countSchema,
		}),
		'A message about alarms.',
		{
			text,
			schema: 'The tenant.',
			kind: 'The most urgent of the alarms: `raised`, then `reminder`, `cleared`, `acknowledged`.',
			severity: 'The worst of the alarms.',
			alarms: 'The alarms, worst first.',
			more: 'How many alarms are left out.',
		},
	),
	MessageNumber: describedObject(messageNumberSchema, 'A number of a report.', {
		group: 'The group of its line; null: none.',
		name: 'The name of its line.',
		unit: 'Its unit.',
		function: 'What it counts, as lines of reports name it. More functions may come.',
		decimals: 'With how many decimals it is shown.',
		value: 'The number; null: there is none.',
		low: 'The truth is not less; null where nobody knows.',
		high: 'The truth is not more; null where nobody knows.',
		known: 'The share of the day that is known, 0 to 1; null where the line counts only hours that the day lacks.',
	}),
	MessageRise: describedObject(messageRiseSchema, 'A rise above a reference.', {
		name: 'The name of the line.',
		since: 'The local date of its first night.',
		nights: 'How many nights it lasts.',
		certain: 'Whether it is a rise whatever is not known.',
	}),
	ReportMessage: describedObject(
		v.object({
			text: v.optional(v.string()),
			kind: v.literal('report'),
			state: v.literal('provisional'),
			schema: v.string(),
			reportId: idSchema,
			title: v.string(),
			date: v.string(),
			from: timestampSchema,
			to: timestampSchema,
			timeZone: v.string(),
			isRepeated: v.boolean(),
			numbers: v.array(messageNumberSchema),
			raised: v.optional(v.array(messageRiseSchema)),
		}),
		'The first numbers of a day of a report.',
		{
			text,
			kind: 'That it is about a report.',
			state: 'That its numbers may still change.',
			schema: 'The tenant.',
			reportId: 'The id of the report.',
			title: 'Its title.',
			date: 'The local date of the day.',
			from: 'The beginning of the day.',
			to: 'Its end.',
			timeZone: 'The time zone of the report.',
			isRepeated: 'Whether it may have been sent before.',
			numbers: 'The numbers, in the order of the report.',
			raised: 'The watched lines that are above their references. Absent where there is none.',
		},
	),
} as const;
