import { type ItemName, writeName } from './item-name.ts';
import { byCodePoint, isObject, type JsonObject } from './json.ts';
import type { PlantKind } from './kinds.ts';
import { kinds } from './kinds.ts';

/** An item that is stored in the plant. The panel has the id 0. */
export interface StoredItem {
	readonly kind: PlantKind;
	readonly id: number;
	readonly version: number;
	/** The stored name, in any normal form of Unicode. */
	readonly name: string;
	/** The content in the form of the API, without id and version. */
	readonly content: JsonObject;
}

/** The items that are stored in a plant. */
export interface StoredPlant {
	/** The tenant of the token. */
	readonly schema: string;
	readonly items: readonly StoredItem[];
}

/** Returns the name of an item's content. */
export function nameOfContent(kind: PlantKind, content: JsonObject): string {
	const name = content[kinds[kind].nameField];
	return typeof name === 'string' ? name : '';
}

/** Returns how a file names each item of a plant: an entry for every item. */
export function itemNames(items: readonly StoredItem[]): ReadonlyMap<StoredItem, ItemName> {
	const itemsByKey = Map.groupBy(items, storedKeyOf);
	return new Map(
		items.map((item) => {
			const name = item.name.normalize('NFC');
			const isUnique = itemsByKey.get(storedKeyOf(item))?.length === 1;
			return [item, isUnique ? { name } : { name, id: item.id }];
		}),
	);
}

/** Returns the key by which a plant's items are found: the kind and the plain name, which several items may have. */
export function storedKeyOf({ kind, name }: Pick<StoredItem, 'kind' | 'name'>): string {
	return `${kind} ${name.normalize('NFC')}`;
}

/** Compares two names for the order in which a file lists items. */
export function byWrittenName(a: ItemName, b: ItemName): number {
	return byCodePoint(writeName(a), writeName(b));
}

/** Whether a variable is a byte of bits. */
export function isCompressed(content: JsonObject): boolean {
	return content['binary_compressed'] === true;
}

/** Returns the positions of a variable's bits. */
export function bitPositions(content: JsonObject): readonly number[] {
	return bitsOf(content).flatMap(({ bit }) => (typeof bit === 'number' ? [bit] : []));
}

/** Returns the bits of a variable; an empty list when it is not a byte of bits. */
export function bitsOf(content: JsonObject): readonly JsonObject[] {
	const { bits } = content;
	return isCompressed(content) && Array.isArray(bits) ? bits.filter((bit) => isObject(bit)) : [];
}
