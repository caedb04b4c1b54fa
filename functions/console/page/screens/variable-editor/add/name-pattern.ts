import { tagIn } from '#domain/variable/tags.ts';
import { fieldPart, partsOf, type TaggedField } from './topic-path.ts';

/** A placeholder of a pattern: the number of a part, from 1, the field, or the key of a tag. */
const placeholder = /\{([^{}]+)\}/g;

/** The number of a part of a topic. */
const partNumber = /^\d{1,3}$/;

/**
 * Returns the name that a pattern gives a series. `{2}` is the second part of the topic, `{field}` the field unless it is `value`, and
 * `{slave_id}` the tag of this key. A part that the topic lacks is left out, with the space beside it. Braces around the key of no tag stay.
 * @example nameOf('Well {2} {3}', { topic: 'wells/1/flow', field: 'value', tags: {}, queryTags: {} }); // 'Well 1 flow'
 */
export function nameOf(pattern: string, { topic, field, tags, queryTags }: TaggedField): string {
	const parts = partsOf(topic);
	return pattern
		.replace(placeholder, (inBraces, what: string) => {
			if (what === 'field') return fieldPart(field);
			if (partNumber.test(what)) return parts[Number(what) - 1] ?? '';
			// A tag that another series of the topic has is empty here.
			return Object.hasOwn(queryTags, what) || Object.hasOwn(tags, what) ? tagIn(tags, what) : inBraces;
		})
		.replace(/\s+/g, ' ')
		.trim();
}

/**
 * Returns the pattern that gives each series a name of its own: every part of the topics, the tags in which series of a topic differ, and
 * the field unless it is the usual one.
 */
export function usualPattern(series: readonly TaggedField[]): string {
	const length = Math.max(1, ...series.map(({ topic }) => partsOf(topic).length));
	const parts = Array.from({ length }, (_, index) => `{${index + 1}}`);
	const hasFields = series.some(({ field }) => fieldPart(field) !== '');
	const keys = new Set(series.flatMap(({ queryTags }) => Object.keys(queryTags)));
	const tags = [...keys].map((key) => `{${key}}`);
	return [...parts, ...tags, ...(hasFields ? ['{field}'] : [])].join(' ');
}

/** Returns the placeholders of a pattern for which no series has a part or a tag: `{9}`. */
export function unknownPlaceholders(pattern: string, series: readonly TaggedField[]): readonly string[] {
	const length = Math.max(0, ...series.map(({ topic }) => partsOf(topic).length));
	const keys = new Set(series.flatMap(({ tags, queryTags }) => Object.keys({ ...tags, ...queryTags })));
	/** Whether the text in braces is the number of a part that some topic has. */
	const isPart = (text: string): boolean => /^[1-9]\d*$/.test(text) && Number(text) <= length;
	return [...pattern.matchAll(/\{([^{}]*)\}/g)]
		.filter(([, text = '']) => text !== 'field' && !isPart(text) && !keys.has(text))
		.map(([inBraces]) => inBraces);
}
