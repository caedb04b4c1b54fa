import type { StoredReport } from '#page/core/definitions.ts';
import type { ReportColumn } from '#page/screens/report/report-model.ts';

type Defined = Partial<StoredReport['lines'][number]>;

/** A line of a report with its numbers. @param line what differs from a line of one window whose number is not known */
export function makeColumn(defined: Defined, line: Partial<ReportColumn['line']> = {}): ReportColumn {
	const { key = 'a', name = 'Line', unit = 'm³/h', decimals } = defined;
	const head = { key, name, unit, ...(decimals == null ? {} : { decimals }) };
	const numbers = { values: [null], known: [null], low: [null], high: [null] };
	return {
		defined: { ...head, function: 'total', ...defined },
		function: defined.function ?? 'total',
		decimals: decimals ?? 0,
		sub: unit,
		compared: null,
		line: { ...head, ...numbers, total: { value: null, known: null, low: null, high: null }, ...line },
	};
}
