import { fieldPart, partsOf, type TopicField } from './topic-path.ts';

/** A placeholder of a pattern: the number of a part, from 1, or the field. */
const placeholder = /\{(\d{1,3}|field)\}/g;

/**
 * Returns the name that a pattern gives a series. `{2}` is the second part of the topic, and `{field}` the field unless it is `value`. A
 * placeholder without a part in the topic is left out, with the space beside it.
 * @example nameOf('Well {2} {3}', { topic: 'wells/1/flow', field: 'value' }); // 'Well 1 flow'
 */
export function nameOf(pattern: string, { topic, field }: TopicField): string {
	const parts = partsOf(topic);
	return pattern
		.replace(placeholder, (_, what: string) => (what === 'field' ? fieldPart(field) : (parts[Number(what) - 1] ?? '')))
		.replace(/\s+/g, ' ')
		.trim();
}

/** Returns the pattern that gives each series a name of its own: every part of the topics, and the field unless it is the usual one. */
export function usualPattern(series: readonly TopicField[]): string {
	const length = Math.max(1, ...series.map(({ topic }) => partsOf(topic).length));
	const parts = Array.from({ length }, (_, index) => `{${index + 1}}`);
	const hasFields = series.some(({ field }) => fieldPart(field) !== '');
	return [...parts, ...(hasFields ? ['{field}'] : [])].join(' ');
}

/** Returns the placeholders of a pattern for which no topic has a part: `{9}`. */
export function unknownPlaceholders(pattern: string, series: readonly TopicField[]): readonly string[] {
	const length = Math.max(0, ...series.map(({ topic }) => partsOf(topic).length));
	/** Whether the text in braces is the number of a part that some topic has. */
	const isPart = (text: string): boolean => /^[1-9]\d*$/.test(text) && Number(text) <= length;
	return [...pattern.matchAll(/\{([^{}]*)\}/g)]
		.filter(([, text = '']) => text !== 'field' && !isPart(text))
		.map(([inBraces]) => inBraces);
}
