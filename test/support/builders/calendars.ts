import type { Calendar } from '#domain/calendar/bounds.ts';
import { openTimeZone, type TimeZone } from '#domain/calendar/time-zone.ts';

/** Opens a time zone; throws when there is none of that name. */
export const zoneNamed = (name: string): TimeZone => {
	const zone = openTimeZone(name);
	if (zone === null) throw new RangeError(`No such time zone: ${name}`);
	return zone;
};

/** Creates a calendar from the name of a zone and the start of the day, `HH:MM`. */
export const makeCalendar = (zone = 'UTC', dayStart = '00:00'): Calendar => {
	const [hours = 0, minutes = 0] = dayStart.split(':').map(Number);
	return { zone: zoneNamed(zone), dayStartMs: (hours * 60 + minutes) * 60_000 };
};
