import { instantOf, localTimeAt } from '#domain/calendar/local-time.ts';
import { openTimeZone, type TimeZone } from '#domain/calendar/time-zone.ts';
import { parseIsoTime } from '#domain/validation/time.ts';
import { ConfigError } from '#shared/config.ts';
import { type ClockTime, createTimeReader, offsetOf } from './time-format.ts';

/** Parses the time of a cell. Returns epoch milliseconds, or null when it cannot be read. */
export type CellTimeReader = (cell: string) => number | null;

/** The largest time that InfluxDB stores (64 bits of nanoseconds, years 1677 to 2262), in epoch milliseconds. */
const maxTimeMs = 9_223_372_036_854;

/** An epoch number below this counts seconds (up to the year 2262), else milliseconds (from April 1970). */
const secondsBelow = 1e10;

const epochNumber = /^-?\d+(?:\.\d+)?$/;

/** A date with or without a time of day, and the time with or without an offset: `2017-01-04 00:00:00.250 +01:00`. */
const dateAndTime =
	/^(?<date>\d{4}-\d\d-\d\d)(?:[T ](?<hours>\d\d):(?<minutes>\d\d)(?::(?<seconds>\d\d)(?:[.,](?<fraction>\d+))?)?\s?(?<offset>Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/**
 * Creates the reader of a column of times.
 * @param options.timeFormat see `createTimeReader`; by default, `parseTime` reads the cells
 * @param options.timeZone the IANA zone of cells without an offset; by default UTC
 * @throws ConfigError for a format or a zone that cannot be used
 */
export function createCellTimeReader(options: {
	readonly timeFormat?: string | undefined;
	readonly timeZone?: string | undefined;
}): CellTimeReader {
	const { timeFormat, timeZone = 'UTC' } = options;
	const zone = openTimeZone(timeZone);
	if (zone === null) throw new ConfigError(`There is no time zone ${timeZone}: name one as Europe/Madrid is named.`);
	if (timeFormat === undefined) return (cell) => parseTime(cell, zone);
	const read = createTimeReader(timeFormat);
	return (cell) => {
		const clockTime = read(cell);
		return clockTime === null ? null : instantIn(zone, clockTime);
	};
}

/**
 * Parses the time of a cell: `2017-01-04 00:00:00`, ISO-8601 with or without an offset, a date alone, or an epoch number in seconds or
 * milliseconds.
 * @param zone the time zone of cells without an offset; by default UTC
 * @returns epoch milliseconds; null for other text and for a day or an hour that does not exist
 */
export function parseTime(cell: string, zone?: TimeZone): number | null {
	const text = cell.trim();
	if (epochNumber.test(text)) {
		const number = Number(text);
		return withinLimits(Math.round(Math.abs(number) < secondsBelow ? number * 1000 : number));
	}
	const groups = dateAndTime.exec(text)?.groups;
	if (groups === undefined) return null;
	const { date = '', hours = '00', minutes = '00', seconds = '00', fraction = '', offset } = groups;
	const iso = `${date}T${hours}:${minutes}:${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
	const utcMs = parseIsoTime(iso);
	const offsetMs = offset === undefined ? null : offsetOf(offset);
	return Number.isNaN(utcMs) || Number.isNaN(offsetMs) ? null : instantIn(zone, { utcMs, offsetMs });
}

/** Returns the instant of a clock time; null for a time that the clocks of the zone skip. Of a time that occurs twice, the first instant is taken. */
function instantIn(zone: TimeZone | undefined, { utcMs, offsetMs }: ClockTime): number | null {
	if (offsetMs !== null) return withinLimits(utcMs - offsetMs);
	if (zone === undefined) return withinLimits(utcMs);
	const timeMs = instantOf(utcMs, zone);
	return localTimeAt(timeMs, zone) === utcMs ? withinLimits(timeMs) : null;
}

const withinLimits = (timeMs: number): number | null => (Math.abs(timeMs) <= maxTimeMs ? timeMs : null);
