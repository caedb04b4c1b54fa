import {
	emptySeries,
	type PointFault,
	type Series,
	type SeriesFault,
	type SeriesKey,
	type SeriesResult,
} from '#domain/ports/time-series.ts';
import type { KnownType } from './known-types.ts';
import { type Samples, valueTypes } from './samples.ts';

/** What was read of one series: windows or newest samples, and for windows the samples at both ends of the range. */
export interface SeriesRows {
	readonly data: Samples | undefined;
	readonly last: Samples | undefined;
	readonly first: Samples | undefined;
}

const maxExact = 2 ** 53;

const integerTypes = valueTypes.long | valueTypes.unsignedLong;

/** What the rows of one series mean. */
export function seriesOf(key: SeriesKey, rows: SeriesRows): SeriesResult {
	const { data, last } = rows;
	if (key.read === 'newest') return data === undefined ? emptySeries : newestOf(data);
	const newestAt = last?.times.reduce((newest, time) => Math.max(newest, time), Number.NEGATIVE_INFINITY);
	if (newestAt === undefined) return emptySeries;
	const types = typesOf(key, rows);
	const fault = windowsFault(types, data);
	if (fault !== undefined) return { fault };
	return data === undefined ? emptySeries : windowsOf(key, data, types, newestAt);
}

/** What the rows tell of the series' type; undefined where there are none. */
export function knownTypeOf(key: SeriesKey, rows: SeriesRows): KnownType | undefined {
	const types = typesOf(key, rows);
	if (types === 0) return undefined;
	if (isMixed(types)) return 'mixed';
	if (types === valueTypes.double) return 'float';
	return types === valueTypes.string ? 'text' : 'number';
}

/** Of samples of several tag sets the newest; at the very same instant none. */
function newestOf({ times, subMs, values, faults }: Samples): Series {
	let newest = 0;
	let alone = true;
	for (let index = 1; index < times.length; index += 1) {
		const later = (times[index] ?? 0) - (times[newest] ?? 0) || (subMs.get(index) ?? 0) - (subMs.get(newest) ?? 0);
		if (later > 0) [newest, alone] = [index, true];
		else if (later === 0) alone = false;
	}
	const time = times[newest] ?? 0;
	return pointsOf([[time, values[newest] ?? 0, alone ? faults.get(newest) : 'several_series']], time);
}

/** The types of windows that are read as they are; a mean is a float, whatever it is of. */
const typesOf = (key: SeriesKey, { data, last, first }: SeriesRows): number =>
	(last?.types ?? 0) | (first?.types ?? 0) | (key.read !== 'newest' && key.aggregate === 'mean' ? 0 : (data?.types ?? 0));

/** Why there are no windows, although there is a newest sample: where it is not among them, its type was not the oldest's. */
function windowsFault(types: number, data: Samples | undefined): SeriesFault | undefined {
	if (types === valueTypes.string) return 'not_numeric';
	return isMixed(types) || data === undefined ? 'type_changed' : undefined;
}

/** Windows in order of time; one that samples of several tag sets lie in has no value. Of a trailing read only the last. */
function windowsOf(key: SeriesKey, data: Samples, types: number, newestAt: number): Series {
	const { times, values, faults } = data;
	const imprecise = key.read !== 'newest' && key.aggregate === 'mean' && (types & integerTypes) !== 0;
	const faultAt = (index: number): PointFault | undefined =>
		faults.get(index) ?? (imprecise && Math.abs(values[index] ?? 0) >= maxExact ? 'precision' : undefined);
	const order = times.map((_, index) => index);
	const ascending = times.every((time, index) => index === 0 || time > (times[index - 1] ?? time));
	if (!ascending) order.sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0));
	const points: [time: number, value: number, fault: PointFault | undefined][] = [];
	for (const index of order) {
		const time = times[index] ?? 0;
		const before = points.at(-1);
		if (before?.[0] === time) before[2] = 'several_series';
		else points.push([time, values[index] ?? 0, faultAt(index)]);
	}
	return pointsOf(key.read === 'trailing' ? points.slice(-1) : points, newestAt);
}

const pointsOf = (
	points: readonly (readonly [time: number, value: number, fault: PointFault | undefined])[],
	newestAt: number,
): Series => ({
	times: points.map(([time]) => time),
	values: points.map(([, value, fault]) => (fault === undefined ? value : null)),
	faults: new Map(points.flatMap(([, , fault], index) => (fault === undefined ? [] : [[index, fault] as const]))),
	newestAt,
});

const isMixed = (types: number): boolean => (types & (types - 1)) !== 0;
