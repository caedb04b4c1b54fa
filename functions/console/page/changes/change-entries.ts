import { hourMs } from '#domain/milliseconds.ts';
import type { Paths } from '#infra/openapi/api.ts';
import { api, type Result, resultOf, type Schemas } from '#page/core/api.ts';
import type { ItemVersions } from '#page/core/item-versions.ts';
import { loadPart } from '#page/core/load.ts';
import { type ItemKind, isVersioned, itemKinds } from '#page/editing/item-kinds.ts';

/** An entry of the journal of changes. */
export type ChangeEntry = Schemas['ChangeEntry'];

/** An entry with the item before and after. */
export type WholeChange = Schemas['WholeChange'];

/** Names an entry of the journal. */
export type EntryKey = Pick<ChangeEntry, 'kind' | 'itemId' | 'rowVersion'>;

/** The part of the journal to read. `start` is in epoch milliseconds; null stands for every kind, item or actor. */
export interface ChangeQuestion {
	readonly start: number;
	readonly kind: ItemKind | null;
	readonly itemId: string | null;
	readonly actor: string | null;
}

/** The kinds, in the order of the filter. */
export const kindsInFilter: readonly ItemKind[] = Object.keys(itemKinds).filter((kind): kind is ItemKind => kind in itemKinds);

/** Loads the functions that compare and save versions of a kind. Resolves to null when the kind has no versions or loading fails. Never rejects. */
export async function loadVersions(kind: ItemKind): Promise<ItemVersions | null> {
	if (!isVersioned(kind)) return null;
	return loadPart<{ readonly versions: ItemVersions }>(itemKinds[kind].load).then(
		({ versions }) => versions,
		() => null,
	);
}

/** Reads the stored items of a kind again, after a version was restored. */
export async function reloadItems(kind: ItemKind): Promise<void> {
	if (isVersioned(kind)) await itemKinds[kind].reload();
}

/** Returns where an item is shown; null where it has no screen of its own. */
export function itemHref(kind: ItemKind, itemId: string | number): string | null {
	return isVersioned(kind) ? itemKinds[kind].hrefOf(itemId) : null;
}

/** How many entries a page of the list has at most. */
const pageSize = 100;

/** Reads a page of the journal, newest first. `after` is the `next` of the page before; null for the newest page. */
export function readChangePage(
	{ start, kind, itemId, actor }: ChangeQuestion,
	after: string | null,
): Promise<Result<Schemas['ChangePage']>> {
	return getChanges({
		limit: pageSize,
		...(after === null ? { start: String(start) } : { after }),
		...(kind === null ? {} : { kind }),
		...(itemId === null ? {} : { itemId }),
		...(actor === null ? {} : { actor }),
	});
}

/** Reads one entry with the item before and after. */
export async function readWholeChange({ kind, itemId, rowVersion }: EntryKey): Promise<Result<WholeChange>> {
	const query = { kind, itemId: String(itemId), rowVersion };
	const result = await resultOf(api.GET('/change', { params: { query } }));
	return result.ok ? { ...result, data: result.data.data } : result;
}

/** How long after a deletion the entries that it caused are looked for, in milliseconds. A deletion changes many boards in several commits. */
const causedWithinMs = hourMs;

/** How long before a deletion they are looked for, in milliseconds: the clocks of two functions may differ by that much. */
const causedBeforeMs = 1000;

/** How many entries one request looks through. */
const searchedAtOnce = 500;

/** Reads the entries that name a deletion as their cause: the boards that lost the variable, and those that were deleted with it. */
export async function readCausedChanges({ kind, itemId, rowVersion, at }: ChangeEntry): Promise<Result<readonly ChangeEntry[]>> {
	const time = Date.parse(at);
	const range = { start: String(time - causedBeforeMs), end: String(time + causedWithinMs) };
	const caused: ChangeEntry[] = [];
	for (let after: string | null = null; ; ) {
		const page: Result<Schemas['ChangePage']> = await getChanges({
			limit: searchedAtOnce,
			...(after === null ? range : { after }),
		});
		if (!page.ok) return page;
		const { data, next } = page.data;
		caused.push(
			...data.filter(({ cause }) => cause?.kind === kind && cause.itemId === itemId && cause.rowVersion === rowVersion),
		);
		if (next === null) return { ...page, data: caused };
		after = next;
	}
}

/** The query of a page of the journal. The first page has a start, each later one the `next` of the page before as `after`. */
type ChangePageQuery = NonNullable<Paths['/changes']['get']['parameters']['query']>;

function getChanges(query: ChangePageQuery): Promise<Result<Schemas['ChangePage']>> {
	return resultOf(api.GET('/changes', { params: { query } }));
}

/** Returns a text that identifies an entry. These texts sort in the order of the journal, so numbers in them have leading zeros. */
export function orderKeyOf(entry: ChangeEntry): string {
	return `${entry.at} ${String(entry.rowVersion).padStart(12, '0')} ${entry.kind} ${entry.itemId}`;
}

/** Names an entry in an address: `variable-5-23` is the entry of row version 5 of variable 23. */
export function entryAddressOf({ kind, itemId, rowVersion }: EntryKey): string {
	return `${kind}-${rowVersion}-${itemId}`;
}

/** Parses what `entryAddressOf` returns; null for anything else. */
export function parseAddress(text: string | null): EntryKey | null {
	const [, name, rowVersion, itemId = ''] = /^([a-z]+)-(\d{1,15})-(.+)$/.exec(text ?? '') ?? [];
	const kind = kindsInFilter.find((known) => known === name);
	return kind === undefined ? null : { kind, itemId, rowVersion: Number(rowVersion) };
}
