import { isObject, type JsonObject, objectOf, withFields } from './json.ts';
import type { PlantKind } from './kinds.ts';

/** The content of an item to save, with its stored content. */
export interface SavedContent {
	readonly kind: PlantKind;
	/** Null: the item is new. */
	readonly before: JsonObject | null;
	readonly content: JsonObject;
	/** 0 creates an item. */
	readonly id: number;
}

/**
 * Builds the body of a save. The service keeps the stored value of a board's field that is left out, and the stored tags of a query, so removed
 * ones are sent as null.
 * @param idOf returns the stored id of a variable for the one in the content, which may be provisional; default: all are stored ids
 */
export function bodyOfSave(
	{ kind, before, content, id }: SavedContent,
	idOf: (id: number) => number = (storedId) => storedId,
): JsonObject {
	const linked = withVariableIds(content, idOf);
	if (kind === 'panel') return linked;
	if (kind === 'variable') return { ...linked, ...withoutStoredTags(before, linked), id };
	const absent = Object.keys(before ?? {}).filter((key) => !Object.hasOwn(content, key));
	return { ...Object.fromEntries(absent.map((key) => [key, null])), ...linked, id };
}

/** Returns the queries of a variable with null for tags that they lack, where the stored variable has some. */
function withoutStoredTags(before: JsonObject | null, { varsTsdb: queries }: JsonObject): JsonObject {
	const stored = before?.['varsTsdb'];
	const hasTags = isObject(stored) && Object.values(stored).some((query) => isObject(query) && Object.hasOwn(query, 'calc_tags'));
	if (!hasTags || !isObject(queries)) return {};
	const complete = Object.entries(queries).map(([name, query]) => [
		name,
		isObject(query) ? { calc_tags: null, ...query } : query,
	]);
	return { varsTsdb: objectOf(Object.fromEntries(complete)) };
}

/** Replaces each id by which content refers to a variable. */
export function withVariableIds(content: JsonObject, idOf: (id: number) => number): JsonObject {
	return objectOf(
		withFields(content, (key, value) => (key === 'varId' && typeof value === 'number' ? [key, idOf(value)] : null)),
	);
}
