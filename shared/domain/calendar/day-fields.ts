import * as v from 'valibot';
import { messageFor } from '../validation/parse.ts';
import { problem } from '../validation/problem.ts';
import { openTimeZone } from './time-zone.ts';

/** No name of a zone is longer. */
const maxZoneLength = 64;

const timeOfDay = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** A time of day as it is sent, `06:30`. */
export const timeOfDaySchema = v.pipe(
	v.string(),
	v.regex(timeOfDay, messageFor(problem('not_a_time_of_day', 'Must be a time of day from 00:00 to 23:59.'))),
);

/** A time zone as it is sent: the IANA name. */
export const timeZoneSchema = v.pipe(
	v.string(),
	v.check(
		(name) => name.length <= maxZoneLength && openTimeZone(name) !== null,
		messageFor(problem('not_a_time_zone', 'Must be the IANA name of a time zone, such as Europe/Madrid or UTC.')),
	),
);
