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

/** Returns the first format of each date that the cell has. */
function formatsAmong(cell: string, dates: readonly string[], times: readonly string[]): readonly string[] {
	const fits = (format: string): boolean => createTimeReader(format)(cell) !== null;
	return dates.flatMap((date) => {
		const formats = times.flatMap((time) =>
			time === '' ? [date] : [' ', '[T]'].flatMap((gap) => ['', 'Z', ' Z', 'ZZ'].map((zone) => `${date}${gap}${time}${zone}`)),
		);
		return formats.find(fits) ?? [];
	});
}
