import type { Schemas } from '#page/core/api.ts';

/** A series of the database: a field of a topic. */
export type Series = Pick<Schemas['ListedTopic'], 'topic' | 'field'>;

/** The field that most sources write. It says nothing about what is measured. */
const usualField = 'value';

/** Returns a text that identifies a series. */
export function seriesKey({ topic, field }: Series): string {
	return JSON.stringify([topic, field]);
}

/** Returns the parts of a topic: what stands between its slashes. */
export function partsOf(topic: string): readonly string[] {
	return topic.split('/').filter((part) => part !== '');
}

/** Returns what a field adds to the parts of its topic: nothing where it is the usual one. */
export function telling(field: string): string {
	return field === usualField ? '' : field;
}
