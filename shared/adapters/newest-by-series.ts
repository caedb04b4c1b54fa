import { type CatalogSeries, type SeriesType, seriesKeyOf } from '#domain/ports/topic-catalog.ts';
import { isMixed, typeBits } from './series-points.ts';

/** The newest sample of one tag set of a series. */
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
	/** Returns the tags except the one with the topic, in any order. Called where several tag sets are compared. */
	readonly tags: () => readonly (readonly [key: string, value: string])[];
}

interface SeriesSoFar {
	newest: TagSetSample;
	/** The set of `typeBits` of all its tag sets. */
	types: number;
	/** Number of tag sets. */
	tagSets: number;
}

/**
 * Returns the functions that add the newest sample of each tag set, and list the series: one entry for each topic and field. The tag set
 * with the newest sample wins; of two at the same instant, the one whose text sorts first wins. `tagSet` names it where
 * there are several.
 */
export function createNewestBySeries() {
	const series = new Map<string, SeriesSoFar>();
	return {
		add(sample: TagSetSample): void {
			const key = seriesKeyOf(sample);
			const soFar = series.get(key);
			if (soFar === undefined) {
				series.set(key, { newest: sample, types: sample.type, tagSets: 1 });
				return;
			}
			soFar.types |= sample.type;
			soFar.tagSets += 1;
			if (isNewer(sample, soFar.newest)) soFar.newest = sample;
		},
		list: (): readonly CatalogSeries[] =>
			[...series.values()].map(({ newest, types, tagSets }) => ({
				topic: newest.topic,
				field: newest.field,
				type: seriesTypeOf(types),
				newestAt: newest.ms,
				newestValue: newest.value,
				tagSets,
				tagSet: tagSets === 1 ? null : tagSetText(newest),
			})),
	};
}

/** Returns the text that names a tag set, the same whatever the order of its tags. */
export function tagSetText({ tags }: Pick<TagSetSample, 'tags'>): string {
	return tags()
		.map(([key, value]) => `${key}=${value}`)
		.sort()
		.join(',');
}

function isNewer(a: TagSetSample, b: TagSetSample): boolean {
	const order = a.ms - b.ms || a.ns - b.ns;
	return order > 0 || (order === 0 && tagSetText(a) < tagSetText(b));
}

/** Returns the name of a set of types. */
function seriesTypeOf(types: number): SeriesType {
	if (isMixed(types)) return 'mixed';
	if (types === typeBits.string) return 'text';
	if (types === typeBits.bool) return 'boolean';
	return types === typeBits.float ? 'float' : 'integer';
}
