import { referenceProblem } from '#domain/board/reference.ts';
import { DomainError } from '#domain/errors.ts';
import { parseName, writeName } from './item-name.ts';
import { bitPositions, isCompressed, itemNames, nameOfContent, type StoredItem, type StoredPlant } from './items.ts';
import { canonicalText, isList, isObject, type Json, type JsonObject } from './json.ts';
import { kinds } from './kinds.ts';
import type { MatchedItem } from './match.ts';
import type { Fault } from './plant-file.ts';
import { type FormulaFlaw, fromPortable, toPortable } from './portable.ts';

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

/** How items are linked. */
export interface LinkOptions {
	/** Whether items that the file lacks are to be deleted. Otherwise the file may refer to them. */
	readonly deletesAbsent: boolean;
}

/**
 * Resolves the references of a file, and checks each item by the rules of its kind. The functions below add what is wrong to the list `faults`
 * that they get, and go on.
 */
export function linkItems(matched: readonly MatchedItem[], plant: StoredPlant, options: LinkOptions): LinkedItems {
	const faults: Fault[] = [];
	const resolve = variableResolver(matched, plant, options, faults);
	const items = matched.flatMap((item) => desiredItem(item, resolve, faults));
	const variables = new Map(plant.items.flatMap((item) => (item.kind === 'variable' ? [[item.id, item.content]] : [])));
	for (const { written, id, content } of items) if (written.kind === 'variable') variables.set(id, content);
	for (const item of items) checkReferences(item, variables, faults);
	return { items, faults };
}

/** Returns the id of a variable that is named at a path of the file. Adds a fault and returns null when there is none. */
type ResolveVariable = (text: string, path: string) => number | null;

/** Most characters of a text of the file that a message repeats. */
const maxQuotedName = 200;
const maxQuotedFormula = 60;

function variableResolver(
	matched: readonly MatchedItem[],
	plant: StoredPlant,
	{ deletesAbsent }: LinkOptions,
	faults: Fault[],
): ResolveVariable {
	const idsInFile = new Map<string, number>();
	const matchOfStored = new Map<StoredItem, MatchedItem>();
	for (const item of matched) {
		if (item.written.kind !== 'variable') continue;
		idsInFile.set(writeName(item.name), item.id);
		if (item.stored !== null) matchOfStored.set(item.stored, item);
	}
	const stored = plant.items.filter(({ kind }) => kind === 'variable');
	const storedByName = new Map([...itemNames(stored)].map(([item, name]) => [writeName(name), item]));
	return (text, path) => {
		const name = writeName(parseName(text));
		const id = idsInFile.get(name);
		if (id !== undefined) return id;
		const item = storedByName.get(name);
		// The file has this variable under a new name.
		const renamed = item === undefined ? undefined : matchOfStored.get(item);
		const fault = (message: string): null => {
			faults.push({ path, message });
			return null;
		};
		if (renamed !== undefined)
			return fault(`${JSON.stringify(name)} is ${JSON.stringify(writeName(renamed.name))} in this file: write that name.`);
		if (item === undefined)
			return fault(
				`No variable has the name ${JSON.stringify(name.slice(0, maxQuotedName))}: correct it, or add that variable to the file.`,
			);
		if (deletesAbsent) return fault(`${JSON.stringify(name)} would be deleted, because the file lacks it: add it to the file.`);
		return item.id;
	};
}

function desiredItem(item: MatchedItem, resolve: ResolveVariable, faults: Fault[]): readonly DesiredItem[] {
	const { written, stored } = item;
	const { path } = written;
	const faultsBefore = faults.length;
	const { content: sent, flaws } = fromPortable(written.content, (text, field) => resolve(text, `${path}.${field}`));
	for (const flaw of flaws) faults.push({ path: `${path}.${flaw.path}`, message: flawMessage(flaw) });
	const isSimple = written.kind === 'variable' && sent['calc'] !== true;
	const named = withName(item, isSimple ? withOwnQuery(sent, finalName(item)) : sent);
	const { parse, checkSent } = kinds[written.kind];
	const content = withFaults(item, { faults, faultsBefore }, () => parse(named));
	if (content === null) return [];
	checkUnknownFields(item, content, faults);
	const isChanged = stored === null || canonicalText(stored.content) !== canonicalText(content);
	if (isChanged) withFaults(item, { faults, faultsBefore }, () => checkSent(content, stored?.content ?? null));
	if (isChanged) checkBlanks(item, content, faults);
	return faults.length > faultsBefore ? [] : [{ ...item, content, isChanged }];
}

function flawMessage({ text, flaw }: FormulaFlaw): string {
	const beginning = text.slice(0, maxQuotedFormula);
	return flaw === 'brace_not_closed'
		? `The name that begins with ${JSON.stringify(beginning)} has no closing brace: add }.`
		: `A name stands in braces: write {${beginning}}.`;
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
 * @param found.faultsBefore the number of faults that were found before this item
 */
function withFaults<Result>(
	{ written }: MatchedItem,
	{ faults, faultsBefore }: { readonly faults: Fault[]; readonly faultsBefore: number },
	work: () => Result,
): Result | null {
	try {
		return work();
	} catch (error) {
		if (!(error instanceof DomainError) || error.code !== 'invalid') throw error;
		const reported = new Set(faults.slice(faultsBefore).map(({ path }) => path));
		for (const { path, message } of issuesOf(error)) {
			const pathInFile = filePath(written.path, path);
			// A reference that could not be resolved has a fault already.
			if (!reported.has(pathInFile)) faults.push({ path: pathInFile, message });
		}
		return null;
	}
}

/** Returns the issues of an error whose code was compared. The comparison does not tell the compiler the type of the payload. */
function issuesOf(error: DomainError<'invalid'>): DomainError<'invalid'>['payload']['issues'] {
	return error.payload.issues;
}

/** Converts the path that the service gives a field to its path in the file: `series.0.varId` is `charts[3].series[0].variable`. */
function filePath(item: string, path: string): string {
	if (path === 'request') return item;
	const pathInItem = path
		.replace(tokenOfEquation, '$<equation>')
		.replace(referenceField, 'variable')
		.replace(positionInList, '[$<position>]');
	return `${item}.${pathInItem}`;
}

/** The position of a token in the equation of a variable or of a report's line: in a file a formula is one text. */
const tokenOfEquation = /(?<equation>^(?:lines\.\d+\.)?equation)\.\d+/;
const referenceField = /(?<=^|\.)varId$/;
const positionInList = /\.(?<position>\d+)(?=\.|$)/g;

/** Adds a fault for each field that the kind of the item does not have, because the service would drop it. */
function checkUnknownFields({ written }: MatchedItem, content: JsonObject, faults: Fault[]): void {
	const parsed = toPortable(content, () => '');
	const compare = (sent: Json, kept: Json | undefined, path: string): void => {
		if (isList(sent))
			for (const [index, item] of sent.entries()) compare(item, isList(kept) ? kept[index] : undefined, `${path}[${index}]`);
		else if (isObject(sent))
			for (const [key, value] of Object.entries(sent)) {
				const field = isObject(kept) && Object.hasOwn(kept, key) ? kept[key] : undefined;
				if (field !== undefined) compare(value, field, `${path}.${key}`);
				else if (value !== null)
					faults.push({ path: `${path}.${key}`, message: 'Has no effect here: correct the name of the field, or take it out.' });
			}
	};
	const { varsTsdb, ...rest } = written.content;
	compare(rest, parsed, written.path);
	const queries = isObject(varsTsdb) ? Object.values(varsTsdb) : [];
	const keptQueries = isObject(parsed['varsTsdb']) ? parsed['varsTsdb'] : {};
	// The only query of a simple variable is named like the variable, so its name in the file does not count.
	if (content['calc'] === true) compare(varsTsdb ?? null, keptQueries, `${written.path}.varsTsdb`);
	else compare(queries[0] ?? null, Object.values(keptQueries)[0], `${written.path}.varsTsdb`);
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
