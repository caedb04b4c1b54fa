import type { SeriesKey } from '#domain/ports/time-series.ts';
import type { Duration } from '#domain/variable/duration.ts';
import { historyWindows, newestRange, type Range, trailingWindows } from '#domain/variable/window.ts';
import type { KnownType } from './known-types.ts';

/**
 * At most 40 series that one `from |> range |> filter |> …` reads: they have the same kind of read, lookback, period and aggregate.
 * A filter of more series takes longer than a second stream, and InfluxDB refuses 168 ("Program is nested too deep").
 */
export interface Stream {
	readonly key: SeriesKey;
	readonly shape: Shape;
	/** Whether the response keeps all tags. Without them, series of one topic with different types collide in one table. */
	readonly keepTags: boolean;
	readonly range: Range;
	/** Positions in the batch, by field, then topic. */
	readonly fields: ReadonlyMap<string, ReadonlyMap<string, readonly number[]>>;
}

/**
 * How samples are aggregated. `plain`: no mean; the storage does it for every type. `pushed`: the storage makes the mean, for
 * floats only: for booleans and strings the whole request fails, and sums of integers overflow. `converted`: samples become floats
 * before the mean. `any`: like `converted`, but without strings: converting one fails the request, or parses the text as a number.
 */
export type Shape = 'plain' | 'pushed' | 'converted' | 'any';

/** Returns the known type of a series; `conservative` asks for a read that is right for any mixture of types. */
export type TypeOf = (key: SeriesKey) => KnownType | 'conservative' | undefined;

/** Most series of one stream. */
const maxSeriesPerStream = 40;

const shapes = { float: 'pushed', number: 'converted', text: 'any', mixed: 'any' } as const satisfies Record<KnownType, Shape>;

interface Group {
	readonly key: SeriesKey;
	readonly shape: Shape;
	readonly keepTags: boolean;
	/** Each distinct series with its positions in the batch. */
	readonly series: Map<string, { readonly topic: string; readonly field: string; readonly positions: number[] }>;
}

/**
 * Groups `keys` into as few streams as possible. A name that is not well-formed Unicode cannot exist in InfluxDB, so it is skipped.
 * @param now epoch milliseconds
 */
export function planStreams(keys: readonly SeriesKey[], now: number, typeOf: TypeOf): readonly Stream[] {
	const groups = new Map<string, Group>();
	for (const [position, key] of keys.entries()) {
		if (!key.topic.isWellFormed() || !key.field.isWellFormed()) continue;
		const type = typeOf(key);
		const shape = shapeOf(key, type === 'conservative' ? 'mixed' : type);
		const keepTags = type === 'conservative' || type === 'mixed';
		const groupKey = groupKeyOf(key, shape, keepTags);
		const group: Group = groups.get(groupKey) ?? { key, shape, keepTags, series: new Map() };
		groups.set(groupKey, group);
		const name = JSON.stringify([key.topic, key.field]);
		const series = group.series.get(name) ?? { topic: key.topic, field: key.field, positions: [] };
		series.positions.push(position);
		group.series.set(name, series);
	}
	return [...groups.values()].flatMap((group) => streamsOf(group, now));
}

const shapeOf = (key: SeriesKey, type: KnownType | undefined): Shape =>
	key.read === 'newest' || key.aggregate === 'last' ? 'plain' : type === undefined ? 'any' : shapes[type];

const groupKeyOf = (key: SeriesKey, shape: Shape, keepTags: boolean): string =>
	[
		key.read,
		shape,
		keepTags,
		durationText(key.lookback),
		...(key.read === 'newest' ? [] : [durationText(key.period), key.aggregate]),
	].join();

function streamsOf({ key, shape, keepTags, series }: Group, now: number): readonly Stream[] {
	const range = rangeOf(key, now);
	const all = [...series.values()].sort((a, b) => (a.field < b.field ? -1 : a.field > b.field ? 1 : 0));
	const streams: Stream[] = [];
	for (let from = 0; from < all.length; from += maxSeriesPerStream) {
		const fields = new Map<string, Map<string, readonly number[]>>();
		for (const { topic, field, positions } of all.slice(from, from + maxSeriesPerStream)) {
			const topics = fields.get(field) ?? new Map<string, readonly number[]>();
			fields.set(field, topics.set(topic, positions));
		}
		streams.push({ key, shape, keepTags, range, fields });
	}
	return streams;
}

const durationText = ({ ms, months }: Duration): string => `${ms} ${months ?? ''}`;

function rangeOf(key: SeriesKey, now: number): Range {
	if (key.read === 'newest') return newestRange(now, key.lookback);
	const { starts, stop } = (key.read === 'history' ? historyWindows : trailingWindows)(now, key.lookback, key.period);
	return { start: starts[0] ?? stop, stop };
}
