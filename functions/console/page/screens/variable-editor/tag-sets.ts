import { maxQueryTags, type Tags, tagIn, tagSetText } from '#domain/variable/tags.ts';

/** Returns the keys in which tag sets of one topic and field differ: those with the most values first. */
export function differingKeys(tagSets: readonly Tags[]): readonly string[] {
	return [...new Set(tagSets.flatMap((tagSet) => Object.keys(tagSet)))]
		.map((key) => ({ key, values: new Set(tagSets.map((tagSet) => tagIn(tagSet, key))).size }))
		.filter(({ values }) => values > 1)
		.sort((a, b) => b.values - a.values || (a.key < b.key ? -1 : 1))
		.map(({ key }) => key);
}

/**
 * Returns the tags by which a query chooses one of several tag sets: those that differ, at most as many as a query may have. A tag that the
 * set lacks is empty.
 * @param keys the keys in which the sets differ (see `differingKeys`)
 * @example tagsOfKeys(['slave_id'], { host: 'gw', slave_id: '1' }); // { slave_id: '1' }
 */
export function tagsOfKeys(keys: readonly string[], tagSet: Tags): Tags {
	return Object.fromEntries(keys.slice(0, maxQueryTags).map((key) => [key, tagIn(tagSet, key)]));
}

/** Returns a field's series with its tags in words: `modbus slave_id=1`. */
export function topicWithTags(topic: string, tags: Tags): string {
	const words = tagSetText(tags);
	return words === '' ? topic : `${topic} ${words}`;
}
