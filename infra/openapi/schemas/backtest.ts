import * as v from 'valibot';
import { maxBacktestEvents } from '#domain/alarm/backtest.ts';
import { alarmEventSchema, countSchema } from '#domain/alarm-rows/alarm-event.ts';
import { activeCauses } from '#domain/alarm-rows/alarm-rows.ts';
import { describedObject } from '../component.ts';
import { differingTagSchema } from './reading.ts';

const eventSchema = v.object({
	time: v.string(),
	kind: v.picklist(['raised', 'cleared']),
	cause: v.picklist(activeCauses),
	...v.pick(alarmEventSchema, ['occurrence', 'value', 'quality', 'inputs']).entries,
});

const daySchema = v.object({ day: v.string(), raised: countSchema, activeSeconds: countSchema });

/** What an alarm would have done in the past. */
export const backtestSchema = v.object({
	resolutionSeconds: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(60)),
	events: v.array(eventSchema),
	raised: countSchema,
	activeSeconds: countSchema,
	longestSeconds: countSchema,
	uncertainSeconds: countSchema,
	tags: v.optional(v.array(differingTagSchema)),
	perDay: v.array(daySchema),
});

const raisedText = 'How often the alarm would have been raised. A change of cause counts.';

/** The schemas of back-tests. */
export const backtestComponents = {
	BacktestEvent: describedObject(eventSchema, 'What an alarm would have told.', {
		time: 'When, in ISO 8601 UTC: the end of a second, or of a step of the resolution.',
		kind: '`raised`, or `cleared`.',
		cause:
			'Of `raised`: why. Of `cleared`: what ended. `condition`: the condition holds; `no_data`: no usable value for too long.',
		occurrence: 'How often the alarm had been raised until then.',
		value: 'The newest usable value at that time; null: there was none.',
		quality: '`good`: there was a usable value. `no_data`: there was none. `bad`: a sample or the result was no number.',
		inputs: 'The names of the inputs that made the value unusable or too old.',
	}),
	BacktestDay: describedObject(daySchema, 'What an alarm would have done on one day.', {
		day: 'The day in the time zone that was asked for, `2026-11-22`.',
		raised: raisedText,
		activeSeconds: 'How long the alarm would have been active.',
	}),
	Backtest: describedObject(backtestSchema, 'What an alarm would have done in the past, had it been saved at the start.', {
		resolutionSeconds:
			'1, 10 or 60. The last sample of each step of this length counts. The finest that gives at most 90,000 steps over all inputs is taken. With 1 s, this is what the alarm would have told of the data that is there now.',
		events: `The first events, at most ${maxBacktestEvents}.`,
		raised: raisedText,
		activeSeconds: 'How long the alarm would have been active.',
		longestSeconds: 'The longest time that it would have been active without a break.',
		uncertainSeconds: 'How long there was no usable value.',
		tags: 'Where there was none because several sources write: the tags in which they differ, as in the `reason` of a reading.',
		perDay: 'Every day of the range.',
	}),
} as const;
