import { titleOf } from '#domain/csv.ts';
import { csvText, localIso } from '#page/format/csv.ts';
import { type Curve, isCurve, linesIn, type TrendModel } from './trend-model.ts';

/** The headings of the columns other than those of variables, in the present language. */
export interface CsvWords {
	readonly utc: string;
	/** The heading of local times, with the name of the zone. Each time has its own offset, also before and after a clock change. */
	readonly local: string;
	readonly min: string;
	readonly max: string;
	/** The name of the compared range. */
	readonly compared: string;
}

/**
 * Writes the lines of a trend as CSV: a row for each window, oldest first, with its start in UTC and in local time. Numbers have all of
 * their digits. A window without a value has an empty field.
 */
export function trendCsv(model: TrendModel, words: CsvWords): string {
	const columns = linesIn(model).flatMap((line) => {
		const unit = isCurve(line) ? line.unit : '';
		const { compared } = line;
		return [
			{ head: titleOf(line.name, unit), values: line.values },
			...(isCurve(line) ? bandColumns(line, words) : []),
			...(compared === null ? [] : [{ head: titleOf(`${line.name} ${words.compared}`, unit), values: compared.values }]),
		];
	});
	const rows = model.bounds
		.slice(0, -1)
		.map((time, index) => [new Date(time).toISOString(), localIso(time), ...columns.map(({ values }) => values[index] ?? null)]);
	const heads = [words.utc, words.local, ...columns.map(({ head }) => head)];
	return csvText([heads, ...rows]);
}

/** Returns the columns of the least and the greatest values of a curve. */
function bandColumns({ name, unit, band }: Curve, { min, max }: CsvWords) {
	if (band === null) return [];
	return [
		{ head: titleOf(`${name} ${min}`, unit), values: band.low },
		{ head: titleOf(`${name} ${max}`, unit), values: band.high },
	];
}
