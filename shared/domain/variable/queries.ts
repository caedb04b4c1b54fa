import * as v from 'valibot';
import { maxTokens } from '../equation/token.ts';
import { tooManyItems } from '../validation/field.ts';
import { maxNameLength } from '../validation/input-limits.ts';
import { listNotObject, plainObject, shorten, type ValidationIssues } from '../validation/parse.ts';
import { problem } from '../validation/problem.ts';
import { type Query, querySchema } from './query.ts';

/** Maximum number of queries: between two names of an equation stands an operator. */
export const maxQueries = maxTokens / 2;

/** The queries of a variable by name. A Map, because `__proto__` and `constructor` are valid names. */
export type Queries = ReadonlyMap<string, Query>;

/** The field varsTsdb: every query as it was sent, and the parsed ones. */
export interface ParsedQueries {
	readonly raw: ReadonlyMap<string, unknown>;
	readonly queries: Queries;
}

/** Returns the path of an issue about a query, or about a field of it. A name that is too long is cut, but later than the longest name that is allowed. */
export function queryPathOf(name: string, field?: string): string {
	return ['varsTsdb', shorten(name, 2 * maxNameLength), ...(field === undefined ? [] : [field])].join('.');
}

/** Parses varsTsdb and adds its issues; returns undefined when it is not an object, or has too many queries to look at. */
export function parseQueries(input: unknown, issues: ValidationIssues): ParsedQueries | undefined {
	if (!v.is(plainObject, input)) {
		const form = 'an object of queries by name.';
		issues.add(
			'varsTsdb',
			input === undefined ? problem('required', `Is required: ${form}`) : problem('not_an_object', `Expected: ${form}`),
		);
		return undefined;
	}
	const { length } = Object.keys(input);
	if (length > maxQueries) {
		issues.add('varsTsdb', tooManyItems('queries', maxQueries, length));
		return undefined;
	}
	const raw = new Map<string, unknown>(Object.entries(input));
	const queries = new Map<string, Query>();
	for (const [name, value] of raw) {
		if (issues.isFull) break;
		// Valibot takes a list for an object, and the rules over several fields would add issues of their own.
		if (Array.isArray(value)) issues.add(queryPathOf(name), listNotObject);
		else {
			const query = issues.parseField(querySchema, value, queryPathOf(name));
			if (query !== undefined) queries.set(name, query);
		}
	}
	return { raw, queries };
}
