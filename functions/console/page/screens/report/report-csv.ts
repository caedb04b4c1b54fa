import { csvText, localIso } from '#page/format/csv.ts';
import { numberIn, type ReportModel } from './report-model.ts';
import { reportScreenText } from './texts.ts';

/**
 * Writes a report as CSV: a row for each line and window, line by line. Times are those of the report's zone; numbers have all of their
 * digits, and `known` is a share of 1. If nothing is known, the field is empty.
 */
export function reportCsv({ period, columns, calendar }: ReportModel): string {
	const { bounds } = period.report;
	const rows = columns.flatMap((column) =>
		bounds.slice(0, -1).map((start, window) => {
			const { value, low, high, known } = numberIn(column, window);
			const times = [start, bounds[window + 1] ?? start].map((time) => localIso(time, calendar.zone));
			return [column.line.name, ...times, column.line.unit, value, low, high, known];
		}),
	);
	return csvText([reportScreenText().csvHeads.split(' '), ...rows]);
}
