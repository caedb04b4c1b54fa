import * as v from 'valibot';
import { type StoredDay, storedDaySchema, type UnreadDay } from '#domain/report/stored-day.ts';
import { tellInvalidRow } from './invalid-row.ts';

/** Parses a stored day. Throws an Error that is no DomainError: an invalid row is never the client's fault. */
export function parseStoredDay(text: string): StoredDay {
	try {
		return v.parse(storedDaySchema, JSON.parse(text));
	} catch (cause) {
		throw new Error('A stored day of a report is invalid.', { cause });
	}
}

/**
 * Returns a stored day. One that cannot be read, or is that of another date, is only named, also in the log.
 * @param textOf returns its text
 */
export function storedDayOf(
	schema: string,
	{ reportId, date, stamp }: { readonly reportId: number; readonly date: string; readonly stamp: number },
	textOf: () => string,
): StoredDay | UnreadDay {
	try {
		const day = parseStoredDay(textOf());
		if (day.date === date) return day;
	} catch {
		// Told of below.
	}
	tellInvalidRow(schema, `day#${reportId}#${date}`);
	return { date, rowVersion: stamp, isUnread: true };
}

/** Serializes a day as JSON, the form in which it is stored. */
export function serializeDay(day: StoredDay): string {
	return JSON.stringify(day);
}
