import { dayMs, hourMs, minuteMs, secondMs } from '#domain/milliseconds.ts';
import { type ClockTime, type ClockTimeReader, createTimeReader } from './time-format.ts';

const decimal = /^[+-]?\d+(?:[.,](?<fraction>\d+))?$/;

/** Epoch numbers of earlier times are taken for another count: the seconds since 2000 are such times until 2032. */
const earliestMs = Date.UTC(2002, 0);

/** Epoch numbers of times that are further ahead of the clock are taken for another count. */
const longestAheadMs = 366 * dayMs;

/** The day numbers of Excel before this one are another day: it counts 29 February 1900, which did not exist. */
const firstExcelDay = 61;

/** The day number of 1970-01-01 in Excel's 1900 system. */
const excelDayOf1970 = 25_569;

/** The counts of time that files hold: what they are, the milliseconds of their unit, and their number at 1970-01-01. */
const counts = [
	['epoch seconds (--time-format X)', secondMs, 0],
	['epoch milliseconds (--time-format x)', 1, 0],
	['days of Excel (--time-format excel)', dayMs, excelDayOf1970],
	['days of Excel since 1904', dayMs, 24_107],
	['Julian days', dayMs, 2_440_587.5],
	['modified Julian days', dayMs, 40_587],
	['days of MATLAB', dayMs, 719_529],
	['hours since 1970', hourMs, 0],
	['minutes since 1970', minuteMs, 0],
	['seconds since 1904, as of LabVIEW', secondMs, 2_082_844_800],
	['seconds since 1900, as of NTP', secondMs, 2_208_988_800],
	['seconds since 2000', secondMs, -946_684_800],
	['microseconds since 1970', 1e-3, 0],
	['nanoseconds since 1970', 1e-6, 0],
] as const;

/** The formats of times that are numbers, beside those in tokens: of Day.js the epoch seconds and milliseconds, and Excel's days. */
export const numberFormats: ReadonlyMap<string, ClockTimeReader> = new Map([
	['X', (cell) => epochTime(numberIn(cell) * secondMs)],
	['x', (cell) => epochTime(numberIn(cell))],
	['excel', readExcelDays],
]);

/**
 * Reads an epoch number in seconds or milliseconds, whichever is a time from 2002 to a year after `nowMs`. Returns null for other text,
 * and for a number that is neither.
 */
export function readEpochNumber(cell: string, nowMs: number): ClockTime | null {
	const number = numberIn(cell);
	const timeMs = [number * secondMs, number].find((ms) => isLikely(ms, nowMs));
	return timeMs === undefined ? null : epochTime(timeMs);
}

/** The format of ten digits that many epoch seconds have too: those from 2002 to 2027 begin with 10 to 17, as the years 2010 to 2017 do. */
export const digitsFormat = 'YYMMDDHHmm';

/** Reads a date and a time in `digitsFormat`. Returns null for other text. */
export const readDigits = createTimeReader(digitsFormat);

/** Returns the counts of time that a number may be, because it would be a time from 2002 to a year after `nowMs`. */
export function timeCountsOf(cell: string, nowMs: number): readonly string[] {
	const number = numberIn(cell);
	return counts.filter(([, unitMs, at1970]) => isLikely((number - at1970) * unitMs, nowMs)).map(([name]) => name);
}

const numberIn = (cell: string): number => (decimal.test(cell.trim()) ? Number(cell.trim().replace(',', '.')) : Number.NaN);

const isLikely = (timeMs: number, nowMs: number): boolean => timeMs >= earliestMs && timeMs <= nowMs + longestAheadMs;

const epochTime = (timeMs: number): ClockTime | null =>
	Number.isFinite(timeMs) ? { utcMs: Math.round(timeMs), offsetMs: 0 } : null;

/**
 * Reads a day number of Excel's 1900 system, which is local time. Digits that were cut hide part of a time: a time that is nearer to a
 * whole minute or second than its last digit tells is that minute or second.
 */
function readExcelDays(cell: string): ClockTime | null {
	const days = numberIn(cell);
	if (!(days >= firstExcelDay)) return null;
	const timeMs = (days - excelDayOf1970) * dayMs;
	const doubtMs = (dayMs / 2) * 10 ** -(decimal.exec(cell.trim())?.groups?.['fraction']?.length ?? 0);
	const whole = [minuteMs, secondMs].map((unitMs) => Math.round(timeMs / unitMs) * unitMs);
	return { utcMs: whole.find((ms) => Math.abs(timeMs - ms) <= doubtMs) ?? Math.round(timeMs), offsetMs: null };
}
