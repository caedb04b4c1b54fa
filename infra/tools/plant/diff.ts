import * as v from 'valibot';
import { formatFormula } from '#domain/equation/format-formula.ts';
import { tokenSchema } from '#domain/equation/token.ts';
import { canonicalText, isList, isObject, type Json, type JsonObject } from './json.ts';

/** A field that a plan changes. Undefined: the field is absent. */
export interface FieldChange {
	readonly path: string;
	readonly before: Json | undefined;
	readonly after: Json | undefined;
}

const tokens = v.array(tokenSchema);

/**
 * Returns the fields that differ. An equation is compared as a whole, any other list by position.
 * @param nameOf returns how variables are named: references are shown by name
 */
export function fieldChanges(before: JsonObject, after: JsonObject, nameOf: (id: number) => string): readonly FieldChange[] {
	const changes: FieldChange[] = [];
	const shownValue = (key: string, value: Json | undefined): Json | undefined => {
		if (key === 'varId' && typeof value === 'number') return nameOf(value);
		return key === 'equation' && v.is(tokens, value) ? formatFormula(value) : value;
	};
	const compare = (key: string, path: string, old: Json | undefined, next: Json | undefined): void => {
		if (old === next || (old !== undefined && next !== undefined && canonicalText(old) === canonicalText(next))) return;
		if (isObject(old) && isObject(next)) {
			compareFields(path, old, next);
			return;
		}
		if (isList(old) && isList(next) && key !== 'equation') {
			const length = Math.max(old.length, next.length);
			for (let index = 0; index < length; index += 1) compare(noKey, `${path}[${index}]`, old[index], next[index]);
			return;
		}
		changes.push({ path: path.replace(/varId$/, 'variable'), before: shownValue(key, old), after: shownValue(key, next) });
	};
	const compareFields = (path: string, old: JsonObject, next: JsonObject): void => {
		for (const key of Object.keys({ ...old, ...next }))
			compare(key, path === '' ? key : `${path}.${key}`, fieldIn(old, key), fieldIn(next, key));
	};
	compareFields('', withQuery(before), withQuery(after));
	return changes;
}

/** The key of an item of a list, which has none. */
const noKey = '';

const fieldIn = (object: JsonObject, key: string): Json | undefined => (Object.hasOwn(object, key) ? object[key] : undefined);

/** Replaces the queries of a simple variable by its only query, whose key repeats the variable's name. */
function withQuery(content: JsonObject): JsonObject {
	const { varsTsdb } = content;
	if (!isObject(varsTsdb) || content['calc'] === true) return content;
	return { ...content, varsTsdb: Object.values(varsTsdb)[0] ?? null };
}
