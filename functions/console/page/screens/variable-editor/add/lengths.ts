import { type TimeUnit, timeUnits } from '#domain/variable/duration.ts';
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

/** The proposed lookback, in expected periods. */
const periodsBack = 10;

/**
 * Proposes the period and the lookback of a variable.
 * @param interval the interval between the samples, in seconds; null when it is not known
 */
export function proposedLengths(interval: number | null): { readonly period: Length; readonly lookback: Length } {
	if (interval === null) return irregular;
	const period = usualFrom(interval * punctualShare);
	return { period: lengthOf(period), lookback: lengthOf(usualFrom(Math.max(leastLookbackSeconds, periodsBack * period))) };
}

/** Unit names as people type them, in both languages, beside those of queries. */
const unitNames: Readonly<Record<string, TimeUnit>> = {
	...{ sec: 's', seg: 's', min: 'm', hour: 'h', hours: 'h', hora: 'h', horas: 'h', day: 'd', days: 'd', dia: 'd', dias: 'd' },
	...{ month: 'mo', months: 'mo', mes: 'mo', meses: 'mo', year: 'y', years: 'y', ano: 'y', anos: 'y', a: 'y' },
};

/** Parses a length as people type it: `10 s`, `1,5 h`, `5min`. Null where it is none. */
export function typedLength(text: string): Length | null {
	const [, count, word = ''] = /^\s*(\d+(?:[.,]\d+)?)\s*(\p{L}+)\.?\s*$/u.exec(text) ?? [];
	const name = folded(word);
	const unit = timeUnits.find((each) => each === name) ?? (Object.hasOwn(unitNames, name) ? unitNames[name] : undefined);
	return count === undefined || unit === undefined ? null : { count, unit };
}

/** Returns the shortest usual length that is not shorter; the longest of them where all are. In seconds. */
function usualFrom(seconds: number): number {
	return usualSeconds.find((each) => each >= seconds) ?? Math.max(...usualSeconds);
}

/** Returns a length of whole seconds in the largest unit, up to days, of which it is a whole number. */
export function lengthOf(seconds: number): Length {
	for (const [unit, size] of [
		['d', 86_400],
		['h', 3600],
		['m', 60],
	] as const)
		if (seconds % size === 0) return { count: String(seconds / size), unit };
	return { count: String(seconds), unit: 's' };
}
