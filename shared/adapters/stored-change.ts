import * as v from 'valibot';
import { type Change, type ChangeEntry, changeEntrySchema, replacedSchema } from '#domain/changes/change-entry.ts';
import { changeKeyText, changeTimeText } from '#domain/changes/change-key.ts';
import { dayMs } from '#domain/milliseconds.ts';
import { readable } from './invalid-row.ts';
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
	/** `changeKeyText`, or in the index by time `changeTimeText`. */
	readonly key: string;
	readonly entry: string;
	readonly before: string | null;
}

/** Returns the stored form of a change. */
export function storedChangeOf({ entry, before }: Change): Omit<StoredChange, 'key'> {
	return { entry: JSON.stringify(entry), before: before === null ? null : JSON.stringify(before) };
}

/** Returns the keys by which an entry is found: by its item, by its time (`at`), and those by which listings are filtered. */
export function storedKeysOf(entry: ChangeEntry) {
	const { kind, itemId, actor } = entry;
	return { key: changeKeyText(entry), at: changeTimeText(entry), kind, itemId: String(itemId), actor: actor.id };
}

/** Returns the keys of a stored entry; null for one that cannot be read. */
export function keysOfStoredEntry(entry: unknown): ReturnType<typeof storedKeysOf> | null {
	const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), changeEntrySchema), entry);
	return parsed.success ? storedKeysOf(parsed.output) : null;
}

/** Parses stored entries. Those that cannot be read are left out: of a kind of item that a newer release knows, for example. */
export function storedEntriesOf(schema: string, stored: readonly Pick<StoredChange, 'entry' | 'key'>[]): readonly ChangeEntry[] {
	return readable(schema, stored, ({ entry }) => entryOf(entry), keyOfChange);
}

/** Parses stored changes, as `storedEntriesOf` does. */
export function storedChangesOf(schema: string, stored: readonly StoredChange[]): readonly Change[] {
	const changeOf = ({ entry, before }: StoredChange): Change => ({
		entry: entryOf(entry),
		before: before === null ? null : v.parse(replacedSchema, JSON.parse(before)),
	});
	return readable(schema, stored, changeOf, keyOfChange);
}

const entryOf = (text: string): ChangeEntry => v.parse(changeEntrySchema, JSON.parse(text));

const keyOfChange = ({ key }: Pick<StoredChange, 'key'>): string => `change#${key}`;
