import type { Schemas } from '#page/core/api.ts';
import { formatExact } from './number.ts';

/**
 * Formats a condition with its threshold: `≥ 2 m`.
 * @param unit '' where there is none, as for a bit
 */
export function formatCondition(
	{ condition, threshold }: Pick<Schemas['AlarmInput'], 'condition' | 'threshold'>,
	unit: string,
): string {
	return `${signs[condition]} ${withUnit(formatExact(threshold), unit)}`;
}

/** Adds its unit to a formatted number. Nothing is added for ''. */
export function withUnit(number: string, unit: string): string {
	return unit === '' ? number : `${number} ${unit}`;
}

/** How people write a condition. */
const signs: Readonly<Record<Schemas['Alarm']['condition'], string>> = {
	'>': '>',
	'>=': '≥',
	'<': '<',
	'<=': '≤',
	'==': '=',
	'!=': '≠',
};
