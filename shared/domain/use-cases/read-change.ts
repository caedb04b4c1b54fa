import { contentOfMachine } from '../access/machine-change.ts';
import type { Change, ChangeEntry, ChangeKey, ReplacedItem } from '../changes/change-entry.ts';
import { DomainError } from '../errors.ts';
import type { ChangeJournal } from '../ports/change-journal.ts';
import type { Machines } from '../ports/machines.ts';
import type { People } from '../ports/people.ts';
import type { SchemaReader } from '../ports/schema-store.ts';
import { contentOfRow, rowKeyOf } from '../transaction/row-change.ts';

/** What reading a change needs. */
export interface ReadChangeDeps {
	readonly changes: Pick<ChangeJournal, 'history'>;
	readonly store: Pick<SchemaReader, 'get'>;
	readonly people: Pick<People, 'find'>;
	readonly machines: Pick<Machines, 'find'>;
}

/** A change, with what it made. */
export interface WholeChange extends Change {
	/** Null: the change deleted the item. Undefined: it is not known, because an earlier release wrote after it, or a backup was restored. */
	readonly after: ReplacedItem | null | undefined;
}

/**
 * Returns an entry of the journal, the newest of its row version, with what it replaced and what it made: what the item's next entry replaced, or the row as it is now.
 * @throws DomainError `not_found`, and the errors of the journal and the store
 */
export async function readChange(deps: ReadChangeDeps, schema: string, key: ChangeKey): Promise<WholeChange> {
	const changes = await deps.changes.history(schema, key, key.rowVersion, 3);
	const [found, ...others] = changes.filter(({ entry }) => entry.rowVersion === key.rowVersion).reverse();
	if (found === undefined) throw new DomainError('no_such_change', { ...key });
	const { entry } = found;
	if (entry.action === 'deleted') return { ...found, after: null };
	const next = changes.find((each) => each.entry.rowVersion > key.rowVersion);
	// Tables were restored from a backup: entries of two courses of events follow each other.
	const isForked = others.length > 0 || (next !== undefined && next.entry.at < entry.at);
	const made = next?.before ?? (await currentOf(deps, schema, entry));
	return { ...found, after: !isForked && made?.version === entry.version ? made : undefined };
}

/** Returns the item as it is now, null where there is none. The last entry of a person made the role of now. */
async function currentOf(
	{ store, people, machines }: ReadChangeDeps,
	schema: string,
	entry: ChangeEntry,
): Promise<ReplacedItem | null> {
	if (entry.kind === 'person') {
		const person = await people.find(schema, entry.name);
		return person === null ? null : { version: entry.version, content: { email: person.email, role: person.role } };
	}
	if (entry.kind === 'machine') {
		const machine = await machines.find(String(entry.itemId));
		return machine?.schema === schema ? { version: machine.version, content: contentOfMachine(machine) } : null;
	}
	const key = rowKeyOf(entry);
	// A session leaves nothing.
	if (key === null) return null;
	const [row = null] = await store.get(schema, [key]);
	return row === null ? null : contentOfRow(row);
}
