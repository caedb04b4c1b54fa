import { type ItemName, parseName, writeName } from './item-name.ts';
import { itemNames, type StoredItem, type StoredPlant, storedKeyOf } from './items.ts';
import { kinds, type PlantKind } from './kinds.ts';
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
 * new. The functions below add what is wrong to the list `faults` that they get, and go on.
 */
export function matchItems(file: PlantFile, plant: StoredPlant): Matched {
	const faults: Fault[] = [];
	const index = indexOf(plant.items);
	const itemsByKey = uniqueByName(
		file.items.flatMap((written) => namedItem(written, faults)),
		faults,
	);
	const items = [...itemsByKey.values()];
	const storedOf = new Map<NamedItem, StoredItem>();
	const itemOf = new Map<StoredItem, NamedItem>();
	const addMatch = (item: NamedItem, stored: StoredItem | null): void => {
		if (stored === null) return;
		storedOf.set(item, stored);
		itemOf.set(stored, item);
	};
	for (const item of items) {
		const stored = findByName(item, index, faults);
		const first = stored === null ? undefined : itemOf.get(stored);
		if (first === undefined) addMatch(item, stored);
		else
			faults.push({
				path: item.written.path,
				message: `${quoted(item.name)} is what ${first.written.path} names ${quoted(first.name)}: take one of both out.`,
			});
	}
	// Every name is matched before the first former name, so that a stored item that keeps its name is never taken for a renamed one.
	for (const item of items)
		if (!storedOf.has(item)) addMatch(item, findByFormerName(item, { index, itemsByKey, itemOf }, faults));
	return { items: items.map((item, position) => matchedItem(item, storedOf.get(item) ?? null, position)), faults };
}

/** An item of a file whose names were parsed. */
interface NamedItem {
	readonly written: WrittenItem;
	readonly name: ItemName;
	readonly was: ItemName | null;
}

/** @param position the place of the item in the file, which its provisional id follows */
function matchedItem({ written, name }: NamedItem, stored: StoredItem | null, position: number): MatchedItem {
	const isRenamed = stored !== null && written.kind !== 'panel' && stored.name.normalize('NFC') !== name.name;
	return { written, name, stored, id: stored?.id ?? firstProvisionalId + position, isRenamed };
}

/** The items of the plant, for the search. */
interface StoredIndex {
	readonly panel: StoredItem | null;
	/** By `storedKeyOf`. */
	readonly byName: ReadonlyMap<string, readonly StoredItem[]>;
	/** How a file names each of them. */
	readonly nameOf: ReadonlyMap<StoredItem, ItemName>;
}

function indexOf(items: readonly StoredItem[]): StoredIndex {
	return {
		panel: items.find(({ kind }) => kind === 'panel') ?? null,
		byName: Map.groupBy(items, storedKeyOf),
		nameOf: itemNames(items),
	};
}

/** Returns the key of an item of the file: its kind and its name as it is written, such as `Pump ##2` or `Pump#12`. Each may occur once. */
const writtenKeyOf = (kind: PlantKind, name: ItemName): string => `${kind} ${writeName(name)}`;

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

/** Returns the items by `writtenKeyOf`. An item whose name an earlier one has gets a fault and is left out. */
function uniqueByName(items: readonly NamedItem[], faults: Fault[]): ReadonlyMap<string, NamedItem> {
	const byKey = new Map<string, NamedItem>();
	for (const item of items) {
		const key = writtenKeyOf(item.written.kind, item.name);
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

/** Returns the stored item with the name of an item; null when there is none, or when the name has a fault. */
function findByName({ written, name }: NamedItem, index: StoredIndex, faults: Fault[]): StoredItem | null {
	const { kind, path } = written;
	if (kind === 'panel') return index.panel;
	const fault = faultAt(path, faults);
	const found = index.byName.get(storedKeyOf({ kind, name: name.name })) ?? [];
	if (name.id === undefined) return found.length > 1 ? fault(severalMessage(name, found, index)) : (found[0] ?? null);
	return (
		found.find(({ id }) => id === name.id) ??
		fault(
			`${quoted(name)} names the item ${name.id}, which this plant does not have under that name. Such a name is for one plant only: give the item a name of its own.`,
		)
	);
}

/** What a search by former names needs of the search by names. */
interface RenameContext {
	readonly index: StoredIndex;
	/** The items of the file by `writtenKeyOf`. */
	readonly itemsByKey: ReadonlyMap<string, NamedItem>;
	/** The item that each stored item is matched with already. */
	readonly itemOf: ReadonlyMap<StoredItem, NamedItem>;
}

/** Returns the stored item with the former name of an item; null when there is none, or when the former name has a fault. */
function findByFormerName(
	{ written: { kind, path }, name, was }: NamedItem,
	{ index, itemsByKey, itemOf }: RenameContext,
	faults: Fault[],
): StoredItem | null {
	// A name with an id names a stored item, so it is never a new name.
	if (was === null || name.id !== undefined) return null;
	const fault = faultAt(`${path}.was`, faults);
	const other = itemsByKey.get(writtenKeyOf(kind, was));
	if (other !== undefined)
		return fault(
			`${quoted(was)} is the name of ${other.written.path}, too: only an item that is not in the file any more can be renamed.`,
		);
	const found = (index.byName.get(storedKeyOf({ kind, name: was.name })) ?? []).filter(
		({ id }) => was.id === undefined || was.id === id,
	);
	if (found.length > 1) return fault(severalMessage(was, found, index));
	const [stored] = found;
	if (stored === undefined) return null;
	const first = itemOf.get(stored);
	if (first === undefined) return stored;
	return fault(`${quoted(was)} is what ${first.written.path} stands for already: only one item can have been it.`);
}

/** Returns a function that adds a fault of a place, and returns null: no item is found. */
const faultAt =
	(path: string, faults: Fault[]) =>
	(message: string): null => {
		faults.push({ path, message });
		return null;
	};

/** Most names that a message offers. */
const maxChoices = 5;

function severalMessage(name: ItemName, found: readonly StoredItem[], { nameOf }: StoredIndex): string {
	const choices = found.flatMap((item) => nameOf.get(item) ?? []).map(quoted);
	return `${found.length} items have the name ${quoted(name)}: write which one, ${choices.slice(0, maxChoices).join(' or ')}.`;
}

const quoted = (name: ItemName): string => JSON.stringify(writeName(name));
