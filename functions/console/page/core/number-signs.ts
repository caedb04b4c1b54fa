import { computed } from '@preact/signals';
import { numberStyle } from './preferences.ts';

/** The signs with which numbers are shown, typed and exported. */
interface NumberSigns {
	/** The sign before decimals. */
	readonly decimal: '.' | ',';
	/** The sign between groups of digits. It is never a point or a comma, so that nobody can take it for a decimal sign. */
	readonly group: string;
	/** Matches each place between two groups of the digits of a whole number. */
	readonly places: RegExp;
}

/** The space between groups of digits. It is narrow, and a line never breaks there (SI brochure, section 5.4.4). */
const thinSpace = '\u202f';

const byThree = /\B(?=(\d{3})+$)/g;

/** After the last three digits, groups have two: `12 34 567`, as in India. */
const byTwo = /\B(?=(\d\d)*\d{3}$)/g;

/**
 * Returns the signs of the first of some locales. Where a region groups by points, commas or blanks, the group sign is a thin space.
 * @example signsOf(['es-MX']); // a decimal point and groups of three: 1 234 567.5
 */
export function signsOf(locales: readonly string[]): NumberSigns {
	const parts = formatFor(locales).formatToParts(1_234_567.5);
	const [, second] = parts.filter(({ type }) => type === 'integer');
	const textOf = (wanted: string): string => parts.find(({ type }) => type === wanted)?.value ?? thinSpace;
	return {
		decimal: textOf('decimal') === ',' ? ',' : '.',
		group: textOf('group').replace(/[.,\s]/, thinSpace),
		places: second?.value.length === 2 ? byTwo : byThree,
	};
}

const regionSigns = signsOf(navigator.languages);

/** The signs of the browser's region, or those that a person chose. They do not depend on the language of the texts. */
export const numberSigns = computed<NumberSigns>(() =>
	numberStyle.value === 'region' ? regionSigns : { decimal: numberStyle.value, group: thinSpace, places: byThree },
);

/** Creates a format with Latin digits. Some browsers list tags that are no locales, such as `en-US@posix`; theirs is used then. */
function formatFor(locales: readonly string[]): Intl.NumberFormat {
	const options = { numberingSystem: 'latn' } as const;
	try {
		return new Intl.NumberFormat([...locales], options);
	} catch {
		return new Intl.NumberFormat(undefined, options);
	}
}
