import * as v from 'valibot';
import { type Change, type ChangeEntry, changeEntrySchema, replacedSchema } from '#domain/changes/change-entry.ts';
import { dayMs } from '#domain/milliseconds.ts';
import { defaultAlarmEventDays } from './stored-alarm.ts';

/** Days for which entries stay in the journals of a schema: of alarms, and of changes (0: for ever). */
export interface JournalDays {
	readonly events: number;
	readonly changes: number;
}

/** Five years. */
const defaultChangeDays = 1825;

/** The days of the journals, unless the settings say otherwise. */
export const defaultJournalDays: JournalDays = { events: defaultAlarmEventDays, changes: defaultChangeDays };

/** Returns the time after which an entry is not returned any more, in epoch milliseconds; null: it stays. `days`: how many days it stays; 0: for ever. */
export function changeExpiry({ at }: Pick<ChangeEntry, 'at'>, days: number): number | null {
	return days === 0 ? null : at + days * dayMs;
}

/** The texts in which a change is stored: the entry and, separately, the replaced item, so that listings need not read it. */
export interface StoredChange {
	readonly entry: string;
	readonly before: string | null;
}

/** Returns the stored form of a change. */
export function storedChangeOf({ entry, before }: Change): StoredChange {
	return { entry: JSON.stringify(entry), before: before === null ? null : JSON.stringify(before) };
}

/** Parses a stored entry. Throws an Error that is no DomainError: an invalid entry is never the client's fault. */
export function parseStoredEntry(text: string): ChangeEntry {
	return v.parse(changeEntrySchema, JSON.parse(text));
}

/** Parses a stored change, as `parseStoredEntry` does. */
export function parseStoredChange({ entry, before }: StoredChange): Change {
	return { entry: parseStoredEntry(entry), before: before === null ? null : v.parse(replacedSchema, JSON.parse(before)) };
}
