import * as v from 'valibot';
import { maxLines } from '#domain/board/line.ts';
import { referenceSchema, reportLineSchema, reportSchema, watchSchema } from '#domain/board/report.ts';
import { dayStates } from '#domain/report/assemble-report.ts';
import { dayCauses } from '#domain/report/compare-days.ts';
import { reportPeriods } from '#domain/report/report-period.ts';
import { reportRequestFields } from '#domain/report/report-request.ts';
import { sealRequestSchema } from '#domain/use-cases/seal-report-days.ts';
import { idSchema } from '#domain/validation/field.ts';
import { describedObject } from '../component.ts';
import { actorsText, namedActors } from './actor.ts';
import { savedBoardSchemas, sentEntrySchema, shownCorrectionSchema } from './board.ts';
import { boundsSchema, epochMsSchema } from './history.ts';
import { differingTagSchema } from './reading.ts';
import { countedLineSchema, detailTexts, lineTexts, mixedText, termsText, totalNumberSchema } from './totals.ts';
import { savedFields, savedTexts } from './variable.ts';

/** What a report says of a line beside its numbers. */
const headFields = { name: v.string(), unit: v.string(), decimals: v.optional(v.number()), group: v.optional(v.string()) };

/** Bounds of a number, and the number. */
const boundedFields = { value: v.nullable(v.number()), low: v.nullable(v.number()), high: v.nullable(v.number()) };

const nightsSchema = v.object({
	from: v.string(),
	nights: v.pipe(v.number(), v.integer(), v.minValue(1)),
	...boundedFields,
	spread: v.nullable(v.number()),
	taken: v.pipe(v.number(), v.integer(), v.minValue(0)),
});

const percentSchema = v.object(boundedFields);

const riseSchema = v.object({ ...boundedFields, percent: percentSchema });

const risesSchema = v.object({ windows: v.array(riseSchema), total: riseSchema });

const raisedSchema = v.object({
	since: v.string(),
	nights: v.pipe(v.number(), v.integer(), v.minValue(1)),
	certain: v.boolean(),
});

const readLineSchema = v.object({
	...countedLineSchema.entries,
	...headFields,
	reference: v.optional(v.nullable(nightsSchema)),
	rise: v.optional(risesSchema),
	raised: v.optional(raisedSchema),
	entries: v.optional(v.array(idSchema)),
});

const triedLineSchema = v.object({ ...countedLineSchema.entries, reference: v.optional(v.nullable(nightsSchema)) });

const changedDaySchema = v.object({
	date: v.string(),
	start: epochMsSchema,
	end: epochMsSchema,
	causes: v.array(v.picklist(dayCauses)),
	lines: v.array(v.string()),
});

/** The answer of POST /readReport. */
export const readReportSchema = v.object({
	id: idSchema,
	title: v.string(),
	timeZone: v.string(),
	dayStart: v.string(),
	period: v.picklist(reportPeriods),
	bounds: boundsSchema,
	states: v.array(v.picklist(dayStates)),
	partial: v.array(v.boolean()),
	lines: v.array(readLineSchema),
	changed: v.array(changedDaySchema),
	unsealed: v.array(v.string()),
	fault: savedFields.fault,
});

/** Which day was stored, and how. Those of its seal are null while it is provisional; it has the revision with which it will be sealed. */
const sealFields = {
	date: v.string(),
	revision: v.pipe(v.number(), v.integer(), v.minValue(1)),
	sealedAt: v.nullable(v.number()),
	...namedActors('by'),
	reason: v.nullable(v.string()),
};

/** How a day is stored. */
export const sealedDaySchema = v.object(sealFields);

const severalSchema = v.object({ at: epochMsSchema, tags: v.array(differingTagSchema) });

const dayLineSchema = v.object({
	key: v.string(),
	...headFields,
	...totalNumberSchema.entries,
	fault: v.optional(v.string()),
	faultAt: v.optional(epochMsSchema),
	several: v.optional(severalSchema),
});

const dayVersionSchema = v.object({
	...sealFields,
	start: epochMsSchema,
	end: epochMsSchema,
	timeZone: v.string(),
	dayStart: v.string(),
	countedAt: v.number(),
	lines: v.array(dayLineSchema),
	// Those about the day before may decide the day's first number (shared/domain/report/load-report.ts).
	corrections: v.array(shownCorrectionSchema),
});

/** A day of a report in all its versions. */
export const reportDaySchema = v.object({
	date: v.string(),
	versions: v.array(dayVersionSchema),
	fault: savedFields.fault,
});

/** The answer to a dry run of a report. */
export const triedReportSchema = v.object({
	report: savedBoardSchemas.report,
	bounds: boundsSchema,
	lines: v.array(triedLineSchema),
});

const reportTexts = {
	id: 'The id. In a save, 0 creates one and any other id replaces that one.',
	title: 'The title that users see.',
	timeZone: 'The IANA name of the time zone in which days begin, such as `Europe/Madrid`.',
	dayStart: 'The local time at which a day begins, `HH:MM`.',
	lines: `What the report tells, at most ${maxLines} lines with different keys. A formula uses keys of lines before it.`,
	send: 'Whether the first numbers of each day are sent to those who are told of alarms.',
} as const;

const headTexts = {
	name: 'The name that users see.',
	unit: 'The unit of the number, such as m³ where the variable is a flow in m³/h. Part of the line’s definition.',
	decimals: 'With how many decimals the number is shown.',
	group: 'Lines of one group stand together.',
} as const;

const countedTexts = {
	key: 'The key of the line.',
	values: 'A number for each window; null where nothing is known, and never 0 for that.',
	known: 'The share of each window’s time that is known, 0 to 1. Of `entered`: 1 where there is a number.',
	low: 'The truth of each window is not less.',
	high: 'The truth of each window is not more.',
	...detailTexts,
	total: 'The number of the whole range, from its own states: not a sum of ratios or means.',
	terms: termsText,
	mixed: mixedText,
	faults: 'Why numbers are missing, at most 100.',
	moreFaults: 'How many faults are not listed.',
	corrections: 'The ids of the corrections of the variable that are about some of the range, ascending.',
	reference:
		'Of a line with `reference`: the median of its nights. Null until its last night is over, and where they have too many samples to be counted now. Left out of other lines.',
} as const;

const entryTexts = {
	id: 'The id. In a save, 0 creates one and any other id replaces that one. Where several entries of a line are about one day, the one with the highest id counts.',
	reportId: 'The id of an existing report.',
	key: 'The key of a line of it with the function `entered`.',
	from: 'The first local date that the number is about, such as 2026-10-01.',
	to: 'The last one, such as 2026-10-31; at most 366 days with the first.',
	value: 'The number, in the unit of the line.',
	low: 'The truth is not less. Left out: the value.',
	high: 'The truth is not more. Left out: the value.',
	reason: 'Where the number comes from, for everybody who reads the report.',
	author: 'Who saved it last. What a client sends is ignored.',
	time: 'When it was saved last, epoch milliseconds. What a client sends is ignored.',
} as const;

const boundedTexts = {
	value: 'The number; null where there is none.',
	low: 'The truth is not less; null where nobody knows.',
	high: 'The truth is not more; null where nobody knows.',
} as const;

const sealTexts = {
	date: 'The local date on which the day begins.',
	revision: 'Counts the sealed versions of the day, from 1.',
	sealedAt: 'When it was sealed, epoch milliseconds; null: it is provisional.',
	by: 'Who sealed it; null: the service, 72 hours after the day.',
	actors: actorsText,
	reason: 'Why it was sealed anew, or before its time.',
} as const;

const numberTexts = {
	value: 'The number; null where nothing is known.',
	known: 'The share of the time that is known, 0 to 1.',
	low: 'The truth is not less; null where nobody knows.',
	high: 'The truth is not more; null where nobody knows.',
	...detailTexts,
} as const;

/** The schemas of reports. */
export const reportComponents = {
	ReportLine: describedObject(reportLineSchema, 'A line of a report: what it counts, and how it is shown.', {
		...lineTexts,
		...headTexts,
		reference: 'Of `leastMean`: the nights with which others are compared. They stay the same until somebody pins others.',
		watch: 'With `reference`: which rise above it is told of.',
	}),
	ReportReference: describedObject(referenceSchema, 'The nights with which those of a line are compared.', {
		from: 'The local date of the first night, such as 2026-09-01.',
		nights: 'How many nights, one after another.',
	}),
	ReportWatch: describedObject(watchSchema, 'When a rise is told of, to those who are told of alarms.', {
		rise: 'A night counts where its value is above that of the reference by more than this, in the unit of the variable. Twice the spread is a good choice.',
		nights: 'So many nights with a value must count, one after another. A night without a value neither counts nor breaks.',
	}),
	ReportInput: describedObject(reportSchema, 'A report to save.', reportTexts),
	Report: describedObject(savedBoardSchemas.report, 'A saved report.', { ...reportTexts, ...savedTexts }),
	ReportRequest: describedObject(reportRequestFields, 'A report, a range and the length of its windows.', {
		id: 'The id of the report.',
		start:
			'The start of the range: a date such as 2026-11-20, which is the beginning of that day of the report; ISO 8601 with `Z` or an offset; or epoch milliseconds. Before now, and at most 1,096 days before `end`.',
		end: 'The end of the range, in the same forms. An end in the future is taken as now. Left out: now.',
		period: 'The length of a window. Windows begin in the time zone of the report; weeks begin on Mondays.',
	}),
	ReadLine: describedObject(readLineSchema, 'The numbers of one line.', {
		...headTexts,
		...countedTexts,
		rise: 'With `reference`: how far the numbers are above it. Left out where it has no number.',
		raised: 'With `watch`: the newest stored day of the range was told of, or would be. Left out otherwise.',
		entries: 'Of `entered`: the ids of the entries that count in the range, ascending.',
	}),
	ReferenceNights: describedObject(nightsSchema, 'The number of the reference of a line.', {
		from: 'The local date of the first night.',
		nights: 'How many nights it has.',
		...boundedTexts,
		spread: '1.4826 times the median distance of the nights from their median. Twice of it is as usual.',
		taken: 'How many of the nights have a value.',
	}),
	Rise: describedObject(riseSchema, 'How far a number is above the reference, in the unit of the line.', {
		...boundedTexts,
		percent: 'The same in per cent of the reference. Its bounds are null where the reference may be 0 or less.',
	}),
	RisePercent: describedObject(percentSchema, 'A rise in per cent of the reference.', boundedTexts),
	Rises: describedObject(risesSchema, 'The rises of a line above its reference.', {
		windows: 'One for each window.',
		total: 'That of the whole range.',
	}),
	RaisedWatch: describedObject(raisedSchema, 'A rise that lasts for as many nights as the line says.', {
		since: 'The local date of the first of these nights.',
		nights: 'How many nights it lasts.',
		certain:
			'Whether the bounds say so, too: whatever is unknown, each of the last nights that count is above the reference by more than `rise`.',
	}),
	EntryInput: describedObject(
		sentEntrySchema,
		'An entry to save: a number that somebody enters for a line of a report.',
		entryTexts,
	),
	Entry: describedObject(savedBoardSchemas.entry, 'A saved entry of a report.', {
		...entryTexts,
		actors: actorsText,
		...savedTexts,
	}),
	TriedLine: describedObject(triedLineSchema, 'The numbers of one line of a report that was tried.', countedTexts),
	ChangedDay: describedObject(changedDaySchema, 'A sealed day that would have other numbers now.', {
		date: 'The local date on which the day begins.',
		start: 'Its beginning, epoch milliseconds.',
		end: 'Its end.',
		causes:
			'Why. `calendar`: another time zone or beginning of days; `line`: another definition of the line, or one that was added; `variable`: another query or equation; `correction`: one was added, changed or revoked; `entry`: a number of the months of this day was entered later, changed or deleted; `late_samples`, `missing_samples`: more or fewer are stored.',
		lines: 'The keys of the lines whose numbers differ.',
	}),
	ReadReport: describedObject(readReportSchema, 'The lines of a report over the same windows.', {
		id: 'The id of the report.',
		title: reportTexts.title,
		timeZone: reportTexts.timeZone,
		dayStart: reportTexts.dayStart,
		period: 'The length of the windows; the first and the last may be cut at the range.',
		bounds: 'n + 1 epoch milliseconds: window i is [bounds[i], bounds[i + 1]).',
		states:
			'What each window is made of, the least certain of its days. `unreadable`: what is stored of a day cannot be read, so there is no number; `open`: not over; `provisional`: may still change, until 72 hours after the day; `counted`: counted now, because the day was never sealed; `sealed`.',
		partial: 'Whether the range cuts the window: it is no whole week, month or year.',
		lines: 'The lines, in the order of the report.',
		changed: 'The sealed days that would have other numbers now. Their windows have the sealed ones.',
		unsealed: 'The dates of whole days of the range that are not sealed.',
		fault: 'Only where the stored report cannot be read. The answer then has no lines.',
	}),
	DayLine: describedObject(dayLineSchema, 'The number of a line, as it was stored.', {
		...headTexts,
		...numberTexts,
		key: 'The key of the line.',
		fault: 'Why there is no number.',
		faultAt: 'Of `type_changed`: the first sample of another type, epoch milliseconds.',
		several: 'Several sources wrote below the topic of the variable.',
	}),
	SeveralSources: describedObject(severalSchema, 'While several sources are known, a variable is unknown.', {
		at: 'When they were first known at once, epoch milliseconds.',
		tags: 'The tags in which they differ.',
	}),
	DayVersion: describedObject(dayVersionSchema, 'A version of a day.', {
		...sealTexts,
		start: 'The beginning of the day, epoch milliseconds.',
		end: 'Its end.',
		timeZone: reportTexts.timeZone,
		dayStart: reportTexts.dayStart,
		countedAt: 'When it was counted, epoch milliseconds.',
		lines: 'The lines that the report had.',
		corrections: 'The corrections that were applied, or are about the day before.',
	}),
	ReportDay: describedObject(reportDaySchema, 'A day of a report in all its versions.', {
		date: sealTexts.date,
		versions: 'Those that were replaced by ascending revision, then the one that holds.',
		fault: 'Only where the version that holds cannot be read. It is then missing.',
	}),
	SealRequest: describedObject(sealRequestSchema, 'Which days are sealed, and why.', {
		id: 'The id of the report.',
		from: 'The first local date, such as 2026-11-18.',
		to: 'The last one. Its day must be over.',
		reason: 'Why, for everybody who reads the report.',
	}),
	SealedDay: describedObject(sealedDaySchema, 'How a day is stored.', sealTexts),
	TriedReport: describedObject(triedReportSchema, 'A report that was tried, and was not stored.', {
		report: 'The report as it would be stored; id 0 where it is new.',
		bounds: 'The beginning and the end of yesterday, epoch milliseconds.',
		lines: 'Its lines, with their numbers of yesterday.',
	}),
} as const;
