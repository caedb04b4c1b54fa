import type { ReportColumn } from './report-model.ts';

/** The most lines that fit a sheet of A4. More lines are divided evenly among several sheets. */
const maxColumns = 13;

/** Divides lines into sheets with about the same number of lines. */
export function sheetsOf(columns: readonly ReportColumn[]): readonly (readonly ReportColumn[])[] {
	const count = Math.ceil(columns.length / maxColumns);
	const size = Math.ceil(columns.length / Math.max(1, count));
	return Array.from({ length: count }, (_, sheet) => columns.slice(sheet * size, (sheet + 1) * size));
}
