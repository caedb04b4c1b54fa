import type { Schemas } from '#page/core/api.ts';

const signs: Readonly<Record<Schemas['Alarm']['condition'], string>> = {
	'>': '>',
	'>=': '≥',
	'<': '<',
	'<=': '≤',
	'==': '=',
	'!=': '≠',
};

/** Returns how people write a condition of an alarm: `≥` for `>=`. */
export function conditionSign(condition: Schemas['Alarm']['condition']): string {
	return signs[condition];
}
