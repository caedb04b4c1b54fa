/** One option of a Combobox. `detail` and `trailing`, which is shown at the right, are searched, too. */
export interface ComboboxOption {
	readonly value: string;
	readonly label: string;
	readonly detail?: string | undefined;
	readonly trailing?: string | undefined;
}

/**
 * Returns the options that contain every word of the query, at most `most` of them. Options whose labels begin with the query come first.
 * Case and accents do not count.
 */
export function matchingOptions(
	options: readonly ComboboxOption[],
	query: string,
	most = options.length,
): readonly ComboboxOption[] {
	const wanted = folded(query).trim();
	const hasWords = wordSearch(query);
	const matches = options.filter(({ label, detail = '', trailing = '' }) => hasWords(folded(`${label} ${detail} ${trailing}`)));
	const begins = ({ label }: ComboboxOption): boolean => folded(label).startsWith(wanted);
	return [...matches.filter(begins), ...matches.filter((option) => !begins(option))].slice(0, most);
}

/** Returns a function that says whether a folded text contains every word of the query. Case and accents of the query do not count. */
export function wordSearch(query: string): (foldedText: string) => boolean {
	const words = folded(query).trim().split(/\s+/);
	return (foldedText) => words.every((word) => foldedText.includes(word));
}

/** Returns a text in lower case and without accents, for comparison with a search. */
export function folded(text: string): string {
	// NFD splits a letter from its accents, which are marks (\p{M}).
	return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
