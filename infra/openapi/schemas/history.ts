import * as v from 'valibot';
import { historyAggregates } from '#domain/history/history-aggregates.ts';
import { historyAggregateSchema, historyFields } from '#domain/history/history-request.ts';
import { idSchema } from '#domain/validation/field.ts';
import { maxHistoryIds } from '#domain/validation/input-limits.ts';
import { queryAggregates } from '#domain/variable/aggregates.ts';
import { timeUnits } from '#domain/variable/duration.ts';
import { described, describedObject } from '../component.ts';
import { qualitySchema, reasonSchema } from './reading.ts';

/** A time in epoch milliseconds. It is a safe integer from 0, as an id is. */
export const epochMsSchema = idSchema;

/** The times at which consecutive windows meet, with the start of the first and the end of the last. */
export const boundsSchema = v.array(epochMsSchema);

/** The length of windows. */
export const periodSchema = v.object({ count: v.number(), unit: v.picklist(timeUnits) });

/** A value for each window. */
export const columnSchema = v.array(v.nullable(v.number()));

/** A column for each aggregate that was asked for. */
const columnsSchema = v.partial(v.object(v.entriesFromList(historyAggregates, columnSchema)));

const windowIndexSchema = v.pipe(v.number(), v.integer(), v.minValue(0));

const variableHistorySchema = v.object({
	id: idSchema,
	name: v.nullable(v.string()),
	unit: v.nullable(v.string()),
	quality: qualitySchema,
	reason: v.optional(reasonSchema),
	period: v.nullable(periodSchema),
	aggregate: v.nullable(v.picklist(queryAggregates)),
	values: columnsSchema,
	faults: v.optional(v.record(v.string(), v.array(windowIndexSchema))),
	unavailable: v.optional(v.array(historyAggregateSchema)),
});

/** The histories of variables over the same windows. */
export const historySchema = v.object({
	bounds: boundsSchema,
	period: periodSchema,
	timeZone: v.string(),
	dayStart: v.string(),
	variables: v.array(variableHistorySchema),
});

/** The histories of a variable as stored and as sent, over the same windows. */
export const draftHistorySchema = v.object({
	bounds: boundsSchema,
	period: periodSchema,
	timeZone: v.string(),
	dayStart: v.string(),
	before: v.nullable(variableHistorySchema),
	after: variableHistorySchema,
});

/** The schemas of POST /history. */
export const historyComponents = {
	HistoryAggregate: described(
		historyAggregateSchema,
		'What is answered of each window: `own` is the variable’s own aggregate, `coverage` the share of its periods that hold a sample.',
	),
	HistoryRequest: describedObject(
		historyFields,
		'Variables, a range and its windows. `period` and `points` exclude each other. At most 100,000 values are answered (windows x ids x aggregates), 500,000 read, and 2,000,000 own periods looked through for `coverage` (413 otherwise).',
		{
			ids: `The ids of the variables, 1 to ${maxHistoryIds}, all different, answered in this order.`,
			start:
				'The start of the range: ISO 8601 with `Z` or an offset, or epoch milliseconds. Before now, and at most 10 years of 366 days before `end`.',
			end: 'The end of the range, in the same forms. An end in the future is taken as now. Left out: now.',
			period:
				'The length of a window. Months and years are whole numbers. Unless days begin at 00:00 UTC, a period must divide 24 h or be whole days, months or years.',
			points:
				'Instead of `period`: the most windows. The smallest of 1 5 10 30 s, 1 5 10 15 30 min, 1 2 6 12 h, 1 7 d, 1 3 mo, 1 y that gives no more is taken, and none that is shorter than the shortest period of the variables themselves. Left out: 500.',
			aggregates:
				'What is answered of each window. `own` is the variable’s own aggregate. `mean` is of the samples, each of the same weight; it is not weighted by time.',
			timeZone:
				'The IANA name of the time zone in which days, months and years begin, such as `Europe/Madrid`. Windows below a day begin anew with each day.',
			dayStart: 'The local time at which a day begins, `HH:MM`.',
		},
	),
	WindowPeriod: describedObject(periodSchema, 'The length of windows.', {
		count: 'The number of units.',
		unit: 'The unit: `m` is minutes, `mo` months.',
	}),
	HistoryColumn: described(columnSchema, 'A value for each window; null where it is empty or has a fault.'),
	VariableHistory: describedObject(variableHistorySchema, 'The history of one variable.', {
		id: 'The id that was asked for.',
		name: 'The name of the variable; null where there is none.',
		unit: 'The unit of the values; null where there is no variable.',
		quality: 'The quality of the range: `bad`, `missing_reference`, `no_data` or `good`.',
		reason: 'Why the quality is not `good`; absent only where it is.',
		period:
			'The variable’s own period, of which `coverage` tells the share; the longest of its inputs for a calculated variable. Null where there is none.',
		aggregate: 'The variable’s own aggregate; null for a calculated variable and where there is no variable.',
		values:
			'A column for each aggregate. `count` is 0 where a window is empty. `coverage` is the share of the variable’s own periods beginning in the window that hold a sample. A period that the range cuts, at its start or its end, counts for nothing; `coverage` is null where no period is left, also in the last window, and for periods of months and years. All columns are null where there is no variable, or where its samples are text or of several types.',
		faults:
			'The windows that have samples and in at least one column no value, by the code of the fault: the indices of the windows.',
		unavailable: 'The aggregates asked for that the variable cannot have.',
	}),
	History: describedObject(historySchema, 'Histories over the same windows.', {
		bounds:
			'n + 1 epoch milliseconds: window i is [bounds[i], bounds[i + 1]). The first is the start of the range and the last its end.',
		period: 'The length of the windows; the first and the last may be cut at the range.',
		timeZone: 'The canonical name of the time zone of the windows.',
		dayStart: 'The local time at which a day begins.',
		variables: 'The histories, in the order of the request.',
	}),
	DraftHistory: describedObject(draftHistorySchema, 'What a save of a variable would change in the past.', {
		bounds: 'n + 1 epoch milliseconds, as in `History`.',
		period: 'The length of the windows; the first and the last may be cut at the range.',
		timeZone: 'UTC.',
		dayStart: '00:00.',
		before: 'The history of the variable as stored, with its `own` aggregate; null where it is new.',
		after: 'The history of the variable as sent, likewise.',
	}),
} as const;
