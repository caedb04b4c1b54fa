/** Most tags by which a query chooses. With the longest keys and values they stay below the 65,535 bytes of a series in InfluxDB. */
export const maxQueryTags = 8;

/** The name under which a measurement that is not the topic is a tag. */
export const measurementTag = '_measurement';

/** Tags by key, in the order of their keys, so that equal tags have equal JSON. */
export type Tags = Readonly<Record<string, string>>;

/** Returns tags in the order of their keys. */
export function sortedTags(tags: Iterable<readonly [key: string, value: string]>): Tags {
	return Object.fromEntries([...tags].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns a tag of a tag set. One that the set lacks is empty, as in InfluxDB. */
export function tagIn(tagSet: Tags, key: string): string {
	return Object.hasOwn(tagSet, key) ? (tagSet[key] ?? '') : '';
}

/** Whether a tag set has all `tags`. An empty value is that of a tag that the set lacks. Undefined tags choose every tag set. */
export function choosesTagSet(tags: Tags | undefined, tagSet: Tags): boolean {
	return tags === undefined || Object.entries(tags).every(([key, value]) => tagIn(tagSet, key) === value);
}

/** Returns a text that identifies a tag set, whatever its values hold. */
export function tagSetKey(tagSet: Tags): string {
	return JSON.stringify(sortedTags(Object.entries(tagSet)));
}

/** Returns the text that shows a tag set: `key=value` pairs in the order of the keys, joined by commas. Two sets may have the same. */
export function tagSetText(tagSet: Tags): string {
	return Object.entries(tagSet)
		.map(([key, value]) => `${key}=${value}`)
		.sort()
		.join(',');
}
