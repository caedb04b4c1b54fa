/** Compares two texts by their UTF-16 units, for sorting. */
export function compareTexts(a: string, b: string): number {
	if (a === b) return 0;
	return a < b ? -1 : 1;
}
