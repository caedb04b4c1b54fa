import type { ReportColumn } from './report-model.ts';

/** Most lines that a sheet of A4 has room for; more are divided evenly. */
const maxColumns = 13;

/** Divides lines into sheets of about as many each. */
export function sheetsOf(columns: readonly ReportColumn[]): readonly (readonly ReportColumn[])[] {
	const count = Math.ceil(columns.length / maxColumns);
	const size = Math.ceil(columns.length / Math.max(1, count));
	return Array.from({ length: count }, (_, sheet) => columns.slice(sheet * size, (sheet + 1) * size));
}
