import type { TopicField } from '#domain/ports/topic-catalog.ts';
import { maxSeriesPerStream } from '#domain/reading/stream-group.ts';
import type { SeriesByField } from './flux-script.ts';

/** At most 40 distinct series that are read in the same way. */
export interface SeriesGroup {
	/** The positions of their keys in the batch, at least one. */
	readonly positions: readonly number[];
	readonly fields: SeriesByField;
}

/**
 * Divides the series of a batch into groups of at most 40. A filter of more series takes longer than a second stream, and InfluxDB
 * refuses a filter of 168 series ("Program is nested too deep"). A name that is not well-formed Unicode cannot exist in InfluxDB, so it
 * is skipped.
 * @param groupOf returns a text that is equal for keys that may share a group; undefined for a key that is left out
 */
export function groupSeries<Key extends TopicField>(
	keys: readonly Key[],
	groupOf: (key: Key, position: number) => string | undefined,
): readonly SeriesGroup[] {
	const groups = new Map<string, Map<string, NamedSeries>>();
	for (const [position, key] of keys.entries()) {
		const { topic, field } = key;
		if (!topic.isWellFormed() || !field.isWellFormed()) continue;
		const id = groupOf(key, position);
		if (id === undefined) continue;
		const series = groups.get(id) ?? new Map<string, NamedSeries>();
		groups.set(id, series);
		const name = JSON.stringify([topic, field]);
		const named = series.get(name) ?? { topic, field, positions: [] };
		named.positions.push(position);
		series.set(name, named);
	}
	return [...groups.values()].flatMap((series) => groupsOf([...series.values()]));
}

/** A series with the positions of its keys in the batch. */
interface NamedSeries extends TopicField {
	readonly positions: number[];
}

/** Divides series into groups of at most 40, those of one field together, because they share a part of the filter. */
function groupsOf(series: readonly NamedSeries[]): readonly SeriesGroup[] {
	const sorted = series.toSorted((a, b) => (a.field < b.field ? -1 : a.field > b.field ? 1 : 0));
	const groups: SeriesGroup[] = [];
	for (let from = 0; from < sorted.length; from += maxSeriesPerStream) {
		const chunk = sorted.slice(from, from + maxSeriesPerStream);
		const fields = new Map<string, Map<string, readonly number[]>>();
		for (const { topic, field, positions } of chunk) {
			const topics = fields.get(field) ?? new Map<string, readonly number[]>();
			fields.set(field, topics.set(topic, positions));
		}
		groups.push({ positions: chunk.flatMap(({ positions }) => positions), fields });
	}
	return groups;
}
