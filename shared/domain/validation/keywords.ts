import type * as v from 'valibot';

/**
 * What a text that a client sends may hold (`badCharacterIn`). `line`: one line, such as a name or a unit. `lines`: line breaks and tabs too,
 * such as a reason. `any`: everything, because its characters were chosen elsewhere, such as those of a topic.
 */
export type TextForm = 'line' | 'lines' | 'any';

/**
 * The keywords of JSON Schema (draft 2020-12) that describe a check which valibot only knows as a function. `items` describes each item of a
 * list, `values` each value of an object with keys of any name.
 */
export interface Keywords {
	readonly type?: 'integer';
	readonly minimum?: number;
	readonly exclusiveMinimum?: number;
	readonly maximum?: number;
	readonly multipleOf?: number;
	readonly maxLength?: number;
	readonly minItems?: number;
	readonly maxItems?: number;
	readonly uniqueItems?: true;
	readonly maxProperties?: number;
	readonly items?: v.GenericSchema;
	readonly values?: v.GenericSchema;
	/** Of a schema of text, and no keyword: `line` where it is left out. */
	readonly form?: TextForm;
}

const keywordsByAction = new WeakMap<object, Keywords>();

/** Attaches keywords to an action, for the API's description (infra/openapi). They do not change how the action parses. Returns the action. */
export function withKeywords<Action extends object>(action: Action, keywords: Keywords): Action {
	keywordsByAction.set(action, keywords);
	return action;
}

/** Returns the keywords of an action; undefined where JSON Schema cannot say what it checks. */
export function keywordsOf(action: object): Keywords | undefined {
	return keywordsByAction.get(action);
}
