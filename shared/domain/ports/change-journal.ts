import type { Change, ChangeEntry, ItemKey, ItemKind } from '../changes/change-entry.ts';

/** A request for the entries of a range of time, newest first. */
export interface ChangePageRequest {
	/** Epoch milliseconds, inclusive. */
	readonly start: number;
	/** Epoch milliseconds, exclusive. */
	readonly end: number;
	/** Only of these kinds. */
	readonly kinds: readonly ItemKind[];
	/** Only of one item, whose kind is the only one in `kinds`; null: of all items. */
	readonly itemId: number | string | null;
	/** Only by the actor with this id; null: by anybody. */
	readonly actor: string | null;
	readonly limit: number;
	/** The `next` of the page before; null for the first page. */
	readonly after: string | null;
}

/** A part of the journal. A page may have fewer entries than asked for, even none, although others follow. */
export interface ChangePage {
	readonly entries: readonly ChangeEntry[];
	/** The time key after which the next page begins; null on the last page. */
	readonly next: string | null;
}

/**
 * The journal of changes of every schema (shared/domain/changes/README.md). Entries are added by the commits that they tell of. Expired
 * entries are not returned.
 * @throws DomainError `store_failed`
 */
export interface ChangeJournal {
	/** Returns a page of entries, newest first. It may lack those of the last second or so. */
	page(schema: string, request: ChangePageRequest): Promise<ChangePage>;
	/** Returns at most `limit` entries of an item with what they replaced, from a row version on, ascending. Strongly consistent. */
	history(schema: string, item: ItemKey, from: number, limit: number): Promise<readonly Change[]>;
	/** Returns every entry of the schema, each item's one after another by ascending row version. Strongly consistent. */
	all(schema: string): Promise<readonly ChangeEntry[]>;
}
