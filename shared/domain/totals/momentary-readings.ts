import { advancingShare } from '../board/line.ts';
import { hourMs } from '../milliseconds.ts';
import { type CounterRule, differenceOf } from './fold-counter.ts';
import type { Signal } from './signal.ts';

/** For how long a counter may show wrong readings before it goes on as before, in milliseconds, and how many at most. */
const momentMs = 2 * hourMs;
const maxMomentary = 10;

/** Pairs of distances from a fault, in readings, the nearest of the first kind before all others. */
const distances = Array.from({ length: maxMomentary + 1 }, (_, near) =>
	Array.from({ length: maxMomentary + 1 - near }, (__, far) => [near, far] as const),
)
	.flat()
	.slice(1);

/**
 * How far around a window the readings of a counter decide which of its own were momentary, in milliseconds. They are read, so that each
 * window has the same number alone and in a longer range.
 */
export const momentaryReachMs = 2 * momentMs;

/**
 * Finds readings whose difference to the reading before is in doubt, because one of the two was momentary
 * (shared/domain/totals/README.md#counters). Example: 99,990, 0, 99,991 is no turn from 99,990 to 0, and 5,000, 0, 5,001 no advance of 5,001.
 *
 * A difference that is a fault tells that something is wrong. Around it, a reading that goes on from an earlier one tells that those between
 * were momentary: it is looked for on both sides of the fault. A turn right before a fault is in doubt, too.
 * @returns the positions of the later readings
 */
export function doubtfulReadings({ times, values }: Signal, rule: CounterRule): ReadonlySet<number> {
	const readings = Array.from(values.keys()).filter((position) => !Number.isNaN(values[position]));
	const timeAt = (index: number): number => times[readings[index] ?? 0] ?? 0;
	const valueAt = (index: number): number => values[readings[index] ?? 0] ?? 0;
	const doubtful = new Set<number>();
	/** Doubts the readings from `first` to before `next`, if they were momentary: `follows` tells whether those on both sides belong together. */
	const doubt = (first: number, next: number, follows: typeof goesOn): boolean => {
		const isPossible = first > 0 && next < readings.length && timeAt(next) - timeAt(first) <= momentMs;
		if (!isPossible || !follows(valueAt(first - 1), valueAt(next), rule)) return false;
		for (const position of readings.slice(first, next + 1)) doubtful.add(position);
		return true;
	};
	const doubtAround = (fault: number, follows: typeof goesOn): void => {
		distances.some(([before, after]) => doubt(fault - before, fault + after, follows));
		distances.some(([after, before]) => doubt(fault - before, fault + after, follows));
	};
	for (let fault = 1; fault < readings.length; fault += 1) {
		if (typeof differenceOf(valueAt(fault - 1), valueAt(fault), rule) === 'number') continue;
		doubtAround(fault, goesOn);
		// The counter may have turned while it showed momentary readings.
		doubtAround(fault, goesOnOrTurns);
		const isRecent = fault > 1 && timeAt(fault) - timeAt(fault - 1) <= momentMs;
		if (isRecent && isTurn(valueAt(fault - 2), valueAt(fault - 1), rule)) doubtful.add(readings[fault - 1] ?? 0);
	}
	return doubtful;
}

/** Whether a reading goes on from an earlier one without a turn. */
function goesOn(earlier: number, later: number, { size = Number.POSITIVE_INFINITY, dip }: CounterRule): boolean {
	const difference = later - earlier;
	return difference >= -dip && difference <= advancingShare * size;
}

/** Whether a reading goes on from an earlier one, with a turn or without. */
const goesOnOrTurns = (earlier: number, later: number, rule: CounterRule): boolean =>
	typeof differenceOf(earlier, later, rule) === 'number';

/** Whether a counter turned between two readings: it fell by more than noise, and that counts as an advance. */
const isTurn = (earlier: number, later: number, rule: CounterRule): boolean =>
	later - earlier < -rule.dip && goesOnOrTurns(earlier, later, rule);
