import { type Curve, isCurve, linesIn, type TrendModel } from './trend-model.ts';

/** The heads of the columns that are no variables, in the present language. */
export interface CsvWords {
	readonly utc: string;
	/** The local time, with the name of its zone. */
	readonly local: string;
	readonly min: string;
	readonly max: string;
}

/**
 * Writes what a trend shows as CSV (RFC 4180): a row for each window, oldest first, with its start in UTC and in local time. Numbers
 * are whole and have a decimal point in every language; an empty window has an empty field. The mark at the start tells spreadsheets
 * that the text is UTF-8.
 */
export function trendCsv(model: TrendModel, words: CsvWords): string {
	const columns = linesIn(model).flatMap((line) => [
		{ head: titleOf(line.name, isCurve(line) ? line.unit : ''), values: line.values },
		...(isCurve(line) ? bandColumns(line, words) : []),
	]);
	const rows = model.bounds
		.slice(0, -1)
		.map((time, index) => [
			new Date(time).toISOString(),
			localIso(time),
			...columns.map(({ values }) => String(values[index] ?? '')),
		]);
	const heads = [words.utc, words.local, ...columns.map(({ head }) => head)];
	return `\ufeff${[heads, ...rows].map((row) => `${row.map(field).join()}\r\n`).join('')}`;
}

function bandColumns({ name, unit, band }: Curve, { min, max }: CsvWords) {
	if (band === null) return [];
	return [
		{ head: titleOf(`${name} ${min}`, unit), values: band.low },
		{ head: titleOf(`${name} ${max}`, unit), values: band.high },
	];
}

function titleOf(name: string, unit: string): string {
	return unit === '' ? name : `${name} [${unit}]`;
}

/** A field that a spreadsheet would take for a formula begins with an apostrophe. Numbers are none, whatever their sign. */
function field(text: string): string {
	const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
	return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The local time with its offset: `2026-11-21T16:12:00+01:00`. */
function localIso(time: number): string {
	const offsetMinutes = -new Date(time).getTimezoneOffset();
	const local = new Date(time + offsetMinutes * 60_000).toISOString().slice(0, 19);
	const [hours, minutes] = [Math.floor(Math.abs(offsetMinutes) / 60), Math.abs(offsetMinutes) % 60];
	const two = (number: number): string => String(number).padStart(2, '0');
	return `${local}${offsetMinutes < 0 ? '-' : '+'}${two(hours)}:${two(minutes)}`;
}
