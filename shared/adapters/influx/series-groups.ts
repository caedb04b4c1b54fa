import { chunksOf } from '#domain/chunks-of.ts';
import { compareTexts } from '#domain/compare-texts.ts';
import { maxSeriesPerStream } from '#domain/reading/stream-group.ts';
import { type SeriesOfQuery, seriesKeyOf } from '#domain/variable/series-of-query.ts';
import type { ChosenSeries, SeriesByField } from './flux-script.ts';

/** At most 40 distinct series that are read in the same way. */
export interface SeriesGroup<Key> {
	/** The key of one of its series: that of the first position. */
	readonly key: Key;
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
export function groupSeries<Key extends SeriesOfQuery>(
	keys: readonly Key[],
	groupOf: (key: Key, position: number) => string | undefined,
): readonly SeriesGroup<Key>[] {
	const groups = new Map<string, Map<string, NamedSeries<Key>>>();
	for (const [position, key] of keys.entries()) {
		const { topic, field, tags } = key;
		const texts = [topic, field, ...Object.entries(tags ?? {}).flat()];
		const group = texts.every((text) => text.isWellFormed()) ? groupOf(key, position) : undefined;
		if (group === undefined) continue;
		// Rows of series with tags have more columns.
		const id = tags === undefined ? group : `${group} tags`;
		const series = groups.get(id) ?? new Map<string, NamedSeries<Key>>();
		groups.set(id, series);
		const name = seriesKeyOf(key);
		const named = series.get(name) ?? { key, positions: [] };
		named.positions.push(position);
		series.set(name, named);
	}
	return [...groups.values()].flatMap((series) => groupsOf([...series.values()]));
}

/** A series of a stream. */
interface StreamSeries<Stream> {
	readonly stream: Stream;
	readonly series: SeriesOfQuery;
	/** Its field, and its name in the rows of the stream. */
	readonly field: string;
	readonly name: string;
	/** The position of the stream in the script, by which its results are named. */
	readonly index: number;
	/** The positions of the keys of the series in the batch. */
	readonly positions: readonly number[];
}

/** Yields the series of the streams of a script. */
export function* seriesIn<Stream extends { readonly fields: SeriesByField }>(
	streams: readonly Stream[],
): Generator<StreamSeries<Stream>> {
	for (const [index, stream] of streams.entries())
		for (const [field, topics] of stream.fields)
			for (const [name, { topic, tags, positions }] of topics) {
				const series = { topic, field, ...(tags === undefined ? {} : { tags }) };
				yield { stream, index, series, field, name, positions };
			}
}

/** The first key of a series, and the positions of all its keys in the batch. */
interface NamedSeries<Key> {
	readonly key: Key;
	readonly positions: number[];
}

/** Divides series into groups of at most 40, those of one field together, because they share a part of the filter. */
function groupsOf<Key extends SeriesOfQuery>(series: readonly NamedSeries<Key>[]): readonly SeriesGroup<Key>[] {
	const sorted = series.toSorted(({ key: a }, { key: b }) => compareTexts(a.field, b.field));
	return chunksOf(maxSeriesPerStream, sorted).flatMap((chunk) => {
		const [first] = chunk;
		if (first === undefined) return [];
		const fields = new Map<string, Map<string, ChosenSeries>>();
		for (const { key, positions } of chunk) {
			const { topic, field, tags } = key;
			const series = fields.get(field) ?? new Map<string, ChosenSeries>();
			fields.set(field, series.set(tags === undefined ? topic : seriesKeyOf(key), { topic, tags, positions }));
		}
		return [{ key: first.key, positions: chunk.flatMap(({ positions }) => positions), fields }];
	});
}
