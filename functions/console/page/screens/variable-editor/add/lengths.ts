import { type TimeUnit, timeUnits } from '#domain/variable/duration.ts';
import { parseTyped } from '#page/format/typed-number.ts';
import { folded } from '#page/parts/matching-options.ts';

/** A length of time: its typed number, and its unit. */
export interface Length {
	readonly count: string;
	readonly unit: TimeUnit;
}

/** The lengths that sources and people use, in seconds. */
const usualSeconds = [
	...[1, 2, 5, 10, 15, 20, 30],
	...[1, 2, 5, 10, 15, 20, 30].map((minutes) => minutes * 60),
	...[1, 2, 3, 4, 6, 8, 12].map((hours) => hours * 3600),
	...[1, 2, 7].map((days) => days * 86_400),
] as const;

/** The lengths for a variable whose series has fewer than two samples in a day. */
const irregular = { period: { count: '1', unit: 'd' }, lookback: { count: '7', unit: 'd' } } as const;

/** The shortest proposed lookback: an hour. */
const leastLookbackSeconds = 3600;

/** The part of a measured interval that counts. Samples come late, so that an interval is often measured a little too long. */
const punctualShare = 0.9;

/** How many periods the proposed lookback is long. */
const periodsBack = 10;

/**
 * Proposes the period and the lookback of a variable.
 * @param interval the interval between the samples, in seconds; null when it is not known
 */
export function proposedLengths(interval: number | null): { readonly period: Length; readonly lookback: Length } {
	if (interval === null) return irregular;
	const periodSeconds = usualAtLeast(interval * punctualShare);
	const lookbackSeconds = usualAtLeast(Math.max(leastLookbackSeconds, periodsBack * periodSeconds));
	return { period: lengthOf(periodSeconds), lookback: lengthOf(lookbackSeconds) };
}

/** Words for units as people type them, in both languages, beside the units' own names. Accents are left out, as `folded` does. */
const typedUnits: Readonly<Partial<Record<TimeUnit, readonly string[]>>> = {
	s: ['sec', 'seg'],
	m: ['min'],
	h: ['hour', 'hours', 'hora', 'horas'],
	d: ['day', 'days', 'dia', 'dias'],
	mo: ['month', 'months', 'mes', 'meses'],
	y: ['year', 'years', 'ano', 'anos', 'a'],
};

/** Parses a length as people type it: `10 s`, `1.5 h`, `5min`. Null if the text is no length, or has the other decimal sign. */
export function typedLength(text: string): Length | null {
	// A number with a decimal point or comma, then a word, which may end with a dot.
	const [, count, typedWord = ''] = /^\s*(\d+(?:[.,]\d+)?)\s*(\p{L}+)\.?\s*$/u.exec(text) ?? [];
	const word = folded(typedWord);
	const unit = timeUnits.find((name) => name === word) ?? timeUnits.find((name) => typedUnits[name]?.includes(word) === true);
	return count === undefined || parseTyped(count) === null || unit === undefined ? null : { count, unit };
}

/** Returns the shortest usual length of at least `seconds`, in seconds. If none is that long, it returns the longest usual length. */
function usualAtLeast(seconds: number): number {
	return usualSeconds.find((usual) => usual >= seconds) ?? Math.max(...usualSeconds);
}

/** Returns a length of whole seconds in days, hours or minutes: the largest unit that divides it evenly. Otherwise in seconds. */
export function lengthOf(seconds: number): Length {
	if (seconds % 86_400 === 0) return { count: String(seconds / 86_400), unit: 'd' };
	if (seconds % 3600 === 0) return { count: String(seconds / 3600), unit: 'h' };
	if (seconds % 60 === 0) return { count: String(seconds / 60), unit: 'm' };
	return { count: String(seconds), unit: 's' };
}
