import { DomainError } from '../errors.ts';
import type { SeriesKey } from '../ports/time-series.ts';
import { type DifferingTag, differingTags, mergeTags, tagsOfSource } from '../totals/join-sources.ts';
import type { Duration } from '../variable/duration.ts';
import { lookbackOf } from '../variable/query.ts';
import { seriesKeyOf, seriesOfQuery } from '../variable/series-of-query.ts';
import type { Variable } from '../variable/variable.ts';
import type { Reason } from './quality.ts';
import { type ReadContext, readNow } from './read-now.ts';
import type { Reading } from './reading.ts';
import type { SeriesReader } from './shared-reads.ts';

/** Most series of one request whose sources are told apart: the others say `several_series` without tags. */
const maxToldSeries = 20;

/** Something that says why a variable has no value: a reading, or a history. */
interface Told {
	readonly reason: Reason | null;
}

/** Reads what variables show now (`readNow`), and tells several sources apart. */
export async function readTold(
	timeSeries: SeriesReader,
	context: ReadContext,
	variables: readonly Variable[],
): Promise<readonly Reading[]> {
	return tellSources(timeSeries, context, variables, await readNow(timeSeries, context, variables));
}

/**
 * Adds to readings or histories with the reason `several_series` the tags in which the sources differ (shared/domain/variable/README.md#tags). It
 * sends a second read only where there are such readings. A read that fails adds nothing, because the readings are right without it.
 * @param readings those of the variables, in their order
 * @param lookback how long before `now` sources are looked for; by default the lookback of each query
 */
export async function tellSources<Item extends Told>(
	timeSeries: SeriesReader,
	{ database, now }: Pick<ReadContext, 'database' | 'now'>,
	variables: readonly Variable[],
	readings: readonly Item[],
	lookback?: Duration,
): Promise<readonly Item[]> {
	const keys = new Map<string, SeriesKey>();
	for (const [index, variable] of variables.entries())
		for (const key of severalKeysOf(variable, readings[index], lookback))
			if (keys.size < maxToldSeries) keys.set(seriesKeyOf(key), key);
	if (keys.size === 0) return readings;
	const told = await readTags(timeSeries, database, keys, now);
	return readings.map((reading, index) => {
		const variable = variables[index];
		const own =
			variable === undefined ? [] : severalKeysOf(variable, reading, lookback).flatMap((key) => told.get(seriesKeyOf(key)) ?? []);
		const tags = mergeTags(own);
		return reading.reason === null || tags.length === 0 ? reading : { ...reading, reason: { ...reading.reason, tags } };
	});
}

/** Returns a key for each input of a variable that has several sources, by which their newest samples are read. */
function severalKeysOf({ varsTsdb }: Variable, reading: Told | undefined, lookback?: Duration): readonly SeriesKey[] {
	if (reading?.reason?.code !== 'several_series') return [];
	return reading.reason.inputs.flatMap((name): readonly SeriesKey[] => {
		const query = varsTsdb.get(name);
		return query === undefined
			? []
			: [{ read: 'newest', ...seriesOfQuery(query), lookback: lookback ?? lookbackOf(query), bySource: true }];
	});
}

/** Returns the tags in which the sources of each series differ, by `seriesKeyOf`. */
async function readTags(
	timeSeries: SeriesReader,
	database: string,
	keys: ReadonlyMap<string, SeriesKey>,
	now: number,
): Promise<ReadonlyMap<string, readonly DifferingTag[]>> {
	try {
		const { results } = await timeSeries.read(database, [...keys.values()], now);
		return new Map(
			[...keys.keys()].map((name, index) => {
				const result = results[index];
				const sources = result === undefined || 'fault' in result ? [] : [...(result.sources?.keys() ?? [])];
				return [name, differingTags(sources.map((source) => ({ tags: tagsOfSource(source) })))];
			}),
		);
	} catch (error) {
		if (error instanceof DomainError) return new Map();
		throw error;
	}
}
