import * as v from 'valibot';
import { plainObject, problemOf } from '#domain/validation/parse.ts';
import { type ItemName, writeName } from './item-name.ts';
import { byWrittenName, namesOf, type StoredPlant } from './items.ts';
import { isList, isObject, type Json, type JsonObject } from './json.ts';
import { kinds, type PlantKind, plantKinds } from './kinds.ts';
import { toPortable } from './portable.ts';

/** The form of the file. A later form has another number. */
export const fileFormat = 1;

/** The largest file, in bytes. */
export const maxFileBytes = 64_000_000;

/** No content of a plant is nested deeper. */
const maxNesting = 40;

const itemList = v.optional(v.array(plainObject), []);

/** A plant's file. What an item holds is parsed by the rules of its kind. */
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
	/** Where: `charts[3].series[0].variable`; empty for the file as a whole. */
	readonly path: string;
	/** What is wrong, and what to do. */
	readonly message: string;
}

/** An item as a file has it. */
export interface WrittenItem {
	readonly kind: PlantKind;
	readonly path: string;
	/** Content as the file has it, without name and `was`. */
	readonly content: JsonObject;
	/** The text that names it. */
	readonly name: Json | undefined;
	/** The text of its name before a rename. */
	readonly was: Json | undefined;
}

/** A file that could be read. */
export interface PlantFile {
	readonly schema: string;
	readonly thisPlantOnly: boolean;
	readonly items: readonly WrittenItem[];
}

/** Writes the file of a plant. Two plants that are the same have the same bytes. */
export function writePlantFile({ schema, items }: StoredPlant): string {
	const names = namesOf(items);
	const variableNames = new Map(items.flatMap((item) => (item.kind === 'variable' ? [[item.id, names.get(item)]] : [])));
	const nameOf = (id: number): string => writeName(variableNames.get(id) ?? { name: '', id });
	const written = (kind: PlantKind): readonly JsonObject[] =>
		items
			.filter((item) => item.kind === kind)
			.map((item) => ({ name: names.get(item) ?? { name: item.name }, item }))
			.toSorted((a, b) => byWrittenName(a.name, b.name))
			.map(({ name, item }) =>
				writtenItem(kind, kind === 'panel' ? { name: item.name } : name, toPortable(item.content, nameOf)),
			);
	const lists = plantKinds.map((kind) => {
		const list = written(kind);
		return [kinds[kind].list, kind === 'panel' ? (list[0] ?? null) : list];
	});
	const onlyHere = items.some((item) => item.kind !== 'panel' && names.get(item)?.id !== undefined);
	const file = { format: fileFormat, schema, ...(onlyHere ? { thisPlantOnly: true } : {}), ...Object.fromEntries(lists) };
	return `${JSON.stringify(file, null, '\t')}\n`;
}

function writtenItem(kind: PlantKind, name: ItemName, content: JsonObject): JsonObject {
	const { nameField } = kinds[kind];
	const { [nameField]: raw = '', ...rest } = content;
	const { varsTsdb, ...others } = rest;
	// The panel is one, so its title names nothing.
	const text = kind === 'panel' ? raw : writeName(name);
	if (varsTsdb === undefined) return { [nameField]: text, ...rest };
	return { [nameField]: text, ...others, varsTsdb: ownQuery(content, varsTsdb, name.name) };
}

/** The only query of a variable has its name. */
function ownQuery(content: JsonObject, queries: Json, name: string): Json {
	if (content['calc'] === true || !isObject(queries)) return queries;
	return Object.fromEntries(Object.values(queries).map((query) => [name, query]));
}

/** Reads the text of a plant's file, with every fault of its form. The file is null where nothing of it can be read. */
export function parsePlantFile(text: string): { readonly file: PlantFile | null; readonly faults: readonly Fault[] } {
	let json: Json;
	try {
		json = toJsonChecked(text);
	} catch (error) {
		const cause = error instanceof Error ? error.message.replace(/\s+/g, ' ').slice(0, 200) : '';
		return { file: null, faults: [{ path: '', message: `Is no JSON: ${cause}` }] };
	}
	const tooDeep = deeperThan(json, maxNesting);
	if (tooDeep !== null)
		return { file: null, faults: [{ path: tooDeep, message: 'Is nested too deeply: no content of a plant is.' }] };
	const result = v.safeParse(plantFileSchema, json);
	const faults = result.success ? [] : result.issues.map(faultOf);
	// What can be read is read nevertheless, so that all faults are named at once.
	if (!isObject(json) || typeof json['schema'] !== 'string') return { file: null, faults };
	const { schema, thisPlantOnly = false } = json;
	const tooMany = plantKinds.flatMap((kind) => countFault(kind, json));
	const file = json;
	return {
		file: { schema, thisPlantOnly: thisPlantOnly === true, items: plantKinds.flatMap((kind) => itemsOfKind(kind, file)) },
		faults: [...faults, ...tooMany],
	};
}

function countFault(kind: PlantKind, file: JsonObject): readonly Fault[] {
	const { list, maxItems } = kinds[kind];
	const value = file[list];
	if (!isList(value) || value.length <= maxItems) return [];
	return [{ path: list, message: `Has ${value.length} items: a plant holds at most ${maxItems}. The others are not looked at.` }];
}

function toJsonChecked(text: string): Json {
	const parsed: unknown = JSON.parse(text);
	// Without a look at the depth, writing it again could overflow the stack.
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
		// There is one panel: its title names nothing.
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
	if (issue.type === 'strict_object' && issue.expected === 'never')
		return { path, message: 'Is no field of a plant’s file: correct its name, or take it out.' };
	if (path === 'format') return { path, message: `Must be ${fileFormat}: this release reads no other form of file.` };
	return { path, message: problemOf(issue).message };
}

/** Returns the path of a value that is nested deeper than `limit`; null where there is none. Does not recurse. */
function deeperThan(root: Json, limit: number): string | null {
	const open: { readonly value: Json; readonly depth: number; readonly path: string }[] = [{ value: root, depth: 0, path: '' }];
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		const { value, depth, path } = next;
		if (depth > limit) return path.length > 100 ? `${path.slice(0, 100)}…` : path;
		if (typeof value !== 'object' || value === null) continue;
		const entries: readonly (readonly [string, Json])[] = Object.entries(value);
		for (const [key, inner] of entries)
			if (typeof inner === 'object') open.push({ value: inner, depth: depth + 1, path: `${path}.${key}` });
	}
	return null;
}
