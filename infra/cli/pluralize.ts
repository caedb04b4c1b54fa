/** Returns a count with its noun: `1 row`, `2,089 rows`. */
export function pluralize(count: number, noun: string): string {
	return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
