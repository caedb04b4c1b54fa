import { chunksOf } from '#domain/chunks-of.ts';
import { maxSeriesPerStream } from '#domain/reading/stream-group.ts';
import type { SeriesOfQuery } from '#domain/variable/series-of-query.ts';
import type { Range } from '#domain/variable/window.ts';
import type { TopicPlace } from '../influx-common/topic-place.ts';
import {
	columnList,
	type FilteredStream,
	filteredScriptOf,
	fluxScriptOf,
	fluxString,
	rangeArguments,
	sentinelFor,
	sentinelName,
	sentinelTable,
	topicFilterOf,
} from './flux-script.ts';
import { groupSeries } from './series-groups.ts';

/** A script, with the names by which its response is recognized. */
export interface CatalogQuery {
	readonly text: string;
	readonly results: ReadonlySet<string>;
	readonly sentinel: string;
}

/** The name of the only result of the script that lists topics. */
const namesResult = 'names';

/**
 * Builds the script that lists the topics of a range from the index, without looking at samples. Each row has a topic in `_value`, and an
 * empty `_field`, so that the sentinel sorts after it.
 */
export function topicsQueryOf(database: string, { start, stop }: Range, place: TopicPlace): CatalogQuery {
	const sentinel = sentinelFor([]);
	const names = [
		listingOf(database, { start, stop }, place),
		`set(key: "_field", value: "")`,
		`group(${columnList(['_field'])})`,
	];
	const text = [
		'import "array"',
		'import "influxdata/influxdb/schema"',
		sentinelTable(['_field', '_value'], sentinel),
		`union(tables: [${names.join(' |> ')}, ${sentinelName}]) |> yield(name: ${fluxString(namesResult)})`,
	].join('\n');
	return { text, results: new Set([namesResult]), sentinel };
}

/** Builds the script that reads the newest sample of each tag set of each field of some topics. */
export function newestQueryOf(database: string, topics: readonly string[], range: Range, place: TopicPlace): CatalogQuery {
	const streams = chunksOf(maxSeriesPerStream, topics).map(
		(chunk, index): FilteredStream => ({
			filter: topicFilterOf(chunk, place),
			results: [{ name: `newest${index}`, tables: [{ range, steps: ['last()', `drop(${columnList(['_start', '_stop'])})`] }] }],
		}),
	);
	const sentinel = sentinelFor(topics);
	const results = new Set(streams.flatMap((stream) => stream.results.map(({ name }) => name)));
	return { text: filteredScriptOf(database, streams, sentinel, place), results, sentinel };
}

/** Builds the script that reads the times of the newest samples, `count` of each tag set, of some series. */
export function timesQueryOf(
	database: string,
	series: readonly SeriesOfQuery[],
	range: Range,
	count: number,
	place: TopicPlace,
): CatalogQuery {
	const steps = [`tail(n: ${count})`, `drop(${columnList(['_start', '_stop', '_value'])})`];
	// Any series may share a group, because all have the same steps.
	const streams = groupSeries(series, () => '').map(({ fields }, index) => ({
		fields,
		results: [{ name: `times${index}`, tables: [{ range, steps }] }],
	}));
	const { text, results, sentinel } = fluxScriptOf(database, streams, place);
	return { text, results: new Set(results.keys()), sentinel };
}

/** Returns the expression that lists topics from the index, by the place where topics are. */
function listingOf(database: string, range: Range, { topicColumn, measurement }: TopicPlace): string {
	const source = `bucket: ${fluxString(database)}, ${rangeArguments(range)}`;
	if (topicColumn === '_measurement') return `schema.measurements(${source})`;
	const tag = `tag: ${fluxString(topicColumn)}`;
	return measurement === undefined
		? `schema.tagValues(${source}, ${tag}, predicate: (r) => true)`
		: `schema.measurementTagValues(${source}, ${tag}, measurement: ${fluxString(measurement)})`;
}
