import { dayMs } from '../milliseconds.ts';
import type { TimeZone } from './time-zone.ts';

/** Returns the local time at an instant (epoch milliseconds), as the epoch milliseconds that the same clock time has in UTC. */
export function localTimeAt(ms: number, zone: TimeZone): number {
	return ms + zone.offsetAt(ms);
}

/** Returns an instant as local time with its offset: `2026-11-21T16:12:00+01:00`. @param time epoch milliseconds */
export function localIsoTime(time: number, zone: TimeZone): string {
	const local = new Date(localTimeAt(time, zone));
	const offsetMinutes = Math.round((local.getTime() - time) / 60_000);
	const [hours, minutes] = [Math.floor(Math.abs(offsetMinutes) / 60), Math.abs(offsetMinutes) % 60];
	const two = (number: number): string => String(number).padStart(2, '0');
	return `${local.toISOString().slice(0, 19)}${offsetMinutes < 0 ? '-' : '+'}${two(hours)}:${two(minutes)}`;
}

/**
 * Returns the instant (epoch milliseconds) of a local time, which is given as the epoch milliseconds of the same clock time in UTC. A
 * time that the clock skips is moved later by the length of the gap. Of a time that occurs twice, the first instant is taken. This is the
 * disambiguation `compatible` of Temporal (shared/domain/calendar/README.md#time-zones).
 */
export function instantOf(localMs: number, zone: TimeZone): number {
	// No offset is a day or more, so these instants are before and after the one that is looked for. A change of the clocks lies between them.
	const before = zone.offsetAt(localMs - dayMs);
	const after = zone.offsetAt(localMs + dayMs);
	if (before === after) return localMs - before;
	const first = localMs - Math.max(before, after);
	if (localTimeAt(first, zone) === localMs) return first;
	const second = localMs - Math.min(before, after);
	// When neither instant shows the local time, the clock skips it.
	return localTimeAt(second, zone) === localMs ? second : localMs - before;
}

/** Returns whether another instant has the same local time, because the clocks go back: 02:30 on the last Sunday of October in Madrid. */
export function occursTwice(ms: number, zone: TimeZone): boolean {
	const offset = zone.offsetAt(ms);
	// The other offset holds a day before or a day after: two changes are never as close as that.
	return [ms - dayMs, ms + dayMs].some((near) => {
		const other = zone.offsetAt(near);
		return other !== offset && zone.offsetAt(ms + offset - other) === other;
	});
}
