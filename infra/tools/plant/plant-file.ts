import * as v from 'valibot';
import { messageOf } from '#domain/errors.ts';
import { plainObject, problemOf } from '#domain/validation/parse.ts';
import { type ItemName, writeName } from './item-name.ts';
import { byWrittenName, itemNames, type StoredPlant } from './items.ts';
import { innerPath, isList, isObject, type Json, type JsonObject } from './json.ts';
import { kinds, type PlantKind, plantKinds } from './kinds.ts';
import { toPortable } from './portable.ts';

/** The form of the file. A later form has another number. */
export const fileFormat = 1;

/** The largest file, in bytes. */
export const maxFileBytes = 64_000_000;

/** The deepest nesting that a file may have. No content of a plant needs more. */
const maxNesting = 40;

/** Most characters that a message repeats of a path. */
const maxPathLength = 100;

/** Most characters that a message repeats of a parser's message. */
const maxCauseLength = 200;

const itemList = v.optional(v.array(plainObject), []);

/** Parses a plant's file. The content of each item is parsed later, by the rules of its kind. */
const plantFileForm = v.strictObject({
	$schema: v.optional(v.string()),
	format: v.literal(fileFormat),
	/** The tenant that the file was pulled from. */
	schema: v.pipe(v.string(), v.nonEmpty('Must not be empty.')),
	/** Whether items are named with their ids, because several have one name. Such a file is for this plant only. */
	thisPlantOnly: v.optional(v.boolean(), false),
	variables: itemList,
	charts: itemList,
	diagrams: itemList,
	reports: itemList,
	panel: v.nullish(plainObject, null),
	alarms: itemList,
});

/** Something in a file that must be corrected. */
export interface Fault {
	/** The place in the file, such as `charts[3].series[0].variable`; empty for the whole file. */
	readonly path: string;
	/** Says what is wrong, and what to do. */
	readonly message: string;
}

/** An item of a file. */
export interface WrittenItem {
	readonly kind: PlantKind;
	readonly path: string;
	/** The content in the form of the file, without name and `was`. */
	readonly content: JsonObject;
	/** The field that names the item, not checked yet. A plant has only one panel: its title is part of its content, and its name is ''. */
	readonly name: Json | undefined;
	/** The field with its name before a rename, not checked yet. */
	readonly was: Json | undefined;
}

/** A file that could be read. */
export interface PlantFile {
	/** The tenant that it was pulled from. */
	readonly schema: string;
	readonly thisPlantOnly: boolean;
	readonly items: readonly WrittenItem[];
}

/** Writes the file of a plant. Equal plants give equal bytes. */
export function writePlantFile({ schema, items }: StoredPlant): string {
	const names = itemNames(items);
	const variableNames = new Map(items.flatMap((item) => (item.kind === 'variable' ? [[item.id, names.get(item)]] : [])));
	// An item of the panel may refer to a deleted variable, which has no name: `#12`.
	const nameOf = (id: number): string => writeName(variableNames.get(id) ?? { name: '', id });
	const written = (kind: PlantKind): readonly JsonObject[] =>
		items
			.filter((item) => item.kind === kind)
			// Every item has a name; the type of the map cannot say so.
			.map((item) => ({ name: names.get(item) ?? { name: item.name }, item }))
			.toSorted((a, b) => byWrittenName(a.name, b.name))
			.map(({ name, item }) => writtenItem(kind, name, toPortable(item.content, nameOf)));
	const lists = plantKinds.map((kind) => {
		const list = written(kind);
		return [kinds[kind].list, kind === 'panel' ? (list[0] ?? null) : list];
	});
	const hasIds = items.some((item) => names.get(item)?.id !== undefined);
	const file = { format: fileFormat, schema, ...(hasIds ? { thisPlantOnly: true } : {}), ...Object.fromEntries(lists) };
	return `${JSON.stringify(file, null, '\t')}\n`;
}

/** Returns an item as the file has it: its name first, the queries of a variable last. */
function writtenItem(kind: PlantKind, name: ItemName, content: JsonObject): JsonObject {
	const { nameField } = kinds[kind];
	const { [nameField]: storedName = '', varsTsdb, ...others } = content;
	// A plant has only one panel, so its title need not identify it, and stays as it is stored.
	const named = { [nameField]: kind === 'panel' ? storedName : writeName(name), ...others };
	return varsTsdb === undefined ? named : { ...named, varsTsdb: withOwnQuery(content, varsTsdb, name.name) };
}

/** Names the only query of a variable like the variable: in the file's normal form of Unicode, which the stored name may not have. */
function withOwnQuery(content: JsonObject, queries: Json, name: string): Json {
	// The queries of a formula have names of their own.
	if (content['calc'] === true || !isObject(queries)) return queries;
	return Object.fromEntries(Object.values(queries).map((query) => [name, query]));
}

/**
 * Parses the text of a plant's file. Items are read in spite of faults elsewhere, so that all faults are reported at once. The file is null
 * where it cannot be read at all.
 */
export function parsePlantFile(text: string): { readonly file: PlantFile | null; readonly faults: readonly Fault[] } {
	const parsed = parseJson(text);
	if ('fault' in parsed) return { file: null, faults: [parsed.fault] };
	const { json } = parsed;
	const result = v.safeParse(plantFileForm, json);
	const faults = result.success ? [] : result.issues.map(faultOf);
	if (!isObject(json) || typeof json['schema'] !== 'string') return { file: null, faults };
	return {
		file: {
			schema: json['schema'],
			thisPlantOnly: json['thisPlantOnly'] === true,
			items: plantKinds.flatMap((kind) => itemsOfKind(kind, json)),
		},
		faults: [...faults, ...plantKinds.flatMap((kind) => countFault(kind, json))],
	};
}

/** Parses JSON text. Deep nesting is a fault, because parsing its content would overflow the stack. */
function parseJson(text: string): { readonly json: Json } | { readonly fault: Fault } {
	try {
		const json: Json = JSON.parse(text);
		const pathTooDeep = deeperThan(json, maxNesting);
		if (pathTooDeep === null) return { json };
		return { fault: { path: pathTooDeep, message: 'Is nested too deeply: no content of a plant is.' } };
	} catch (error) {
		const cause = messageOf(error).replace(/\s+/g, ' ').slice(0, maxCauseLength);
		return { fault: { path: '', message: `Is no JSON: ${cause}` } };
	}
}

/** Returns the items of a kind: at most as many as a plant can hold. Entries that are no objects have faults from `plantFileForm`. */
function itemsOfKind(kind: PlantKind, file: JsonObject): readonly WrittenItem[] {
	const { list, nameField, maxItems } = kinds[kind];
	const value = file[list];
	if (kind === 'panel') return isObject(value) ? [{ kind, path: list, content: value, name: '', was: undefined }] : [];
	if (!isList(value)) return [];
	return value.slice(0, maxItems).flatMap((item, index): readonly WrittenItem[] => {
		if (!isObject(item)) return [];
		const { [nameField]: name, was, ...content } = item;
		return [{ kind, path: `${list}[${index}]`, content, name, was }];
	});
}

/** Returns a fault when a file has more items of a kind than a plant can hold. */
function countFault(kind: PlantKind, file: JsonObject): readonly Fault[] {
	const { list, maxItems } = kinds[kind];
	const value = file[list];
	if (!isList(value) || value.length <= maxItems) return [];
	return [{ path: list, message: `Has ${value.length} items: a plant holds at most ${maxItems}. The others are not looked at.` }];
}

function faultOf(issue: v.BaseIssue<unknown>): Fault {
	const path = (issue.path ?? []).reduce((text, { key }) => {
		if (typeof key === 'number') return `${text}[${key}]`;
		return text === '' ? String(key) : `${text}.${String(key)}`;
	}, '');
	const isUnknownField = issue.type === 'strict_object' && issue.expected === 'never';
	if (isUnknownField) return { path, message: 'Is no field of a plant’s file: correct its name, or take it out.' };
	if (path === 'format') return { path, message: `Must be ${fileFormat}: this release reads no other form of file.` };
	return { path, message: problemOf(issue).message };
}

/** Returns the path of a value that is nested deeper than `limit`; null where there is none. Does not recurse. */
function deeperThan(root: Json, limit: number): string | null {
	const open: { readonly value: Json; readonly depth: number; readonly path: string }[] = [{ value: root, depth: 0, path: '' }];
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		const { value, depth, path } = next;
		if (depth > limit) return path.length > maxPathLength ? `${path.slice(0, maxPathLength)}…` : path;
		if (typeof value !== 'object' || value === null) continue;
		const entries: readonly (readonly [string, Json])[] = Object.entries(value);
		for (const [key, inner] of entries)
			if (typeof inner === 'object')
				open.push({ value: inner, depth: depth + 1, path: innerPath(path, isList(value) ? Number(key) : key) });
	}
	return null;
}
