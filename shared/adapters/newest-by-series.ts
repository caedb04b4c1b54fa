import { compareTexts } from '#domain/compare-texts.ts';
import type { CatalogSeries } from '#domain/ports/topic-catalog.ts';
import { seriesKeyOf } from '#domain/variable/series-of-query.ts';
import { sortedTags, type Tags, tagSetKey } from '#domain/variable/tags.ts';
import { typeBits } from './series-points.ts';

/** The newest sample of one type of a tag set. */
export interface TagSetSample {
	readonly topic: string;
	readonly field: string;
	/** Epoch milliseconds. */
	readonly ms: number;
	/** The nanoseconds beyond `ms`. */
	readonly ns: number;
	/** Null for text, and for a number that is not exact. */
	readonly value: number | null;
	/** One of `typeBits`. */
	readonly type: number;
	/** The tags except the one with the topic, in any order. */
	readonly tags: readonly (readonly [key: string, value: string])[];
}

/**
 * Returns the functions that add the newest sample of each type of a tag set, and list the tag sets, newest first; of two at the same instant,
 * the one whose tags sort first is before the other.
 */
export function createNewestBySeries() {
	const samples = new Map<string, TagSetSample & { readonly tagSet: Tags }>();
	return {
		add(sample: TagSetSample): void {
			const tagSet = sortedTags(sample.tags);
			const key = seriesKeyOf({ ...sample, tags: tagSet });
			const known = samples.get(key);
			if (known === undefined || timeOrder(sample, known) > 0) samples.set(key, { ...sample, tagSet });
		},
		list: (): readonly CatalogSeries[] =>
			[...samples.values()]
				.map((sample) => ({ sample, tagsKey: tagSetKey(sample.tagSet) }))
				.sort((a, b) => timeOrder(b.sample, a.sample) || compareTexts(a.tagsKey, b.tagsKey))
				.map(({ sample: { topic, field, tagSet, type, ms, value } }) => ({
					topic,
					field,
					tags: tagSet,
					type: seriesTypeOf(type),
					newestAt: ms,
					newestValue: value,
				})),
	};
}

const timeOrder = (a: Pick<TagSetSample, 'ms' | 'ns'>, b: Pick<TagSetSample, 'ms' | 'ns'>): number => a.ms - b.ms || a.ns - b.ns;

/** Returns the name of a type. */
function seriesTypeOf(type: number): CatalogSeries['type'] {
	if (type === typeBits.string) return 'text';
	if (type === typeBits.bool) return 'boolean';
	return type === typeBits.float ? 'float' : 'integer';
}
