import * as v from 'valibot';
import { storedActorSchema } from '../access/actor.ts';
import { correctionSchema } from '../board/correction.ts';
import { reportLineSchema } from '../board/report.ts';
import { tagsSchema } from '../variable/tags-schema.ts';

const number = v.number();
const numberOrNull = v.nullable(number);
/** A number of a sum. JSON has neither NaN nor infinity, so a sum that is too large for a number is stored as null and read as NaN. */
const sumNumber = v.pipe(
	v.nullable(number),
	v.transform((value) => value ?? Number.NaN),
);
const sum = v.object({ sum: sumNumber, error: sumNumber });
const extreme = v.nullable(v.object({ value: number, at: number }));
const reading = v.object({ at: number, value: number });
/** A list that is never changed. */
const listOf = <Schema extends v.GenericSchema>(schema: Schema) => v.pipe(v.array(schema), v.readonly());
const counterFaults = listOf(v.object({ code: v.picklist(['counter_fell', 'counter_jumped']), from: reading, to: reading }));

/** A `SignalState` of totals, which tells what its fields mean. */
const signalState = v.object({
	from: number,
	span: number,
	known: number,
	integral: sum,
	min: extreme,
	max: extreme,
	on: number,
	firstOn: v.exactOptional(number),
	starts: number,
	hasBase: v.boolean(),
	over: v.nullable(v.object({ at: number, starts: number })),
	isHandedOver: v.exactOptional(v.literal(true)),
});

/** The fields that tell of several sources. Older days have none. */
const ofSources = {
	several: v.exactOptional(v.object({ at: number, tags: listOf(v.object({ name: v.string(), values: listOf(v.string()) })) })),
};

/** A `CounterState` of totals. */
const counterState = v.object({
	from: number,
	increase: sum,
	pairs: number,
	hasBase: v.boolean(),
	over: v.nullable(v.object({ at: number, increase: number })),
	isKnownAtEnd: v.boolean(),
	faults: counterFaults,
	edges: v.exactOptional(number),
	isHandedOver: v.exactOptional(v.literal(true)),
});

/** A `LongestState` of totals. */
const runs = v.object({ head: number, tail: number, best: number, bestAt: v.nullable(number) });
const longestState = v.object({ from: number, span: number, known: number, outside: runs, possible: runs });

/** A `NightsState` of totals. */
const nightsState = v.object({
	span: number,
	known: number,
	nights: listOf(
		v.object({
			value: numberOrNull,
			low: numberOrNull,
			high: numberOrNull,
			at: numberOrNull,
			known: number,
			size: v.exactOptional(number),
		}),
	),
});

const faultCodes = [
	'not_numeric',
	'type_changed',
	'missing_reference',
	'stored_row_invalid',
	'line_does_not_fit',
	'period_too_short',
] as const;

/** An `EnteredNumber` of totals. */
const enteredFields = { id: number, from: number, to: number, value: number, low: number, high: number };

/** The state of a line, as totals fold it (shared/domain/totals/README.md#states). */
const lineState = v.variant('kind', [
	v.object({ kind: v.literal('signal'), signal: signalState, ...ofSources }),
	v.object({ kind: v.literal('counter'), counter: counterState, signal: signalState, ...ofSources }),
	v.object({
		kind: v.literal('change'),
		counter: counterState,
		signal: signalState,
		ends: v.object({ begin: numberOrNull, end: numberOrNull }),
		...ofSources,
	}),
	v.object({ kind: v.literal('nights'), nights: nightsState, ...ofSources }),
	v.object({
		kind: v.literal('readings'),
		readings: v.object({ expected: number, taken: number, within: number }),
		...ofSources,
	}),
	v.object({ kind: v.literal('longest'), longest: longestState, ...ofSources }),
	v.object({
		kind: v.literal('excursions'),
		excursions: v.object({ span: number, known: number, count: number, low: number, high: number }),
		...ofSources,
	}),
	v.object({ kind: v.literal('raised'), raised: v.object({ span: number, unknown: number, count: number, certain: number }) }),
	v.object({
		kind: v.literal('entered'),
		entered: v.object({ start: number, stop: number, numbers: listOf(v.object({ ...enteredFields, covered: number })) }),
	}),
	v.object({
		kind: v.literal('formula'),
		common: v.record(v.string(), signalState),
		counters: v.exactOptional(v.record(v.string(), v.object({ counter: counterState, signal: signalState }))),
	}),
	v.object({ kind: v.literal('fault'), code: v.picklist(faultCodes), at: v.exactOptional(number) }),
]);

/**
 * The rules by which days are counted, as a number. Raise it with every change of what a line counts from the same samples, so that days that are
 * not sealed yet are counted anew.
 */
export const countingRules = 1;

/** The number of a line, as it was shown when the day was stored: a `LineValue` of totals. */
const lineValue = v.object({
	value: numberOrNull,
	low: numberOrNull,
	high: numberOrNull,
	known: numberOrNull,
	at: v.exactOptional(number),
	cut: v.exactOptional(v.pipe(v.tuple([v.boolean(), v.boolean()]), v.readonly())),
	expected: v.exactOptional(number),
	taken: v.exactOptional(number),
	fault: v.exactOptional(v.string()),
	faultAt: v.exactOptional(number),
	...ofSources,
	counterFaults,
});

/** Which series a query reads (`SeriesOfQuery`). */
const seriesFields = { topic: v.string(), field: v.string(), tags: v.exactOptional(tagsSchema) };

/** The text that tells what is read of a variable: JSON with more fields, which are only compared. */
export const sourceSchema = v.pipe(v.string(), v.parseJson(), v.object({ queries: listOf(v.object(seriesFields)) }));

/**
 * A day of a report as it is stored (shared/domain/report/README.md#stored-days). Times are epoch milliseconds. The states merge to weeks,
 * months and years; the numbers are those that people saw.
 */
export const storedDaySchema = v.object({
	/** The local date at which the day begins: `2026-11-20`. */
	date: v.string(),
	from: number,
	to: number,
	timeZone: v.string(),
	dayStart: v.string(),
	/** The time-series database that was read. */
	database: v.string(),
	/** Counts the sealed versions of the day, from 1. */
	revision: number,
	/** Counts every change of the row, from 1. A change is conditioned on it. */
	rowVersion: number,
	countedAt: number,
	/** The `countingRules` by which it was counted; left out: those before they had numbers. */
	rules: v.exactOptional(number),
	/** When the day was sealed, by whom (null: the service itself), and why (null: its time had come); null: it is provisional. */
	seal: v.nullable(v.object({ at: number, by: v.nullable(storedActorSchema), reason: v.nullable(v.string()) })),
	/** How often the day was sent, and whether the last message was accepted; null: it was not sent. */
	sending: v.nullable(v.object({ attempts: number, isAccepted: v.boolean() })),
	/**
	 * The rises that lasted at this day when it was stored, by the keys of their lines. `toldOn`: the date of the day whose message told of it;
	 * null: none did. Left out: none.
	 */
	watches: v.exactOptional(
		listOf(
			v.object({ key: v.string(), since: v.string(), nights: number, certain: v.boolean(), toldOn: v.nullable(v.string()) }),
		),
	),
	/** How many samples each series had in the day (`own`), and in the day before (`before`). Null: the series cannot be counted. */
	series: listOf(v.object({ ...seriesFields, before: numberOrNull, own: numberOrNull })),
	/** The corrections of the lines' variables that are about the day or the day before. */
	corrections: listOf(correctionSchema),
	/** The numbers about the day that were entered, by the keys of their lines. Left out: none. */
	entries: v.exactOptional(listOf(v.object({ key: v.string(), ...enteredFields }))),
	lines: listOf(
		v.object({
			line: reportLineSchema,
			/** What is read of its variable, as text (`sourceSchema`); empty without a variable. */
			source: v.pipe(
				v.string(),
				v.check((text) => text === '' || v.is(sourceSchema, text)),
			),
			state: lineState,
			value: lineValue,
		}),
	),
});

/** A day of a report as it is stored. */
export type StoredDay = v.InferOutput<typeof storedDaySchema>;

/** A line of a stored day. */
export type StoredLine = StoredDay['lines'][number];

/** A stored day that cannot be read: it is damaged, or a newer release wrote it. Nobody knows its numbers, nor whether it is sealed. */
export interface UnreadDay extends Pick<StoredDay, 'date' | 'rowVersion'> {
	readonly isUnread: true;
}

/** Whether a stored day can be read. */
export function isRead(day: StoredDay | UnreadDay): day is StoredDay {
	return !('isUnread' in day);
}

/** Whether a day is kept as a revision when another one takes its place: it was sealed, and is sealed anew; or it cannot be read. */
export function isKept(replaced: StoredDay | UnreadDay, day: StoredDay): boolean {
	return !isRead(replaced) || (replaced.seal !== null && replaced.revision !== day.revision);
}

/** Returns the revision of a row. That of a day that cannot be read is at most its row version, which takes its place. */
export function revisionOf(row: StoredDay | UnreadDay): number {
	return isRead(row) ? row.revision : row.rowVersion;
}
