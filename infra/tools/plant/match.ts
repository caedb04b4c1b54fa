import { type ItemName, parseName, writeName } from './item-name.ts';
import { namesOf, type StoredItem, type StoredPlant } from './items.ts';
import { kinds } from './kinds.ts';
import type { Fault, PlantFile, WrittenItem } from './plant-file.ts';

/** An item of a file, with the item of the plant that it matches. */
export interface MatchedItem {
	readonly written: WrittenItem;
	readonly name: ItemName;
	/** Null: the item is new. */
	readonly stored: StoredItem | null;
	/** The id of the stored item. A new item gets a provisional id, so that other items can refer to it. */
	readonly id: number;
	/** Whether its name in the plant is another one. */
	readonly isRenamed: boolean;
}

/** The items of a file, matched with those of a plant. */
export interface Matched {
	readonly items: readonly MatchedItem[];
	readonly faults: readonly Fault[];
}

/** Ids from this one on stand for new items while a plan is made. No stored id is so large. */
export const firstProvisionalId = Number.MAX_SAFE_INTEGER - 1_000_000;

/** Whether an id stands for an item that is still to be created. */
export function isProvisional(id: number): boolean {
	return id >= firstProvisionalId;
}

/**
 * Matches each item of a file with an item of the plant: first by its name, then by its former name (`was`). An item without a match is
 * new.
 */
export function matchItems(file: PlantFile, plant: StoredPlant): Matched {
	const faults: Fault[] = [];
	const index = indexOf(plant.items);
	const named = file.items.flatMap((written) => namedItem(written, faults));
	const byKey = uniqueByName(named, faults);
	const itemOfStored = new Map<StoredItem, NamedItem>();
	const storedOfItem = new Map<NamedItem, StoredItem>();
	for (const item of byKey.values()) {
		const stored = findStored(item, index, faults);
		if (stored === null) continue;
		storedOfItem.set(item, stored);
		itemOfStored.set(stored, item);
	}
	for (const item of byKey.values()) {
		// A name with an id names a stored item, so it is never a new name.
		if (storedOfItem.has(item) || item.was === null || item.name.id !== undefined) continue;
		const stored = findRenamed(item, item.was, { index, byKey, itemOfStored }, faults);
		if (stored === null) continue;
		storedOfItem.set(item, stored);
		itemOfStored.set(stored, item);
	}
	const items = [...byKey.values()].map((item, position): MatchedItem => {
		const stored = storedOfItem.get(item) ?? null;
		const isRenamed = stored !== null && item.written.kind !== 'panel' && stored.name.normalize('NFC') !== item.name.name;
		return { written: item.written, name: item.name, stored, id: stored?.id ?? firstProvisionalId + position, isRenamed };
	});
	return { items, faults };
}

/** An item of a file whose names were parsed. */
interface NamedItem {
	readonly written: WrittenItem;
	readonly name: ItemName;
	readonly was: ItemName | null;
}

interface StoredIndex {
	readonly byId: ReadonlyMap<string, StoredItem>;
	readonly byName: ReadonlyMap<string, readonly StoredItem[]>;
	readonly nameOf: ReadonlyMap<StoredItem, ItemName>;
}

function indexOf(items: readonly StoredItem[]): StoredIndex {
	return {
		byId: new Map(items.map((item) => [`${item.kind} ${item.id}`, item])),
		byName: Map.groupBy(items, ({ kind, name }) => keyOf(kind, name.normalize('NFC'))),
		nameOf: namesOf(items),
	};
}

const keyOf = (kind: string, name: string): string => `${kind} ${name}`;

function namedItem(written: WrittenItem, faults: Fault[]): readonly NamedItem[] {
	const { kind, path, name, was } = written;
	if (kind === 'panel') return [{ written, name: { name: '' }, was: null }];
	const { nameField } = kinds[kind];
	if (typeof name !== 'string' || name === '') {
		faults.push({ path: `${path}.${nameField}`, message: 'Is required: text that names the item.' });
		return [];
	}
	if (was !== undefined && was !== null && typeof was !== 'string')
		faults.push({ path: `${path}.was`, message: 'Must be text: the name of the item before it was renamed.' });
	return [{ written, name: parseName(name), was: typeof was === 'string' ? parseName(was) : null }];
}

/** Returns the items by kind and name. Adds a fault for each item whose name another one has. */
function uniqueByName(items: readonly NamedItem[], faults: Fault[]): ReadonlyMap<string, NamedItem> {
	const byKey = new Map<string, NamedItem>();
	for (const item of items) {
		const key = keyOf(item.written.kind, writeName(item.name));
		const first = byKey.get(key);
		if (first === undefined) byKey.set(key, item);
		else
			faults.push({
				path: item.written.path,
				message: `Has the name of ${first.written.path}, ${quoted(item.name)}: give it another one, or take one of both out.`,
			});
	}
	return byKey;
}

/** Returns the stored item with a name; null when there is none, or when the name has a fault. */
function findStored({ written, name }: NamedItem, index: StoredIndex, faults: Fault[]): StoredItem | null {
	const { kind, path } = written;
	if (kind === 'panel') return index.byId.get('panel 0') ?? null;
	const equal = index.byName.get(keyOf(kind, name.name)) ?? [];
	if (name.id !== undefined) {
		const stored = equal.find(({ id }) => id === name.id);
		if (stored !== undefined) return stored;
		const message = `${quoted(name)} names the item ${name.id}, which this plant does not have under that name. Such a name is for one plant only: give the item a name of its own.`;
		faults.push({ path, message });
		return null;
	}
	if (equal.length > 1) faults.push({ path, message: severalMessage(name, equal, index) });
	return equal.length === 1 ? (equal[0] ?? null) : null;
}

interface RenameContext {
	readonly index: StoredIndex;
	readonly byKey: ReadonlyMap<string, NamedItem>;
	/** The items that are matched already. */
	readonly itemOfStored: ReadonlyMap<StoredItem, NamedItem>;
}

/** Returns the stored item that has the former name of an item; null when there is none, or when the name has a fault. */
function findRenamed(
	item: NamedItem,
	was: ItemName,
	{ index, byKey, itemOfStored }: RenameContext,
	faults: Fault[],
): StoredItem | null {
	const { kind, path } = item.written;
	const fault = (message: string): null => {
		faults.push({ path: `${path}.was`, message });
		return null;
	};
	const other = byKey.get(keyOf(kind, writeName(was)));
	if (other !== undefined)
		return fault(
			`${quoted(was)} is the name of ${other.written.path}, too: only an item that is not in the file any more can be renamed.`,
		);
	const equal = (index.byName.get(keyOf(kind, was.name)) ?? []).filter(({ id }) => was.id === undefined || was.id === id);
	if (equal.length > 1) return fault(severalMessage(was, equal, index));
	const [stored] = equal;
	if (stored === undefined) return null;
	const first = itemOfStored.get(stored);
	if (first !== undefined)
		return fault(`${quoted(was)} is what ${first.written.path} stands for already: only one item can have been it.`);
	return stored;
}

/** Most names that a message offers. */
const maxChoices = 5;

function severalMessage(name: ItemName, equal: readonly StoredItem[], { nameOf }: StoredIndex): string {
	const choices = equal.flatMap((item) => nameOf.get(item) ?? []).map(quoted);
	return `${equal.length} items have the name ${quoted(name)}: write which one, ${choices.slice(0, maxChoices).join(' or ')}.`;
}

const quoted = (name: ItemName): string => JSON.stringify(writeName(name));
