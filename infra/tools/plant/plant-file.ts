import * as v from 'valibot';
import { plainObject, problemOf } from '#domain/validation/parse.ts';
import { type ItemName, writeName } from './item-name.ts';
import { byWrittenName, namesOf, type StoredPlant } from './items.ts';
import { innerPath, isList, isObject, type Json, type JsonObject } from './json.ts';
import { kinds, type PlantKind, plantKinds } from './kinds.ts';
import { toPortable } from './portable.ts';

/** The form of the file. A later form has another number. */
export const fileFormat = 1;

/** The largest file, in bytes. */
export const maxFileBytes = 64_000_000;

/** The deepest nesting that a file may have. No content of a plant needs more. */
const maxNesting = 40;

/** Most characters that a message repeats of a path, and of the cause of a failure. */
const maxPathLength = 100;
const maxCauseLength = 200;

const itemList = v.optional(v.array(plainObject), []);

/** A plant's file. The content of each item is parsed later, by the rules of its kind. */
export const plantFileSchema = v.strictObject({
	$schema: v.optional(v.string()),
	format: v.literal(fileFormat),
	/** The schema that the file was pulled from. */
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
	/** The content in the form of the file, without name and `was`. That of the panel has its title, which does not identify it. */
	readonly content: JsonObject;
	/** The field that names the item, not checked yet. */
	readonly name: Json | undefined;
	/** The field with its name before a rename, not checked yet. */
	readonly was: Json | undefined;
}

/** A file that could be read. */
export interface PlantFile {
	readonly schema: string;
	readonly thisPlantOnly: boolean;
	readonly items: readonly WrittenItem[];
}

/** Writes the file of a plant. Equal plants give equal bytes. */
export function writePlantFile({ schema, items }: StoredPlant): string {
	const names = namesOf(items);
	const variableNames = new Map(items.flatMap((item) => (item.kind === 'variable' ? [[item.id, names.get(item)]] : [])));
	// An item of the panel may refer to a deleted variable, which has no name: `#12`.
	const nameOf = (id: number): string => writeName(variableNames.get(id) ?? { name: '', id });
	const written = (kind: PlantKind): readonly JsonObject[] =>
		items
			.filter((item) => item.kind === kind)
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

/** Parses the text of a plant's file. Also returns every fault of its form. The file is null when it cannot be read at all. */
export function parsePlantFile(text: string): { readonly file: PlantFile | null; readonly faults: readonly Fault[] } {
	let json: Json;
	try {
		json = parseJsonText(text);
	} catch (error) {
		const cause = error instanceof Error ? error.message.replace(/\s+/g, ' ').slice(0, maxCauseLength) : '';
		return { file: null, faults: [{ path: '', message: `Is no JSON: ${cause}` }] };
	}
	const pathTooDeep = deeperThan(json, maxNesting);
	if (pathTooDeep !== null)
		return { file: null, faults: [{ path: pathTooDeep, message: 'Is nested too deeply: no content of a plant is.' }] };
	const result = v.safeParse(plantFileSchema, json);
	const faults = result.success ? [] : result.issues.map(faultOf);
	// Goes on in spite of faults, so that all faults are reported at once.
	if (!isObject(json) || typeof json['schema'] !== 'string') return { file: null, faults };
	const { schema, thisPlantOnly = false } = json;
	// A constant, so that the functions below know that it is an object.
	const lists = json;
	return {
		file: { schema, thisPlantOnly: thisPlantOnly === true, items: plantKinds.flatMap((kind) => itemsOfKind(kind, lists)) },
		faults: [...faults, ...plantKinds.flatMap((kind) => countFault(kind, lists))],
	};
}

/** Returns a fault when a file has more items of a kind than a plant can hold. */
function countFault(kind: PlantKind, file: JsonObject): readonly Fault[] {
	const { list, maxItems } = kinds[kind];
	const value = file[list];
	if (!isList(value) || value.length <= maxItems) return [];
	return [{ path: list, message: `Has ${value.length} items: a plant holds at most ${maxItems}. The others are not looked at.` }];
}

function parseJsonText(text: string): Json {
	const parsed: unknown = JSON.parse(text);
	// Gives the value its type without a copy. Its depth is not checked yet, and copying a very deep value would overflow the stack.
	return v.parse(
		v.custom<Json>(() => true),
		parsed,
	);
}

function itemsOfKind(kind: PlantKind, file: JsonObject): readonly WrittenItem[] {
	const { list, nameField, maxItems } = kinds[kind];
	const value = file[list];
	const entries: readonly (readonly [string, Json])[] = isList(value)
		? value.slice(0, maxItems).map((item, index) => [`${list}[${index}]`, item])
		: [[list, value ?? null]];
	return entries.flatMap(([path, item]): readonly WrittenItem[] => {
		if (!isObject(item)) return [];
		// A plant has only one panel, so its title does not identify it.
		if (kind === 'panel') return [{ kind, path, content: item, name: '', was: undefined }];
		const { [nameField]: name, was, ...content } = item;
		return [{ kind, path, content, name, was }];
	});
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
