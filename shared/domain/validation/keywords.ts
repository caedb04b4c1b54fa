import type * as v from 'valibot';

/** What JSON Schema (draft 2020-12) can say of an action that valibot runs as a function. `items` is the schema of a list's items. */
export interface Keywords {
	readonly type?: 'integer';
	readonly minimum?: number;
	readonly exclusiveMinimum?: number;
	readonly maximum?: number;
	readonly multipleOf?: number;
	readonly maxLength?: number;
	readonly maxItems?: number;
	readonly uniqueItems?: true;
	readonly items?: v.GenericSchema;
	/** The forms of a value, in place of what the schema before the action says. */
	readonly forms?: readonly v.GenericSchema[];
}

const keywordsByAction = new WeakMap<object, Keywords>();

/** Notes for the API's description (infra/openapi) what an action checks. Parsing does not read it. Returns the action. */
export function withKeywords<Action extends object>(action: Action, keywords: Keywords): Action {
	keywordsByAction.set(action, keywords);
	return action;
}

/** Returns the keywords of an action; undefined where JSON Schema cannot say what it checks. */
export function keywordsOf(action: object): Keywords | undefined {
	return keywordsByAction.get(action);
}
