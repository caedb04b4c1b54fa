/** A cell of a table: text, a number with all of its digits, or nothing. */
export type CsvCell = string | number | null;

/** The byte order mark: it says that the text is UTF-8. */
const utf8Mark = '\ufeff';

/** How a table is written. */
export interface CsvForm {
	/** The sign before decimals. With a comma, semicolons separate cells. */
	readonly decimal: '.' | ',';
	/** Whether the text begins with a byte order mark, without which Excel takes it for another encoding than UTF-8. */
	readonly hasMark: boolean;
}

/**
 * Writes rows as CSV (RFC 4180), as a spreadsheet of the region reads it. A text that a spreadsheet would take for a formula gets an
 * apostrophe in front; numbers stay as they are.
 */
export function csvText(rows: readonly (readonly CsvCell[])[], { decimal, hasMark }: CsvForm): string {
	const separator = decimal === ',' ? ';' : ',';
	const cellText = (cell: CsvCell): string =>
		typeof cell === 'number' ? String(cell).replace('.', decimal) : quoted(cell ?? '');
	return `${hasMark ? utf8Mark : ''}${rows.map((row) => `${row.map(cellText).join(separator)}\r\n`).join('')}`;
}

/** Returns the heading of a column: `Level [m]`. */
export function titleOf(name: string, unit: string): string {
	return unit === '' ? name : `${name} [${unit}]`;
}

/** The first characters by which spreadsheets recognise a formula. */
const formulaStart = /^[=+\-@\t\r]/;

/** Writes a text as a cell: harmless for spreadsheets, and in quotes where it contains what some of them separate cells or rows at, or a quote. */
function quoted(text: string): string {
	const safe = formulaStart.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
	return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
