/** The most characters of a cell that are printed. */
const maxQuotedLength = 60;

/** Quotes the beginning of a cell. */
export function quoted(cell: string): string {
	return JSON.stringify(cell.slice(0, maxQuotedLength));
}
