import { type Duration, durationOf, type TimeUnit, timeUnits } from '#domain/variable/duration.ts';

/** Creates a duration; throws when it is out of range. */
export const makeDuration = (count: number, unit: TimeUnit): Duration => {
	const duration = durationOf(count, unit);
	if ('code' in duration) throw new RangeError(`${count} ${unit}: ${duration.message}`);
	return duration;
};

/** Returns the unit with this name; throws when there is none. */
export const unitNamed = (name: unknown): TimeUnit => {
	const unit = timeUnits.find((each) => each === name);
	if (unit === undefined) throw new RangeError(`No such unit: ${name}`);
	return unit;
};

/** Creates a duration from its form in vectors, `[10, "m"]`. */
export const durationNamed = ([count, unit]: readonly unknown[]): Duration => makeDuration(Number(count), unitNamed(unit));
