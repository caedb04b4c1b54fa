import { csvText, localIso } from '#page/format/csv.ts';
import { longRowName } from './report-labels.ts';
import { numberIn, type ReportModel, stateName } from './report-model.ts';
import { reportScreenText } from './texts.ts';

/**
 * Writes a report as CSV: a row for each line and window, line by line, with the window's name and the state of its days as the screen
 * shows them. Times are those of the report's zone; numbers have all of their digits, `known` is a share of 1, and `cut_begin` is 1 where a
 * stretch goes on before the window. If nothing is known, or the line has no such number, the field is empty.
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
			const { value, low, high, known, expected = null, taken = null, cut } = numberIn(column, window);
			const { line } = column;
			const cuts = cut?.map(Number) ?? [null, null];
			const rise = line.rise?.windows[window];
			const risen = [rise?.value, rise?.low, rise?.high, rise?.percent.value].map((number) => number ?? null);
			const numbers = [value, low, high, known];
			return [line.name, ...times, line.unit, ...numbers, name, state, ...[expected, taken], ...cuts, ...risen];
		}),
	);
	return csvText([reportScreenText().csvHeads.split(' '), ...lines]);
}
