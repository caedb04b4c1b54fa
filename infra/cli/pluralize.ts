/** Returns a count with its noun: `1 row`, `2,089 rows`, `3 entries`. */
export function pluralize(count: number, noun: string): string {
	const plural = /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
	return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`;
}
