import type { SeriesKey } from '#domain/ports/time-series.ts';
import { streamGroupOf } from '#domain/reading/stream-group.ts';
import { aggregates } from '#domain/variable/aggregates.ts';
import { historyWindows, newestRange, type Range, trailingWindows } from '#domain/variable/window.ts';
import type { SeriesByField } from './flux-script.ts';
import { groupSeries } from './series-groups.ts';
import { meanShapes, type SeriesShape } from './shapes.ts';
import { pieceBounds } from './shard-pieces.ts';
import type { TypeAt } from './typed-read.ts';
import { periodWindows, runsOf, type WindowRun } from './window-runs.ts';

/**
 * At most 40 series that one `from |> range |> filter |> …` reads. Windowed reads have the same lookback, period and aggregate. Newest
 * reads have lookbacks of one class: the longest is read.
 */
export interface Stream {
	/** The key of one of its series. */
	readonly key: SeriesKey;
	readonly shape: SeriesShape;
	/** Whether the response keeps all tags. Without them, series of one topic with different types collide in one table. */
	readonly keepTags: boolean;
	readonly range: Range;
	/** The windows and their bounds; none for newest reads. */
	readonly runs: readonly WindowRun[];
	readonly bounds: readonly number[];
	readonly fields: SeriesByField;
}

/**
 * Groups `keys` into as few streams as possible. A mean of an unknown type is read as a mean of floats.
 * @param now epoch milliseconds
 */
export function planStreams(keys: readonly SeriesKey[], now: number, typeAt: TypeAt): readonly Stream[] {
	const shapeAt = (key: SeriesKey, position: number): SeriesShape => {
		const shape = meanShapes[typeAt(position) ?? 'float'];
		return dependsOnType(key) || (shape === 'days' && key.read !== 'newest') ? shape : 'plain';
	};
	/** Whether a series may have samples of several types, whose tables collide without their tags. `text` may stand for text with others. */
	const mayMixTypes = (position: number): boolean => ['mixed', 'text'].includes(typeAt(position) ?? '');
	const groups = groupSeries(keys, (key, position) =>
		// Newest reads share a stream whether their tags are kept or not, so that they need few streams.
		[streamGroupOf(key), shapeAt(key, position), key.bySource, key.read !== 'newest' && mayMixTypes(position)].join(),
	);
	return groups.map(({ key, positions, fields }) => {
		const [position = 0] = positions;
		const shape = shapeAt(key, position);
		const all = positions.flatMap((each) => keys[each] ?? []);
		return {
			key,
			shape,
			keepTags: positions.some(mayMixTypes) || (key.read === 'newest' && key.bySource === true),
			fields,
			...windowsOf(key, all, now, shape),
		};
	});
}

/**
 * Whether the way to read a key depends on the type of its samples. It does for means, which the storage computes of floats only. Newest samples
 * and `last` are read in one way for every type.
 */
export function dependsOnType(key: SeriesKey): boolean {
	return key.read !== 'newest' && aggregates[key.aggregate].result !== 'sample';
}

/** Returns the range and the windows of a stream. `all`: the keys of all its series. */
function windowsOf(
	key: SeriesKey,
	all: readonly SeriesKey[],
	now: number,
	shape: SeriesShape,
): Pick<Stream, 'range' | 'runs' | 'bounds'> {
	if (key.read === 'newest') {
		const starts = all.map(({ lookback }) => newestRange(now, lookback).start);
		return { range: { start: starts.reduce((a, b) => Math.min(a, b)), stop: now }, runs: [], bounds: [] };
	}
	const { starts, stop } = (key.read === 'history' ? historyWindows : trailingWindows)(now, key.lookback, key.period);
	const range = { start: starts[0] ?? stop, stop };
	const bounds = [...starts, stop];
	if (shape === 'days') return { range, runs: pieceBounds(bounds).flatMap(runsOf), bounds };
	return { range, runs: key.read === 'history' ? [{ range, windows: periodWindows(key.period) }] : runsOf(bounds), bounds };
}
