import { csvText, localIso } from '#page/format/csv.ts';
import { longRowName } from './report-labels.ts';
import { numberIn, type ReportModel, stateName } from './report-model.ts';
import { reportScreenText } from './texts.ts';

/**
 * Writes a report as CSV: a row for each line and window, line by line, with the window's name and the state of its days as the screen
 * shows them. Times are those of the report's zone; numbers have all of their digits, and `known` is a share of 1. If nothing is known,
 * the field is empty.
 */
export function reportCsv({ period, columns, calendar, rows }: ReportModel): string {
	const { view, span, report } = period;
	const windows = report.states.map((state, window) => {
		const row = rows.find((each) => each.window === window);
		const times = report.bounds.slice(window, window + 2).map((time) => localIso(time, calendar.zone));
		// An hour has the state of its day.
		const changed = view.length === 'day' ? report.changed : (row?.changed ?? []);
		return { times, name: row === undefined ? '' : longRowName(view.length, row, span), state: stateName(state, changed) };
	});
	const lines = columns.flatMap((column) =>
		windows.map(({ times, name, state }, window) => {
			const { value, low, high, known } = numberIn(column, window);
			return [column.line.name, ...times, column.line.unit, value, low, high, known, name, state];
		}),
	);
	return csvText([reportScreenText().csvHeads.split(' '), ...lines]);
}
