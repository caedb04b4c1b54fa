import * as v from 'valibot';
import { formatFormula } from '#domain/equation/format-formula.ts';
import { parseFormula } from '#domain/equation/formula-text.ts';
import { tokenSchema } from '#domain/equation/token.ts';
import { byCodePoint, isObject, type Json, type JsonObject, objectOf, withFields } from './json.ts';

const tokens = v.array(tokenSchema);

/**
 * Converts content to the form of a file: variables by name in place of `varId`, formulas as text, and the queries of a variable sorted.
 * @param nameOf returns the name of a variable in the file
 */
export function toPortable(content: JsonObject, nameOf: (id: number) => string): JsonObject {
	const portable = withFields(content, (key, value) => {
		if (key === 'varId' && typeof value === 'number') return ['variable', nameOf(value)];
		if (key === 'equation' && v.is(tokens, value)) return [key, formatFormula(value)];
		return key === 'varsTsdb' && isObject(value) ? [key, sorted(value)] : null;
	});
	return objectOf(portable);
}

/** A formula of a file that cannot be read. */
export interface FormulaFlaw {
	readonly path: string;
	readonly text: string;
	readonly flaw: 'brace_not_closed' | 'name_without_braces';
}

/** Content of a file in the form of the API. */
export interface Linked {
	readonly content: JsonObject;
	readonly flaws: readonly FormulaFlaw[];
}

/**
 * Converts content of a file to the form of the API.
 * @param idOf returns the id of a variable that the file names; null when there is no such variable
 */
export function fromPortable(portable: JsonObject, idOf: (name: string, path: string) => number | null): Linked {
	const flaws: FormulaFlaw[] = [];
	const content = withFields(portable, (key, value, path) => {
		if (key === 'variable' && typeof value === 'string') return ['varId', idOf(value, path)];
		if (key === 'equation' && typeof value === 'string') return [key, tokensOf(value, path, flaws)];
		return null;
	});
	return { content: objectOf(content), flaws };
}

function tokensOf(text: string, path: string, flaws: FormulaFlaw[]): Json {
	return parseFormula(text).map(({ token: { value, type }, flaw, start, end }) => {
		if (flaw !== null) flaws.push({ path, text: text.slice(start, end), flaw });
		return { value, type };
	});
}

function sorted(queries: JsonObject): JsonObject {
	return Object.fromEntries(Object.entries(queries).toSorted(([a], [b]) => byCodePoint(a, b)));
}
