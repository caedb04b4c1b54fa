/** Computes the expected result of reading a span by brute force over the samples. It shares no code with the product. */
import type { SpanAggregate, SpanColumn, SpanKey, SpanResult } from '#domain/ports/span-reader.ts';
import { aggregated, floorMs, stored, type WrittenSample } from '../time-series/expected.ts';

/**
 * Returns the expected result of reading `key`. `written` are the samples of its topic and field as written, all of one type.
 *
 * A window of which samples of two tag sets are in is `several_series` in every column but `slots`, whatever their times. In `slots`
 * a window is `several_series` when the slots that it counts hold samples of two tag sets.
 */
export const expectedSpan = (written: readonly WrittenSample[], { bounds, aggregates, slotMs = 1 }: SpanKey): SpanResult => {
	const [start, end] = [bounds[0] ?? 0, bounds.at(-1) ?? 0];
	const samples = stored(written).filter(({ timeNs }) => isWithin(floorMs(timeNs), start, end));
	if (samples.some(({ value }) => typeof value === 'string')) return { fault: 'not_numeric' };
	const slotOf = ({ timeNs }: WrittenSample): number => Math.floor(floorMs(timeNs) / slotMs) * slotMs;
	const columnOf = (aggregate: SpanAggregate): SpanColumn => {
		const values = bounds.slice(0, -1).map((from, index) => {
			const to = bounds[index + 1] ?? from;
			if (aggregate !== 'slots')
				return windowValue(
					samples.filter(({ timeNs }) => isWithin(floorMs(timeNs), from, to)),
					aggregate,
				);
			const counted = samples.filter((sample) => isWithin(slotOf(sample), from, to) && slotOf(sample) + slotMs <= end);
			return isOfSeveral(counted) ? 'several_series' : new Set(counted.map(slotOf)).size;
		});
		return {
			values: values.map((value) => (typeof value === 'string' ? null : value)),
			faults: new Map(values.flatMap((value, index) => (typeof value === 'string' ? [[index, value] as const] : []))),
		};
	};
	const newest = samples.at(-1);
	return {
		columns: new Map(aggregates.map((aggregate) => [aggregate, columnOf(aggregate)])),
		newestAt: newest === undefined ? null : floorMs(newest.timeNs),
	};
};

const isWithin = (time: number, from: number, to: number): boolean => time >= from && time < to;

const isOfSeveral = (samples: readonly WrittenSample[]): boolean => new Set(samples.map(({ tagSet }) => tagSet)).size > 1;

/** Returns the value of a window, or why it has none. `samples` are in order of time. */
const windowValue = (samples: readonly WrittenSample[], aggregate: Exclude<SpanAggregate, 'slots'>) => {
	if (isOfSeveral(samples)) return 'several_series';
	if (aggregate === 'count') return samples.length;
	if (samples.length === 0) return null;
	const byValue = samples.toSorted((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : 0));
	const chosen = {
		mean: samples,
		min: byValue.slice(0, 1),
		max: byValue.slice(-1),
		first: samples.slice(0, 1),
		last: samples.slice(-1),
	}[aggregate];
	const result = aggregated(chosen, aggregate === 'mean' ? 'mean' : 'last');
	return 'value' in result ? result.value : result.fault;
};
