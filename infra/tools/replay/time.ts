import { localTimeAt } from '#domain/calendar/local-time.ts';
import { openTimeZone, type TimeZone } from '#domain/calendar/time-zone.ts';
import { dayMs } from '#domain/milliseconds.ts';
import { parseIsoTime } from '#domain/validation/time.ts';
import { ConfigError } from '#shared/config.ts';
import { numberFormats, readEpochNumber } from './number-times.ts';
import { type ClockTime, createTimeReader, offsetOf } from './time-format.ts';

/**
 * Parses the time of a cell. Returns the instants at which the clock shows it, epoch milliseconds: mostly one; two, the earlier first,
 * where a clock change repeats it; none where a clock change skips it. Returns null when the time cannot be read.
 */
export type CellTimeReader = (cell: string) => readonly number[] | null;

/** The largest time that InfluxDB stores (64 bits of nanoseconds, years 1677 to 2262), in epoch milliseconds. */
const maxTimeMs = 9_223_372_036_854;

/** A date with or without a time of day, and the time with or without an offset: `2017-01-04 00:00:00.250 +01:00`. */
const dateAndTime =
	/^(?<date>\d{4}-\d\d-\d\d)(?:[T ](?<hours>\d\d):(?<minutes>\d\d)(?::(?<seconds>\d\d)(?:[.,](?<fraction>\d+))?)?\s?(?<offset>Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/**
 * Creates the reader of a column of times.
 * @param options.timeFormat `excel`, `X`, `x` (numberFormats) or tokens (createTimeReader); by default the cells are
 * `2017-01-04 00:00:00`, ISO-8601 with or without an offset, a date alone, or an epoch number (readEpochNumber)
 * @param options.timeZone the IANA zone of cells without an offset; by default UTC
 * @param options.nowMs the time of the clock
 * @throws ConfigError for a format or a zone that cannot be used
 */
export function createCellTimeReader(options: {
	readonly timeFormat?: string | undefined;
	readonly timeZone?: string | undefined;
	readonly nowMs: number;
}): CellTimeReader {
	const { timeFormat, timeZone = 'UTC', nowMs } = options;
	const zone = openTimeZone(timeZone);
	if (zone === null) throw new ConfigError(`There is no time zone ${timeZone}: name one as Europe/Madrid is named.`);
	const read =
		timeFormat === undefined
			? (cell: string) => readEpochNumber(cell, nowMs) ?? readIsoTime(cell)
			: (numberFormats.get(timeFormat) ?? createTimeReader(timeFormat));
	return (cell) => {
		const clockTime = read(cell);
		// No offset is a day or more, so no instant of these times can be stored. Beyond what a Date holds, a zone throws.
		if (clockTime === null || Math.abs(clockTime.utcMs) > maxTimeMs + dayMs) return null;
		const instants = instantsIn(zone, clockTime);
		return instants.every((timeMs) => Math.abs(timeMs) <= maxTimeMs) ? instants : null;
	};
}

/** Parses a date and a time. Returns null for other text and for a day or an hour that does not exist. */
function readIsoTime(cell: string): ClockTime | null {
	const groups = dateAndTime.exec(cell.trim())?.groups;
	if (groups === undefined) return null;
	const { date = '', hours = '00', minutes = '00', seconds = '00', fraction = '', offset } = groups;
	const iso = `${date}T${hours}:${minutes}:${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
	const utcMs = parseIsoTime(iso);
	const offsetMs = offset === undefined ? null : offsetOf(offset);
	return Number.isNaN(utcMs) || Number.isNaN(offsetMs) ? null : { utcMs, offsetMs };
}

/** Returns the instants of a clock time, ascending. */
function instantsIn(zone: TimeZone, { utcMs, offsetMs }: ClockTime): readonly number[] {
	if (offsetMs !== null) return [utcMs - offsetMs];
	// No offset is a day or more, so these are the offsets before and after a clock change near the time. There is one at most.
	const offsets = new Set([zone.offsetAt(utcMs - dayMs), zone.offsetAt(utcMs + dayMs)]);
	const instants = [...offsets].map((offset) => utcMs - offset).filter((timeMs) => localTimeAt(timeMs, zone) === utcMs);
	return instants.sort((a, b) => a - b);
}
