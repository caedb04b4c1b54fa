/** Returns a row of a table in Markdown. */
export function row(...cells: readonly string[]): string {
	return `| ${cells.join(' | ')} |`;
}

/** Returns a table in Markdown. */
export function table(heading: readonly string[], ...rows: readonly (readonly string[])[]): string {
	return [row(...heading), row(...heading.map(() => '---')), ...rows.map((cells) => row(...cells))].join('\n');
}

/** Writes an amount of US$, with cents. */
export function dollars(amount: number): string {
	return amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

/** Writes a whole number, or one with few decimals. */
export function count(number: number): string {
	return number.toLocaleString('en', { maximumFractionDigits: number < 10 ? 2 : 0 });
}

/** Returns the same cells in bold. */
export function bold(cells: readonly string[]): readonly string[] {
	return cells.map((cell) => `**${cell}**`);
}
