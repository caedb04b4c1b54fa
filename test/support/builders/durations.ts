import { type Duration, durationOf, type TimeUnit, timeUnits } from '#domain/variable/duration.ts';

/** A duration that is known to be in range; throws where it is not. */
export const makeDuration = (count: number, unit: TimeUnit): Duration => {
	const duration = durationOf(count, unit);
	if (typeof duration === 'string') throw new RangeError(`${count} ${unit}: ${duration}`);
	return duration;
};

/** The unit that a vector names; a misspelt one stops the test. */
export const unitNamed = (name: unknown): TimeUnit => {
	const unit = timeUnits.find((each) => each === name);
	if (unit === undefined) throw new RangeError(`No such unit: ${name}`);
	return unit;
};

/** A duration as vectors write it: `[10, "m"]`. */
export const durationNamed = ([count, unit]: readonly unknown[]): Duration => makeDuration(Number(count), unitNamed(unit));
