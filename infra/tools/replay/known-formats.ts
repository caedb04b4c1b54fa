import { timeCountsOf } from './number-times.ts';
import { quoted } from './quoted.ts';
import { createTimeReader } from './time-format.ts';

const paddedDates = [
	'DD/MM/YYYY',
	'MM/DD/YYYY',
	'DD/MM/YY',
	'MM/DD/YY',
	'DD.MM.YYYY',
	'DD.MM.YY',
	'DD-MM-YYYY',
	'MM-DD-YYYY',
	'DD-MM-YY',
	'YYYY-MM-DD',
	'YYYY/MM/DD',
	'YYYY.MM.DD',
	'YYYYMMDD',
	'DD-MMM-YYYY',
	'DD-MMM-YY',
	'DD MMM YYYY',
	'DD MMMM YYYY',
	'MMM DD YYYY',
	'MMM DD, YYYY',
];
const paddedTimes = ['', 'HH', 'HH:mm', 'HH:mm:ss', 'HH:mm:ss.SSS', 'hh:mm A', 'hh:mm:ss A', 'HHmm', 'HHmmss'];

/** Replaces the two digits of day, month and hour by one or two. `MMM` and `MMMM` are names of months, and stay. */
const unpadded = (format: string): string =>
	format
		.replace('DD', 'D')
		.replace(/(?<!M)MM(?!M)/, 'M')
		.replace(/HH|hh/, ([hour = '']) => hour);

/**
 * Returns the common formats that a cell has, in the tokens of `createTimeReader`: usually one, or two where the day cannot be told
 * from the month. Empty when it has none.
 */
export function formatsOf(cell: string): readonly string[] {
	const padded = formatsAmong(cell, paddedDates, paddedTimes);
	const times = paddedTimes.flatMap((time) => [time, unpadded(time)]);
	// Without separators nobody can tell which digits are the month.
	const separated = paddedDates.filter((date) => /[^A-Z]/.test(date));
	return padded.length > 0 ? padded : formatsAmong(cell, [...new Set(separated.map(unpadded))], times);
}

/** Returns the end of a sentence about a time that cannot be read: which format it fits, or which number of something it may be. */
export function timeAdvice(cell: string, nowMs: number): string {
	if (cell.trim() === '') return '.';
	const formats = formatsOf(cell).map((format) => `--time-format ${JSON.stringify(format)}`);
	const counts = timeCountsOf(cell, nowMs);
	const advice = [
		...(formats.length > 0 ? [`It fits ${formats.join(' and ')}.`] : []),
		...(counts.length > 0 ? [`It may be ${counts.join(' or ')}.`] : []),
	];
	return `: the first is ${quoted(cell)}. ${advice.join(' ') || 'Say how it is written with --time-format.'}`;
}

/** Returns the first format of each date that the cell has. */
function formatsAmong(cell: string, dates: readonly string[], times: readonly string[]): readonly string[] {
	const fits = (format: string): boolean => createTimeReader(format)(cell) !== null;
	return dates.flatMap((date) => {
		const formats = times.flatMap((time) =>
			time === '' ? [date] : gapsOf(date).flatMap((gap) => ['', 'Z', ' Z', 'ZZ'].map((zone) => `${date}${gap}${time}${zone}`)),
		);
		return formats.find(fits) ?? [];
	});
}

/** The texts between a date and a time of day. Digits alone may have none: `YYYYMMDDHHmm`. */
const gapsOf = (date: string): readonly string[] => (date === 'YYYYMMDD' ? [' ', '[T]', ''] : [' ', '[T]']);
