import { dayMs } from '../milliseconds.ts';
import { type Duration, durationOf, type TimeUnit } from '../variable/duration.ts';
import type { Range } from '../variable/window.ts';
import { type Calendar, countBounds } from './bounds.ts';

/** A period as clients write it. */
export interface WirePeriod {
	readonly count: number;
	readonly unit: TimeUnit;
}

const longest = { count: 1, unit: 'y' } as const satisfies WirePeriod;
/** Every period divides 24 h or is whole days or months, so each fits every calendar. */
const periods: readonly WirePeriod[] = [
	...[1, 5, 10, 30].map((count) => ({ count, unit: 's' }) as const),
	...[1, 5, 10, 15, 30].map((count) => ({ count, unit: 'm' }) as const),
	...[1, 2, 6, 12].map((count) => ({ count, unit: 'h' }) as const),
	...[1, 7].map((count) => ({ count, unit: 'd' }) as const),
	...[1, 3].map((count) => ({ count, unit: 'mo' }) as const),
	longest,
];

/** Returns the length of a period that was parsed. @throws RangeError for a period that is no duration */
export function lengthOf({ count, unit }: WirePeriod): Duration {
	const length = durationOf(count, unit);
	if ('code' in length) throw new RangeError(`A parsed period is ${count} ${unit}: ${length.message}`);
	return length;
}

/**
 * Chooses the smallest round period that divides a range into at most `points` windows and is no shorter than `shortestMs`, where a month
 * counts as 31 d and a year as 366 d (shared/domain/calendar/README.md#choice-of-a-period).
 * @returns a year when there is none
 */
export function choosePeriod(range: Range, points: number, shortestMs: number, calendar: Calendar): WirePeriod {
	const isSuitable = ({ count, unit }: WirePeriod): boolean => {
		const period = durationOf(count, unit);
		if ('code' in period || period.ms < shortestMs) return false;
		// Windows below a day are never longer than the period. This spares the counting.
		if (period.ms < dayMs && range.stop - range.start > points * period.ms) return false;
		return countBounds(range, period, calendar) - 1 <= points;
	};
	return periods.find(isSuitable) ?? longest;
}
