import * as v from 'valibot';
import { maxNameLength } from '../validation/field.ts';
import { shorten, type ValidationIssues } from '../validation/parse.ts';
import { type Query, querySchema } from './query.ts';

/** A variable's queries by name. A Map, because `__proto__` and `constructor` are legal names (design section 4). */
export type Queries = ReadonlyMap<string, Query>;

const jsonObject = v.custom<object>(
	(value) => typeof value === 'object' && value !== null && !Array.isArray(value),
	'Expected an object.',
);

const namedQueries = v.pipe(
	jsonObject,
	v.transform((value): readonly (readonly [string, unknown])[] => Object.entries(value)),
);

/** What a client sent as varsTsdb: every query as it came, and those that are right. */
export interface ParsedQueries {
	readonly given: ReadonlyMap<string, unknown>;
	readonly queries: Queries;
}

/** The path of what is wrong with the query of this name, or with a field of it. Cut where no right name is as long. */
export function pathOf(name: string, field?: string): string {
	return ['varsTsdb', shorten(name, 2 * maxNameLength), ...(field === undefined ? [] : [field])].join('.');
}

/** Parses varsTsdb, noting what is wrong in `offences`; undefined where it is not an object at all. */
export function parseQueries(input: unknown, offences: ValidationIssues): ParsedQueries | undefined {
	const result = v.safeParse(namedQueries, input);
	if (!result.success) {
		offences.add('varsTsdb', `${input === undefined ? 'Is required' : 'Expected'}: an object of queries by name.`);
		return undefined;
	}
	const queries = new Map<string, Query>();
	for (const [name, value] of result.output) {
		// To valibot a list is an object whose fields are all missing.
		if (Array.isArray(value)) offences.add(pathOf(name), 'Expected an object, received a list.');
		else {
			const query = offences.take(querySchema, value, pathOf(name));
			if (query !== undefined) queries.set(name, query);
		}
	}
	return { given: new Map(result.output), queries };
}
