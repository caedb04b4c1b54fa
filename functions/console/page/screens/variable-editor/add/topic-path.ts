import type { Tags } from '#domain/variable/tags.ts';
import type { Schemas } from '#page/core/api.ts';

/** A series of the database: a field of a topic. */
export type TopicField = Pick<Schemas['ListedTopic'], 'topic' | 'field'>;

/** A series with its tags, and those that tell it from the others of its topic and field. */
export interface TaggedField extends TopicField {
	readonly tags: Tags;
	readonly queryTags: Tags;
}

/** The field that most sources write. It says nothing about what is measured. */
const usualField = 'value';

/** Returns the parts of a topic, which slashes separate. */
export function partsOf(topic: string): readonly string[] {
	return topic.split('/').filter((part) => part !== '');
}

const collator = new Intl.Collator(undefined, { numeric: true });

/** Compares topics or fields for sorting, by the rules of the browser's language. Numbers in them are sorted by size: 9 before 10. */
export function compareNames(a: string, b: string): number {
	return collator.compare(a, b);
}

/** Returns the field as a last part of the path; empty for the usual field, which says nothing. */
export function fieldPart(field: string): string {
	return field === usualField ? '' : field;
}
