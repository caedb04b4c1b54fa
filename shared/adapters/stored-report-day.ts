import * as v from 'valibot';
import { type StoredDay, storedDaySchema } from '#domain/report/stored-day.ts';

/** Parses a stored day. Throws an Error that is no DomainError: an invalid row is never the client's fault. */
export function parseStoredDay(text: string): StoredDay {
	try {
		return v.parse(storedDaySchema, JSON.parse(text));
	} catch (cause) {
		throw new Error('A stored day of a report is invalid.', { cause });
	}
}

/** Serializes a day as JSON, the form in which it is stored. */
export function serializeDay(day: StoredDay): string {
	return JSON.stringify(day);
}
