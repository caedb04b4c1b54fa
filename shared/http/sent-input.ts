import type * as v from 'valibot';
import { DomainError } from '#domain/errors.ts';
import { tooManyItems } from '#domain/validation/field.ts';
import { keywordsOf } from '#domain/validation/keywords.ts';
import { parse, shorten, ValidationIssues } from '#domain/validation/parse.ts';
import { type Problem, problem } from '#domain/validation/problem.ts';
import { badCharacterIn } from '#domain/validation/text-form.ts';
import { badQueryName } from '#domain/variable/variable.ts';
import type { ApiEvent } from './event.ts';

/** The most parameters of a query. A query of more is refused before its names are compared with known ones. */
const maxParameters = 100;

/**
 * Returns the parameters of a query. An endpoint knows `names`, and ignores others.
 * @throws DomainError `invalid` for names that are nearly known, for parameters that are given twice, and for too many
 */
export function queryOf(
	{ queryStringParameters = {}, rawQueryString }: ApiEvent,
	names: readonly string[],
): Readonly<Partial<Record<string, string>>> {
	const issues = new ValidationIssues();
	const sent = new URLSearchParams(rawQueryString);
	if (sent.size > maxParameters) issues.add('request', tooManyItems('parameters', maxParameters, sent.size));
	issues.throwIfAny();
	const given = new Set<string>();
	const meantBy = nameMatcher(names);
	// Other services count pages or rows. Without a refusal, each request would answer the first page again.
	const isPaged = names.includes('after');
	for (const name of sent.keys()) {
		const meant = isPaged && countedPages.has(name.toLowerCase()) ? 'after' : meantBy(name);
		if (meant !== undefined) issues.add(name, unknownField(meant));
		else if (names.includes(name) && given.has(name)) issues.add(name, givenTwice(name));
		given.add(name);
	}
	issues.throwIfAny();
	return queryStringParameters;
}

/** Names by which other services count pages or rows. */
const countedPages: ReadonlySet<string> = new Set(['page', 'offset', 'skip']);

/** Parameters that hold a list. */
const lists: ReadonlySet<string> = new Set(['ids', 'aggregates']);

const givenTwice = (name: string): Problem =>
	lists.has(name)
		? problem('given_twice', `Is there more than once: send it once, its values separated by commas, such as ${name}=7,8.`)
		: problem('given_twice', 'Is there more than once: send it once.');

/** Number of items of a list whose fields are checked, if its schema has no limit. No stored list has more. */
const usualMaxItems = 1000;

/** The most fields of an object. An object of more is refused before its names are compared with known ones. */
export const maxFields = 1000;

/**
 * Parses a body that a client sent, of which more is demanded than of stored rows: no name of a field is nearly a known one
 * (shared/http/README.md#unknown-names), no text is blank, and none holds control characters (shared/http/README.md#texts). Queries have
 * names of the client's own, and topics as they are stored.
 * @param parseBody parses the body; left out: by the schema alone
 * @throws DomainError `invalid` with all issues, and what `parseBody` throws
 */
export function parseSent<Parsed>(schema: v.GenericSchema<unknown, Parsed>, body: object): Parsed;
export function parseSent<Parsed>(schema: v.GenericSchema, body: object, parseBody: (body: object) => Parsed): Parsed;
export function parseSent(
	schema: v.GenericSchema,
	body: object,
	parseBody: (body: object) => unknown = (each) => parse(schema, each),
): unknown {
	const issues = new ValidationIssues();
	addSentIssues(body, schema, '', issues);
	try {
		const parsed = parseBody(body);
		issues.throwIfAny();
		return parsed;
	} catch (error) {
		if (!(error instanceof DomainError) || error.code !== 'invalid') throw error;
		for (const { path, ...cause } of error.payload.issues) issues.add(path, cause);
		issues.throwIfAny();
		throw error;
	}
}

/** Text that shows nothing: Unicode's blanks, and the one without a width. */
const blank = /^[\s\u200b]+$/;

/** The parts of a valibot schema that lead to further fields: `entries` of an object, `value` of a map, `wrapped` of an optional value, `pipe` of a list. */
interface SchemaParts {
	readonly type: string;
	readonly entries?: Readonly<Record<string, v.GenericSchema>>;
	readonly value?: v.GenericSchema;
	readonly wrapped?: v.GenericSchema;
	readonly pipe?: readonly object[];
}

/** The rules of a schema for a value, beside its type. */
interface Rules {
	/** Whether a text must not be blank. */
	readonly isText: boolean;
	/** The schema of the items of a list. */
	readonly items: v.GenericSchema | undefined;
	/** Items beyond this number are not checked, because the list is refused for its length. */
	readonly maxItems: number;
	/** Finds the field that an unknown name was meant to be. */
	readonly meantBy: ReturnType<typeof nameMatcher>;
}

/** The rules of schemas. To find them for each item of a list would cost more than to parse the items. */
const rules = new WeakMap<SchemaParts, Rules>();

function rulesOf(schema: SchemaParts): Rules {
	const cached = rules.get(schema);
	if (cached !== undefined) return cached;
	const { entries = {}, pipe = [] } = schema;
	const computed = {
		isText: pipe.some((action) => 'type' in action && action.type === 'non_empty'),
		items: pipe.map((action) => keywordsOf(action)?.items).find((items) => items !== undefined),
		maxItems: pipe.reduce((most, action) => Math.min(most, keywordsOf(action)?.maxItems ?? most), usualMaxItems),
		meantBy: nameMatcher(Object.keys(entries)),
	};
	rules.set(schema, computed);
	return computed;
}

/**
 * Adds an issue for each name that is nearly a known one, and for each text that is blank or holds a bad character, in a value and everything
 * in it.
 * @param path the path of the value with a point at its end, such as `bits.0.`; empty for the body
 */
function addSentIssues(input: unknown, schema: SchemaParts, path: string, issues: ValidationIssues): void {
	if (issues.isFull || !canHaveIssue(input)) return;
	const { entries, value, wrapped } = schema;
	const { isText, items, maxItems, meantBy } = rulesOf(schema);
	if (isText && typeof input === 'string' && blank.test(input))
		issues.add(path.slice(0, -1), problem('empty', 'Must not be empty.'));
	if (schema.type === 'string' && typeof input === 'string') {
		const cause = badCharacterIn(input, keywordsOf(schema)?.form ?? 'line');
		if (cause !== undefined) issues.add(path.slice(0, -1), cause);
	}
	if (wrapped !== undefined) addSentIssues(input, wrapped, path, issues);
	if (wrapped !== undefined || typeof input === 'string') return;
	if (Array.isArray(input)) {
		if (items === undefined) return;
		for (const [index, item] of input.slice(0, maxItems).entries()) addSentIssues(item, items, `${path}${index}.`, issues);
		return;
	}
	const fieldCount = Object.keys(input).length;
	if (fieldCount > maxFields) {
		// The schema of a map says itself how many are too many.
		if (entries !== undefined) issues.add(path.slice(0, -1) || 'request', tooManyItems('fields', maxFields, fieldCount));
	} else if (entries !== undefined) {
		for (const [name, field] of Object.entries(input)) {
			const fieldSchema = Object.hasOwn(entries, name) ? entries[name] : undefined;
			const meant = fieldSchema === undefined ? meantBy(name) : undefined;
			if (fieldSchema !== undefined && canHaveIssue(field)) addSentIssues(field, fieldSchema, `${path}${name}.`, issues);
			if (meant !== undefined) issues.add(`${path}${name}`, unknownField(meant));
		}
	} else if (value !== undefined)
		for (const [name, field] of Object.entries(input)) {
			const cause = badCharacterIn(name, 'line');
			if (cause !== undefined) issues.add(path.slice(0, -1), badQueryName(name, cause));
			addSentIssues(field, value, `${path}${shorten(name)}.`, issues);
		}
}

/** Whether a value can hold a name of a field or be blank. Skips numbers, which most values are. */
const canHaveIssue = (value: unknown): value is object | string =>
	typeof value === 'string' || (typeof value === 'object' && value !== null);

const unknownField = (meant: string): Problem => problem('unknown_field', `There is no such field: send ${meant}.`, { meant });

/** The most names of clients for which `nameMatcher` remembers what was meant. */
const maxAnswers = 100;

/**
 * Returns a function that finds the known name that an unknown one was meant to be: the same in another case, without its separators, in
 * the singular or the plural, without its unit (`onDelay`), or with one letter wrong, missing, added or swapped. Undefined for a known name,
 * and for one like none.
 */
export function nameMatcher(known: readonly string[]): (name: string) => string | undefined {
	const plain = known.map((name) => ({ text: plainOf(name), name }));
	// A name so long can mean no known one, and is not searched: a client can send any number of them.
	const maxLength = 2 * Math.max(...known.map(({ length }) => length));
	/** What the last names meant. The items of a list repeat their names. */
	const answers = new Map<string, string | undefined>();
	const meantBy = (name: string): string | undefined => {
		const sent = plainOf(name);
		const withUnit = `${sent}seconds`;
		const found =
			plain.find(({ text }) => text === sent || text === withUnit) ??
			plain.find(({ text }) => text.length >= minTypoLength && isOneLetterOff(text, sent));
		return found?.name;
	};
	return (name) => {
		if (name.length > maxLength || known.includes(name)) return undefined;
		if (answers.has(name)) return answers.get(name);
		if (answers.size >= maxAnswers) answers.clear();
		const meant = meantBy(name);
		answers.set(name, meant);
		return meant;
	};
}

/** The shortest known name for which one wrong letter is taken for a mistake: shorter ones are like too many names. */
const minTypoLength = 3;

/** Returns a name without case and separators. */
const plainOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/**
 * Whether two texts differ by one letter that is wrong, missing, added or swapped with its neighbour. Texts are compared without copies,
 * because a body can hold 100,000 names.
 */
function isOneLetterOff(a: string, b: string): boolean {
	if (Math.abs(a.length - b.length) > 1) return false;
	const [long, short] = a.length < b.length ? [b, a] : [a, b];
	let start = 0;
	while (start < short.length && long[start] === short[start]) start += 1;
	let end = 0;
	while (end < short.length - start && long.at(-1 - end) === short.at(-1 - end)) end += 1;
	/** The letters of the longer text between the equal start and the equal end. */
	const differing = long.length - start - end;
	if (differing <= 1) return true;
	const isSwapped = long[start] === short[start + 1] && long[start + 1] === short[start];
	return differing === 2 && long.length === short.length && isSwapped;
}
