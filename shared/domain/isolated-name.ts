/** Letters that are written from right to left, of Hebrew, Arabic and the scripts between and beside them. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * Puts a name that has letters from right to left between marks of Unicode, so that it does not turn the numbers and signs after it around. For
 * plain texts; markup has `bdi`.
 */
export function isolatedName(name: string): string {
	return rightToLeft.test(name) ? `\u2068${name}\u2069` : name;
}
