import { referenceProblem } from '#domain/board/reference.ts';
import { DomainError } from '#domain/errors.ts';
import { parseName, writeName } from './item-name.ts';
import { bitPositions, isCompressed, nameOfContent, namesOf, type StoredItem, type StoredPlant } from './items.ts';
import { canonicalText, isList, isObject, type Json, type JsonObject } from './json.ts';
import { kinds } from './kinds.ts';
import type { MatchedItem } from './match.ts';
import type { Fault } from './plant-file.ts';
import { fromPortable, toPortable } from './portable.ts';

/** An item in the state that the file asks for. Its content is checked, and its references are ids. */
export interface DesiredItem extends MatchedItem {
	/** The content in the form of the API, without id and version. */
	readonly content: JsonObject;
	readonly isChanged: boolean;
}

/** The items of a file in the form of the API, with every fault of their content. */
export interface LinkedItems {
	readonly items: readonly DesiredItem[];
	readonly faults: readonly Fault[];
}

/**
 * Resolves the references of a file, and checks each item by the rules of its kind.
 * @param deletes whether items that the file lacks are to be deleted
 */
export function linkItems(matched: readonly MatchedItem[], plant: StoredPlant, deletes: boolean): LinkedItems {
	const faults: Fault[] = [];
	const resolve = variableResolver(matched, plant, deletes, faults);
	const items = matched.flatMap((item) => desiredItem(item, resolve, faults));
	const variables = new Map(plant.items.flatMap((item) => (item.kind === 'variable' ? [[item.id, item.content]] : [])));
	for (const { written, id, content } of items) if (written.kind === 'variable') variables.set(id, content);
	for (const item of items) checkReferences(item, variables, faults);
	return { items, faults };
}

type ResolveVariable = (text: string, path: string) => number | null;

function variableResolver(
	matched: readonly MatchedItem[],
	plant: StoredPlant,
	deletes: boolean,
	faults: Fault[],
): ResolveVariable {
	const ofFile = new Map<string, number>();
	const itemOfStored = new Map<StoredItem, MatchedItem>();
	for (const item of matched) {
		if (item.written.kind !== 'variable') continue;
		ofFile.set(writeName(item.name), item.id);
		if (item.stored !== null) itemOfStored.set(item.stored, item);
	}
	const stored = plant.items.filter(({ kind }) => kind === 'variable');
	const byName = new Map([...namesOf(stored)].map(([item, name]) => [writeName(name), item]));
	return (text, path) => {
		const name = writeName(parseName(text));
		const id = ofFile.get(name);
		if (id !== undefined) return id;
		const item = byName.get(name);
		// The file has this variable under a new name.
		const renamed = item === undefined ? undefined : itemOfStored.get(item);
		const fault = (message: string): null => {
			faults.push({ path, message });
			return null;
		};
		if (renamed !== undefined)
			return fault(`${JSON.stringify(name)} is ${JSON.stringify(writeName(renamed.name))} in this file: write that name.`);
		if (item === undefined)
			return fault(
				`No variable has the name ${JSON.stringify(name.slice(0, 200))}: correct it, or add that variable to the file.`,
			);
		if (deletes) return fault(`${JSON.stringify(name)} would be deleted, because the file lacks it: add it to the file.`);
		return item.id;
	};
}

function desiredItem(item: MatchedItem, resolve: ResolveVariable, faults: Fault[]): readonly DesiredItem[] {
	const { written, stored } = item;
	const { path } = written;
	const count = faults.length;
	const { content: sent, flaws } = fromPortable(written.content, (text, at) => resolve(text, `${path}.${at}`));
	for (const { path: at, text, flaw } of flaws)
		faults.push({
			path: `${path}.${at}`,
			message:
				flaw === 'brace_not_closed'
					? `The name that begins with ${JSON.stringify(text.slice(0, 60))} has no closing brace: add }.`
					: `A name stands in braces: write {${text.slice(0, 60)}}.`,
		});
	const isSimple = written.kind === 'variable' && sent['calc'] !== true;
	const named = withName(item, isSimple ? withOwnQuery(sent, finalName(item)) : sent);
	const { parse, checkSent } = kinds[written.kind];
	const content = withFaults(item, faults, count, () => parse(named));
	if (content === null) return [];
	checkUnknownFields(item, content, faults);
	const isChanged = stored === null || canonicalText(stored.content) !== canonicalText(content);
	if (isChanged) withFaults(item, faults, count, () => checkSent(content));
	if (isChanged) checkBlanks(item, content, faults);
	return faults.length > count ? [] : [{ ...item, content, isChanged }];
}

/** Returns the name to save. Keeps the stored name when the file's name differs only in its normal form of Unicode. */
const finalName = ({ name, stored }: MatchedItem): string =>
	stored !== null && stored.name.normalize('NFC') === name.name ? stored.name : name.name;

function withName(item: MatchedItem, content: JsonObject): JsonObject {
	const { kind } = item.written;
	return kind === 'panel' ? content : { ...content, [kinds[kind].nameField]: finalName(item) };
}

/** Names the only query of a variable like the variable, so that a rename is one edit. */
function withOwnQuery(content: JsonObject, name: string): JsonObject {
	const { varsTsdb } = content;
	if (!isObject(varsTsdb)) return content;
	const [query, ...more] = Object.values(varsTsdb);
	return query === undefined || more.length > 0 ? content : { ...content, varsTsdb: Object.fromEntries([[name, query]]) };
}

/**
 * Runs `work` and returns its result. When `work` finds the content invalid, adds the faults and returns null.
 * @param since the number of faults that were found before this item
 */
function withFaults<Result>({ written }: MatchedItem, faults: Fault[], since: number, work: () => Result): Result | null {
	try {
		return work();
	} catch (error) {
		if (!(error instanceof DomainError) || error.code !== 'invalid') throw error;
		const issues: readonly Issue[] = invalidIssues(error);
		const reported = new Set(faults.slice(since).map(({ path }) => path));
		for (const { path, message } of issues) {
			const at = filePath(written.path, path);
			// A reference that could not be resolved has a fault already.
			if (!reported.has(at)) faults.push({ path: at, message });
		}
		return null;
	}
}

interface Issue {
	readonly path: string;
	readonly message: string;
}

function invalidIssues(error: DomainError<'invalid'>): readonly Issue[] {
	return error.payload.issues;
}

/** Converts the path that the service gives a field to its path in the file: `series.0.varId` is `charts[3].series[0].variable`. */
function filePath(item: string, path: string): string {
	if (path === 'request') return item;
	const inner = path
		.replace(/^equation\.\d+|(?<=^lines\.\d+\.)equation\.\d+/, (text) => text.replace(/\.\d+$/, ''))
		.replace(/(?<=^|\.)varId$/, 'variable')
		.replace(/\.(\d+)(?=\.|$)/g, '[$1]');
	return `${item}.${inner}`;
}

/** Adds a fault for each field that the kind of the item does not have, because the service would drop it. */
function checkUnknownFields({ written }: MatchedItem, content: JsonObject, faults: Fault[]): void {
	const known = toPortable(content, () => '');
	const look = (sent: Json, kept: Json | undefined, path: string): void => {
		if (isList(sent))
			for (const [index, item] of sent.entries()) look(item, isList(kept) ? kept[index] : undefined, `${path}[${index}]`);
		else if (isObject(sent))
			for (const [key, value] of Object.entries(sent)) {
				const field = isObject(kept) && Object.hasOwn(kept, key) ? kept[key] : undefined;
				if (field !== undefined) look(value, field, `${path}.${key}`);
				else if (value !== null)
					faults.push({ path: `${path}.${key}`, message: 'Has no effect here: correct the name of the field, or take it out.' });
			}
	};
	const { varsTsdb, ...rest } = written.content;
	look(rest, known, written.path);
	const queries = isObject(varsTsdb) ? Object.values(varsTsdb) : [];
	const keptQueries = isObject(known['varsTsdb']) ? known['varsTsdb'] : {};
	if (content['calc'] === true) look(varsTsdb ?? null, keptQueries, `${written.path}.varsTsdb`);
	else look(queries[0] ?? null, Object.values(keptQueries)[0], `${written.path}.varsTsdb`);
}

/** Adds a fault when the name of a variable begins or ends with blanks. The service trims names, so the plant would never match the file. */
function checkBlanks({ written, stored }: MatchedItem, content: JsonObject, faults: Fault[]): void {
	const name = nameOfContent(written.kind, content);
	if (written.kind !== 'variable' || name.trim() === name) return;
	const remedy = stored === null ? '' : `, with "was": ${JSON.stringify(writeName({ name }))}`;
	faults.push({
		path: `${written.path}.name`,
		message: `Has blanks at an end, which a save takes away: write it without${remedy}.`,
	});
}

function checkReferences({ written, content }: DesiredItem, variables: ReadonlyMap<number, JsonObject>, faults: Fault[]): void {
	for (const reference of kinds[written.kind].references(content)) {
		const variable = variables.get(reference.varId);
		// The name was resolved, so a missing variable is an item of the file whose own faults are reported already.
		if (variable === undefined) continue;
		const bits = bitPositions(variable).map((bit) => ({ bit }));
		const found = referenceProblem(reference, { binary_compressed: isCompressed(variable), bits });
		if (found === null) continue;
		const [field, { message }] = found;
		faults.push({ path: filePath(written.path, reference.path === '' ? field : `${reference.path}.${field}`), message });
	}
}
