import { contentOfMachine } from '../access/machine-change.ts';
import type { Change, ChangeEntry, ChangeKey, ReplacedItem } from '../changes/change-entry.ts';
import { DomainError } from '../errors.ts';
import type { ChangeJournal } from '../ports/change-journal.ts';
import type { Machines } from '../ports/machines.ts';
import type { People } from '../ports/people.ts';
import type { SchemaReader } from '../ports/schema-store.ts';
import { contentOfRow, rowKeyOf } from '../transaction/row-change.ts';

/** The dependencies of reading a change. */
export interface ReadChangeDeps {
	readonly changes: Pick<ChangeJournal, 'history'>;
	readonly store: Pick<SchemaReader, 'get'>;
	readonly people: Pick<People, 'find'>;
	readonly machines: Pick<Machines, 'find'>;
}

/** A change with the item after it. */
export interface WholeChange extends Change {
	/** Null: the change deleted the item. Undefined: it is not known, because an earlier release wrote after it, or a backup was restored. */
	readonly after: ReplacedItem | null | undefined;
}

/** Entries that are read: two of the row version, where a restored backup has led to two, and the one after them. */
const maxEntries = 3;

/**
 * Returns an entry of the journal with the item before and after. If several entries have the row version, the newest is returned. The
 * item after it is the one that the item's next entry replaced, or the stored row.
 * @throws DomainError `no_such_change`, and the errors of the journal and the store
 */
export async function readChange(deps: ReadChangeDeps, schema: string, key: ChangeKey): Promise<WholeChange> {
	const changes = await deps.changes.history(schema, key, key.rowVersion, maxEntries);
	const [found, ...others] = changes.filter(({ entry }) => entry.rowVersion === key.rowVersion).reverse();
	if (found === undefined) throw new DomainError('no_such_change', { ...key });
	const { entry } = found;
	if (entry.action === 'deleted') return { ...found, after: null };
	const next = changes.find((each) => each.entry.rowVersion > key.rowVersion);
	// After tables were restored from a backup, the next entry may belong to another course of events.
	const isForked = others.length > 0 || (next !== undefined && next.entry.at < entry.at);
	const itemAfter = next?.before ?? (await currentOf(deps, schema, entry));
	return { ...found, after: !isForked && itemAfter?.version === entry.version ? itemAfter : undefined };
}

/** Returns the item as it is now, null where there is none. Called where no later entry holds the item. */
async function currentOf(
	{ store, people, machines }: ReadChangeDeps,
	schema: string,
	entry: ChangeEntry,
): Promise<ReplacedItem | null> {
	if (entry.kind === 'person') {
		const person = await people.find(schema, entry.name);
		// `Person` has no version. No later entry holds a role, so the stored one is the one that this entry set.
		return person === null ? null : { version: entry.version, content: { email: person.email, role: person.role } };
	}
	if (entry.kind === 'machine') {
		const machine = await machines.find(String(entry.itemId));
		return machine?.schema === schema ? { version: machine.version, content: contentOfMachine(machine) } : null;
	}
	const key = rowKeyOf(entry);
	// A session stores no item.
	if (key === null) return null;
	const [row = null] = await store.get(schema, [key]);
	return row === null ? null : contentOfRow(row);
}
