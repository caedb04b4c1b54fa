// Program that reads cases as JSON from its input and prints the starts of their windows, as Temporal has them. Node 24 needs the option
// --harmony-temporal. A conversion to an instant takes more than 0.1 ms there, so it is made for few days.
import { readFileSync } from 'node:fs';

/** Windows of whole days or months in a time zone. */
export interface StartsCase {
	readonly zone: string;
	/** `HH:MM`. */
	readonly dayStart: string;
	readonly unit: 'days' | 'months';
	readonly count: number;
	/** The starts go from before this time to after `stop`; epoch milliseconds. */
	readonly start: number;
	readonly stop: number;
}

interface PlainDate {
	add(duration: { readonly days?: number; readonly months?: number }): PlainDate;
	until(other: PlainDate, options: { readonly largestUnit: string }): { readonly days: number; readonly months: number };
	toZonedDateTime(item: { readonly timeZone: string; readonly plainTime: string }): { readonly epochMilliseconds: number };
}
declare const Temporal: {
	readonly PlainDate: { from(text: string): PlainDate };
	readonly Instant: {
		fromEpochMilliseconds(ms: number): { toZonedDateTimeISO(zone: string): { toPlainDate(): PlainDate } };
	};
};

const dayMs = 86_400_000;
const firstDay = Temporal.PlainDate.from('1970-01-01');
const firstMonday = Temporal.PlainDate.from('1969-12-29');
/** The starts that were converted already. */
const convertedStarts = new Map<string, number>();

/** Converts the start of the day or month that is `index` after 1970-01-01. */
const convert = (index: number, { zone, dayStart, unit }: StartsCase): number => {
	const key = `${index} ${unit} ${zone} ${dayStart}`;
	const start =
		convertedStarts.get(key) ??
		firstDay.add({ [unit]: index }).toZonedDateTime({ timeZone: zone, plainTime: dayStart }).epochMilliseconds;
	convertedStarts.set(key, start);
	return start;
};

/** Days that are converted alone at most: a power of 2, so that they can be halved. */
const groupDays = 16;

/**
 * Returns the start of a day in [low, high), by default its group. Where both limits are whole days apart, the clocks do not change between
 * them, and the day is not converted.
 */
const dayStartAt = (
	index: number,
	each: StartsCase,
	low = Math.floor(index / groupDays) * groupDays,
	high = low + groupDays,
): number => {
	const start = convert(low, each);
	if (high === low + 1) return start;
	if (convert(high, each) - start === (high - low) * dayMs) return start + (index - low) * dayMs;
	const middle = (low + high) / 2;
	return index < middle ? dayStartAt(index, each, low, middle) : dayStartAt(index, each, middle, high);
};

const startsOf = (each: StartsCase): readonly number[] => {
	const { zone, unit, count, start, stop } = each;
	// Windows of whole weeks begin on Mondays.
	const origin = unit === 'days' && count % 7 === 0 ? firstDay.until(firstMonday, { largestUnit: unit })[unit] : 0;
	const windowOf = (time: number): number => {
		const date = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone).toPlainDate();
		return Math.floor((firstDay.until(date, { largestUnit: unit })[unit] - origin) / count);
	};
	const first = windowOf(start - 2 * dayMs) - 1;
	return Array.from({ length: windowOf(stop + 2 * dayMs) + 2 - first }, (_, place) => {
		const index = origin + (first + place) * count;
		return unit === 'days' ? dayStartAt(index, each) : convert(index, each);
	});
};

const standardInput = 0;
const cases = JSON.parse(readFileSync(standardInput, 'utf8')) as readonly StartsCase[];
process.stdout.write(JSON.stringify(cases.map(startsOf)));
