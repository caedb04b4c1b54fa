import * as v from 'valibot';

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
	readonly [key: string]: Json;
}

/** Gives JSON its type, without a check. */
const jsonSchema: v.GenericSchema<unknown, Json> = v.custom<Json>(() => true);

/** Converts a value to a JSON value. Fields that are undefined are dropped. */
export function toJsonValue(value: unknown): Json {
	return v.parse(jsonSchema, JSON.parse(JSON.stringify(value) ?? 'null'));
}

/** Whether a value is an object, not a list. */
export function isObject(value: Json | undefined): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a list. */
export function isList(value: Json | undefined): value is readonly Json[] {
	return Array.isArray(value);
}

/** Converts a value to a JSON object; an empty one when the value is not an object. */
export function objectOf(value: unknown): JsonObject {
	const json = toJsonValue(value);
	return isObject(json) ? json : {};
}

/** Returns JSON text in which the keys of objects are in one order, so that equal values have equal text. */
export function canonicalText(value: Json): string {
	if (isList(value)) return `[${value.map(canonicalText).join(',')}]`;
	if (!isObject(value)) return JSON.stringify(value);
	const fields = Object.keys(value).sort(byCodePoint);
	return `{${fields.map((key) => `${JSON.stringify(key)}:${canonicalText(value[key] ?? null)}`).join(',')}}`;
}

/** Orders texts by their code points, which is the order of their bytes in UTF-8. */
export function byCodePoint(a: string, b: string): number {
	return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/**
 * Returns a copy of a value. `replace` may replace any of its fields, at any depth.
 * @param replace returns the new key and value of a field, or null to keep it and look into it
 * @param path where the value is in the whole; empty for the whole
 */
export function withFields(
	value: Json,
	replace: (key: string, value: Json, path: string) => readonly [key: string, value: Json] | null,
	path = '',
): Json {
	if (isList(value)) return value.map((item, index) => withFields(item, replace, innerPath(path, index)));
	if (!isObject(value)) return value;
	const fields = Object.entries(value).map(([key, field]) => {
		const fieldPath = innerPath(path, key);
		return replace(key, field, fieldPath) ?? [key, withFields(field, replace, fieldPath)];
	});
	// `fromEntries` defines each key, so that a query with the name __proto__ is kept.
	return Object.fromEntries(fields);
}

/** Returns the path of a field or an item: `lines[3].varId`. */
export function innerPath(path: string, key: string | number): string {
	if (path === '') return `${key}`;
	return typeof key === 'number' ? `${path}[${key}]` : `${path}.${key}`;
}
