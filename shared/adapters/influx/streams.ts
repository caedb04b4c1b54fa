import type { SeriesKey } from '#domain/ports/time-series.ts';
import type { Duration } from '#domain/variable/duration.ts';
import { historyWindows, newestRange, type Range, trailingWindows } from '#domain/variable/window.ts';
import type { KnownType } from './known-types.ts';

/**
 * Series read together: one `from |> range |> filter |> …`, of one kind of read, lookback, period and aggregate, at most 40. More
 * of them in one filter cost more than a second stream does, and 168 are refused ("Program is nested too deep").
 */
export interface Stream {
	readonly key: SeriesKey;
	readonly shape: Shape;
	/** Whether tags stay in the answer, so that series of one topic whose types differ do not meet in one table. */
	readonly wide: boolean;
	readonly range: Range;
	/** Positions in the batch, by field, then topic. */
	readonly fields: ReadonlyMap<string, ReadonlyMap<string, readonly number[]>>;
}

/**
 * How a mean comes about. `pushed`: by the storage, which fails the whole request for booleans and strings, and whose sums of
 * integers overflow: for floats only. `converted`: every sample as a float, then the mean. `any`: the same, without strings, whose
 * conversion would fail the request or, worse, succeed. Everything that is no mean is `plain`: storage does it for every type.
 */
export type Shape = 'plain' | 'pushed' | 'converted' | 'any';

export const maxSeriesPerStream = 40;

const shapes = { float: 'pushed', number: 'converted', text: 'any', mixed: 'any' } as const satisfies Record<KnownType, Shape>;

interface Group {
	readonly key: SeriesKey;
	readonly shape: Shape;
	readonly wide: boolean;
	/** Positions of each distinct series. */
	readonly series: Map<string, { readonly topic: string; readonly field: string; readonly positions: number[] }>;
}

/**
 * The fewest streams that read `keys` at `now`. A series whose name is not well-formed Unicode is in none: InfluxDB has no such.
 * @param known what is known of a series' type; `careful` reads each as if nothing could be relied on
 */
export function planStreams(
	keys: readonly SeriesKey[],
	now: number,
	known: (key: SeriesKey) => KnownType | 'careful' | undefined,
): readonly Stream[] {
	const groups = new Map<string, Group>();
	for (const [position, key] of keys.entries()) {
		if (!key.topic.isWellFormed() || !key.field.isWellFormed()) continue;
		const type = known(key);
		const shape = shapeOf(key, type === 'careful' ? 'mixed' : type);
		const wide = type === 'careful' || type === 'mixed';
		const text = groupText(key, shape, wide);
		const group: Group = groups.get(text) ?? { key, shape, wide, series: new Map() };
		groups.set(text, group);
		const name = JSON.stringify([key.topic, key.field]);
		const series = group.series.get(name) ?? { topic: key.topic, field: key.field, positions: [] };
		series.positions.push(position);
		group.series.set(name, series);
	}
	return [...groups.values()].flatMap((group) => streamsOf(group, now));
}

const shapeOf = (key: SeriesKey, known: KnownType | undefined): Shape =>
	key.read === 'newest' || key.aggregate === 'last' ? 'plain' : known === undefined ? 'any' : shapes[known];

const groupText = (key: SeriesKey, shape: Shape, wide: boolean): string =>
	[
		key.read,
		shape,
		wide,
		durationText(key.lookback),
		...(key.read === 'newest' ? [] : [durationText(key.period), key.aggregate]),
	].join();

function streamsOf({ key, shape, wide, series }: Group, now: number): readonly Stream[] {
	const range = rangeOf(key, now);
	const all = [...series.values()].sort((a, b) => (a.field < b.field ? -1 : a.field > b.field ? 1 : 0));
	const streams: Stream[] = [];
	for (let from = 0; from < all.length; from += maxSeriesPerStream) {
		const fields = new Map<string, Map<string, readonly number[]>>();
		for (const { topic, field, positions } of all.slice(from, from + maxSeriesPerStream)) {
			const topics = fields.get(field) ?? new Map<string, readonly number[]>();
			fields.set(field, topics.set(topic, positions));
		}
		streams.push({ key, shape, wide, range, fields });
	}
	return streams;
}

const durationText = ({ ms, months }: Duration): string => `${ms} ${months ?? ''}`;

function rangeOf(key: SeriesKey, now: number): Range {
	if (key.read === 'newest') return newestRange(now, key.lookback);
	const { starts, stop } = (key.read === 'history' ? historyWindows : trailingWindows)(now, key.lookback, key.period);
	return { start: starts[0] ?? stop, stop };
}
