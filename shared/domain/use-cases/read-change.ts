import type { Change, ChangeKey, ReplacedItem } from '../changes/change-entry.ts';
import { DomainError } from '../errors.ts';
import type { ChangeJournal } from '../ports/change-journal.ts';
import type { RowKey, SchemaReader } from '../ports/schema-store.ts';
import { contentOfRow, rowKeyOf } from '../transaction/row-change.ts';

/** What reading a change needs. */
export interface ReadChangeDeps {
	readonly changes: Pick<ChangeJournal, 'history'>;
	readonly store: Pick<SchemaReader, 'get'>;
}

/** A change, with what it made. */
export interface WholeChange extends Change {
	/** Null: the change deleted the item. Undefined: it is not known, because an earlier release wrote after it. */
	readonly after: ReplacedItem | null | undefined;
}

/**
 * Returns an entry of the journal with what it replaced and what it made: what the item's next entry replaced, or the row as it is now.
 * @throws DomainError `not_found`, and the errors of the journal and the store
 */
export async function readChange({ changes, store }: ReadChangeDeps, schema: string, key: ChangeKey): Promise<WholeChange> {
	const [found, next] = await changes.history(schema, key, key.rowVersion, 2);
	if (found === undefined || found.entry.rowVersion !== key.rowVersion) throw new DomainError('no_such_change', { ...key });
	const { entry } = found;
	if (entry.action === 'deleted') return { ...found, after: null };
	const rowKey = rowKeyOf(key);
	const made = next?.before ?? (rowKey === null ? null : await currentOf(store, schema, rowKey));
	return { ...found, after: made?.version === entry.version ? made : undefined };
}

async function currentOf(store: Pick<SchemaReader, 'get'>, schema: string, key: RowKey): Promise<ReplacedItem | null> {
	const [row = null] = await store.get(schema, [key]);
	return row === null ? null : contentOfRow(row);
}
