import { contentOfMachine } from '../access/machine-change.ts';
import type { Change, ChangeEntry, ChangeKey, ReplacedItem } from '../changes/change-entry.ts';
import { DomainError } from '../errors.ts';
import { contentOfGrant, grantAddressOf } from '../identity/grant-change.ts';
import type { ChangeJournal } from '../ports/change-journal.ts';
import type { GrantLookup } from '../ports/grants.ts';
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
	readonly grants: GrantLookup;
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
	const itemAfter = isForked ? undefined : await itemBefore(deps, schema, next ?? { entry, before: null });
	const after = itemAfter?.version === entry.version ? itemAfter : undefined;
	return { entry, before: found.before === null ? null : withKept(found.before, after), after };
}

/** Entries that are read at once to find the large fields that an entry left out. */
const entriesPerRead = 10;

/**
 * Returns the whole item that a change replaced, or the item as it is now for a change that replaced none. Large fields that the change kept
 * are those of the item that the next change replaced. Undefined: they are not known.
 */
async function itemBefore(
	deps: ReadChangeDeps,
	schema: string,
	{ entry, before }: Change,
): Promise<ReplacedItem | null | undefined> {
	if (before === null) return currentOf(deps, schema, entry);
	let item = before;
	let last = entry;
	while (item.kept !== undefined) {
		const later = await deps.changes.history(schema, entry, last.rowVersion + 1, entriesPerRead);
		for (const change of later) {
			if (item.kept === undefined) return item;
			// An earlier release wrote in between, or a backup was restored.
			if (change.entry.replaced !== last.version || change.before === null) return undefined;
			item = withKept(item, change.before);
			last = change.entry;
		}
		if (later.length > 0) continue;
		const current = await currentOf(deps, schema, entry);
		if (current?.version !== last.version) return undefined;
		item = withKept(item, current);
	}
	return item;
}

/** Returns an item with the large fields that it lacks from a later version of it, as far as that one has them. */
function withKept({ kept = [], ...item }: ReplacedItem, later: ReplacedItem | null | undefined): ReplacedItem {
	const found = Object.entries(Object(later?.content)).filter(([field]) => kept.includes(field));
	const missing = kept.filter((field) => !found.some(([each]) => each === field));
	const content = found.length === 0 ? item.content : { ...Object(item.content), ...Object.fromEntries(found) };
	return { ...item, content, ...(missing.length === 0 ? {} : { kept: missing }) };
}

/** Returns the item as it is now, null where there is none. Called where no later entry holds the item. */
async function currentOf(
	{ store, people, machines, grants }: ReadChangeDeps,
	schema: string,
	entry: ChangeEntry,
): Promise<ReplacedItem | null> {
	if (entry.kind === 'person') {
		const person = await people.find(schema, String(entry.itemId));
		// `Person` has no version. No later entry holds a role, so the stored one is the one that this entry set.
		return person === null ? null : { version: entry.version, content: { email: person.email, role: person.role } };
	}
	if (entry.kind === 'machine') {
		const machine = await machines.find(String(entry.itemId));
		return machine?.schema === schema ? { version: machine.version, content: contentOfMachine(machine) } : null;
	}
	if (entry.kind === 'grant') {
		const stored = await grants.find(grantAddressOf(String(entry.itemId)));
		return stored?.grant.schema === schema ? contentOfGrant(stored) : null;
	}
	const key = rowKeyOf(entry);
	// A session stores no item.
	if (key === null) return null;
	const [row = null] = await store.get(schema, [key]);
	return row === null ? null : contentOfRow(row);
}
