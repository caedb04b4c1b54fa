import { emptySeries, type PointFault, type SeriesFault, type SeriesKey, type SeriesResult } from '#domain/ports/time-series.ts';
import { historyWindows, newestRange, trailingWindows, type Windows, windowEnd } from '#domain/variable/window.ts';
import { isMixed, isString, isWide, stringType, typeBit } from './kinds.ts';
import type { Candidate, Sample, Statements, WindowValue } from './statements.ts';
import { toNs } from './tables.ts';

type WindowedKey = Exclude<SeriesKey, { readonly read: 'newest' }>;

/** A candidate that has samples in the range read, with the newest of them. */
interface Present extends Candidate {
	readonly newest: Sample;
}

const maxExact = 2 ** 53;

/** Reads all keys, in their order, from one state of the database: the caller holds a transaction. */
export function readSeries(
	statements: Statements,
	database: string,
	keys: readonly SeriesKey[],
	now: number,
): readonly SeriesResult[] {
	const known = new Map<string, Windows>();
	let set: Windows | undefined;

	const windowsOf = (key: WindowedKey): Windows => {
		const text = windowsText(key);
		const found = known.get(text);
		if (found !== undefined) return found;
		const windows = (key.read === 'history' ? historyWindows : trailingWindows)(now, key.lookback, key.period);
		known.set(text, windows);
		return windows;
	};
	const valuesOf = (windows: Windows, { aggregate }: WindowedKey, all: readonly Present[]) => {
		if (set !== windows) statements.setWindows(windows);
		set = windows;
		return all.map(({ id }) => statements[aggregate](id));
	};
	const readWindows = (key: WindowedKey, candidates: readonly Candidate[]): SeriesResult => {
		const windows = windowsOf(key);
		const [start, stop] = [toNs(windows.starts[0] ?? windows.stop), toNs(windows.stop)];
		const all = present(statements, candidates, start, stop);
		const newestAt = all[0]?.newest.ms;
		if (newestAt === undefined) return emptySeries;
		const fault = seriesFault(statements, all, start, stop);
		if (fault !== undefined) return { fault };
		const read = key.read === 'history' ? windows : windowOf(windows, newestAt);
		return { ...merge(read, key, valuesOf(read, key, all)), newestAt };
	};
	const readOne = (key: SeriesKey): SeriesResult => {
		const candidates = statements.candidates(database, key.topic, key.field);
		if (key.read !== 'newest') return readWindows(key, candidates);
		const { start, stop } = newestRange(now, key.lookback);
		return readNewest(statements, candidates, toNs(start), toNs(stop));
	};

	// Keys of the same windows follow each other, so that these are put down once.
	const order = [...keys.entries()].sort(([, a], [, b]) => {
		const [x, y] = [a, b].map((key) => (key.read === 'newest' ? '' : windowsText(key)));
		return x === y ? 0 : (x ?? '') < (y ?? '') ? -1 : 1;
	});
	const results: SeriesResult[] = keys.map(() => emptySeries);
	for (const [index, key] of order) results[index] = readOne(key);
	return results;
}

/** The key's windows, and for keys that have the same ones the same text. */
const windowsText = ({ read, lookback, period }: WindowedKey): string =>
	[read, lookback.ms, lookback.months, period.ms, period.months].join();

const present = (statements: Statements, candidates: readonly Candidate[], start: bigint, stop: bigint): readonly Present[] =>
	candidates
		.flatMap((candidate) => {
			const newest = statements.newest(candidate.id, start, stop);
			return newest === undefined ? [] : [{ ...candidate, newest }];
		})
		.sort((a, b) => compare(b.newest, a.newest));

/** Why windows cannot be made of these series: samples are looked at one by one only where a type ever changed. */
function seriesFault(statements: Statements, all: readonly Present[], start: bigint, stop: bigint): SeriesFault | undefined {
	let types = all.reduce((bits, candidate) => bits | candidate.types, 0);
	if (isMixed(types)) {
		const kinds = all.flatMap(({ id }) => statements.kinds(id, start, stop));
		types = kinds.reduce((bits, kind) => bits | typeBit(kind), 0);
	}
	if (isMixed(types)) return 'type_changed';
	return types === stringType ? 'not_numeric' : undefined;
}

/** Of `windows`, the one that `time` lies in. */
function windowOf({ starts, stop }: Windows, time: number): Windows {
	const place = starts.findLastIndex((start) => start <= time);
	return { starts: starts.slice(place, place + 1), stop: starts[place + 1] ?? stop };
}

/** The windows that have samples, oldest first, as columns; one with samples of several series has no value. */
function merge(
	windows: Windows,
	{ aggregate }: WindowedKey,
	read: readonly (readonly WindowValue[])[],
): Omit<Extract<SeriesResult, { readonly times: unknown }>, 'newestAt'> {
	const byPlace = new Map<number, { readonly window: WindowValue; readonly fault: PointFault | undefined }>();
	for (const window of read.flat()) {
		const own = isImprecise(window, aggregate) ? 'precision' : undefined;
		byPlace.set(window.place, { window, fault: byPlace.has(window.place) ? 'several_series' : own });
	}
	const rows = [...byPlace.values()].sort((a, b) => a.window.place - b.window.place);
	return {
		times: rows.map(({ window }) => windowEnd(windows, window.place)),
		values: rows.map(({ window, fault }) => (fault === undefined ? window.value : null)),
		faults: new Map(rows.flatMap(({ fault }, index) => (fault === undefined ? [] : [[index, fault] as const]))),
	};
}

/** Reads `newest`: of several tag sets the newest sample wins, and at the very same instant none does. */
function readNewest(statements: Statements, candidates: readonly Candidate[], start: bigint, stop: bigint): SeriesResult {
	const [first, second] = present(statements, candidates, start, stop);
	if (first === undefined) return emptySeries;
	const { newest } = first;
	const fault = newestFault(newest, second?.newest);
	return {
		times: [newest.ms],
		values: [fault === undefined ? newest.value : null],
		faults: fault === undefined ? new Map() : new Map([[0, fault]]),
		newestAt: newest.ms,
	};
}

const compare = (a: Sample, b: Sample): number => a.ms - b.ms || a.ns - b.ns;

/** A mean of 2^53 may be of integers that were rounded to it; a last value is exact unless it is marked. */
const isImprecise = ({ value, kind }: WindowValue, aggregate: WindowedKey['aggregate']): boolean =>
	aggregate === 'last' ? isWide(kind) : isWide(kind) && value !== null && Math.abs(value) >= maxExact;

function newestFault(newest: Sample, second: Sample | undefined): PointFault | undefined {
	if (second !== undefined && compare(newest, second) === 0) return 'several_series';
	if (isString(newest.kind)) return 'not_numeric';
	return isWide(newest.kind) ? 'precision' : undefined;
}
