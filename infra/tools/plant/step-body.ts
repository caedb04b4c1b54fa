import type { JsonObject } from './json.ts';
import { objectOf, withFields } from './json.ts';
import type { PlantKind } from './kinds.ts';

/** What is saved: an item's content, and what is stored of it. */
export interface SavedContent {
	readonly kind: PlantKind;
	/** Null: the item is new. */
	readonly before: JsonObject | null;
	readonly content: JsonObject;
	/** 0 creates an item. */
	readonly id: number;
}

/**
 * Returns the body of a save. Of a board, a field that is left out keeps what is stored: null takes it away.
 * @param idOf returns the id of the variable that an id stands for
 */
export function bodyOfSave(
	{ kind, before, content, id }: SavedContent,
	idOf: (id: number) => number = (same) => same,
): JsonObject {
	const linked = objectOf(
		withFields(content, (key, value) => (key === 'varId' && typeof value === 'number' ? [key, idOf(value)] : null)),
	);
	if (kind === 'panel') return linked;
	if (kind === 'variable') return { ...linked, id };
	const absent = Object.keys(before ?? {}).filter((key) => !Object.hasOwn(content, key));
	return { ...Object.fromEntries(absent.map((key) => [key, null])), ...linked, id };
}
