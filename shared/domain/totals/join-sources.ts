import * as v from 'valibot';
import { compareTexts } from '../compare-texts.ts';
import type { RawSamples, SourceSamples } from '../ports/sample-reader.ts';
import type { Range } from '../variable/window.ts';
import { mergeSignals } from './combine-signals.ts';
import { countBefore, createSignal, type Signal } from './signal.ts';

/** Most values of a tag that are told. */
const maxTagValues = 3;
/** Most sources whose tags are told, of those that are known at an instant. */
const maxToldSources = 8;

/** A tag in which sources differ, with the first three of its values, in order. */
export interface DifferingTag {
	readonly name: string;
	readonly values: readonly string[];
}

/** That several sources were known at once in a window. */
export interface SeveralSources {
	/** The first time at which they were, in epoch milliseconds. */
	readonly at: number;
	readonly tags: readonly DifferingTag[];
}

/** A time in which several sources are known. */
export interface Overlap extends Range {
	readonly tags: readonly DifferingTag[];
}

/** A signal with the times in which several of its sources are known. There it has no value. */
export interface JoinedSignal {
	readonly signal: Signal;
	readonly overlaps: readonly Overlap[];
}

/**
 * Joins the sources of one topic and field into one signal (shared/domain/totals/README.md#sources). Each source is a signal of its own. Where
 * exactly one of them is known, the joined signal has its value; where several are known it has none, whatever they say. A single source is
 * returned as it is.
 * @param from from here on all samples were read, and before it the newest one of each source at most
 */
export function joinSources(sources: RawSamples, from: number, holdMs: number): JoinedSignal {
	const signals = sources.map(({ times, values }) => createSignal(times, values, holdMs));
	const [only = createSignal(new Float64Array(), new Float64Array(), holdMs), second] = signals;
	if (second === undefined) return { signal: only, overlaps: [] };
	const known = new KnownPositions();
	const numbers = new Float64Array(sources.length);
	const overlaps: { start: number; stop: number; tags: readonly DifferingTag[]; told: string }[] = [];
	const tagsOf = new Map<string, readonly DifferingTag[]>();
	const handovers: number[] = [];
	/** The source of the newest number. */
	let newest: number | undefined;
	const change = (position: number, value: number): void => {
		numbers[position] = value;
		known.change(position, !Number.isNaN(value));
	};
	const { times, values } = mergeSignals(signals, change, (at) => {
		const positions = known.first(maxToldSources);
		const told = positions.length > 1 ? positions.join() : '';
		const last = overlaps.at(-1);
		const isOpen = last?.stop === Number.POSITIVE_INFINITY;
		if (isOpen && last.told !== told) last.stop = at;
		if (told !== '' && !(isOpen && last.told === told)) {
			const tags = tagsOf.get(told) ?? differingTags(positions.flatMap((position) => sources[position] ?? []));
			tagsOf.set(told, tags);
			overlaps.push({ start: at, stop: Number.POSITIVE_INFINITY, tags, told });
		}
		const [position = 0] = positions;
		if (positions.length !== 1) return Number.NaN;
		if (newest !== undefined && newest !== position) handovers.push(at);
		newest = position;
		return numbers[position] ?? Number.NaN;
	});
	// Before the newest of all bases, another source may have samples that were not read.
	const newestBase = signals.reduce(
		(newest, { times: [first = from] }) => (first < from ? Math.max(newest, first) : newest),
		Number.NEGATIVE_INFINITY,
	);
	const first = countBefore(times, newestBase);
	return {
		signal: {
			times: times.subarray(first),
			values: values.subarray(first),
			holdMs: Number.POSITIVE_INFINITY,
			...(handovers.length === 0 ? {} : { handovers: Float64Array.from(handovers) }),
		},
		overlaps: overlaps.map(({ start, stop, tags }) => ({ start, stop, tags })),
	};
}

/** Returns the name of a source: the same in whichever order its tags are. */
export function nameOfSource({ tags }: Pick<SourceSamples, 'tags'>): string {
	return JSON.stringify(tags.toSorted(([a], [b]) => compareTexts(a, b)));
}

const sourceNameSchema = v.pipe(v.string(), v.parseJson(), v.array(v.tuple([v.string(), v.string()])));

/** Returns the tags of a source by its name. */
export function tagsOfSource(name: string): SourceSamples['tags'] {
	return v.parse(sourceNameSchema, name);
}

/** Joins the samples of each source that were read in several parts. The parts of a source are ascending. */
export function joinParts(parts: RawSamples): RawSamples {
	return [...Map.groupBy(parts, nameOfSource).values()].flatMap(([first, ...later]): RawSamples => {
		if (first === undefined || later.length === 0) return first === undefined ? [] : [first];
		const all = [first, ...later];
		const concatenated = (arrays: readonly Float64Array[]): Float64Array => {
			const joined = new Float64Array(arrays.reduce((sum, { length }) => sum + length, 0));
			let offset = 0;
			for (const array of arrays) {
				joined.set(array, offset);
				offset += array.length;
			}
			return joined;
		};
		return [
			{
				tags: first.tags,
				times: concatenated(all.map(({ times }) => times)),
				values: concatenated(all.map(({ values }) => values)),
			},
		];
	});
}

/** Returns what of overlaps lies outside of some spans: there, a correction decides. `spans` are ascending and do not overlap. */
export function overlapsOutside(overlaps: readonly Overlap[], spans: readonly Range[]): readonly Overlap[] {
	const spanStarts = Float64Array.from(spans, ({ start }) => start);
	const spanStops = Float64Array.from(spans, ({ stop }) => stop);
	return overlaps.flatMap(({ start, stop, tags }) => {
		const within = spans.slice(countBefore(spanStops, start), countBefore(spanStarts, stop));
		const starts = [start, ...within.map((span) => span.stop)];
		return starts.flatMap((from, index) => {
			const to = within[index]?.start ?? stop;
			return from < to ? [{ start: from, stop: to, tags }] : [];
		});
	});
}

/**
 * Returns what is told of the overlaps in the ranges of each window; undefined: there are none. It reads each overlap once, and again in each
 * range that it reaches.
 * @param overlaps in any order; those of several inputs may overlap
 * @param windows the ranges of consecutive windows: all of them are ascending and do not overlap
 */
export function severalInWindows(
	overlaps: readonly Overlap[],
	windows: readonly (readonly Range[])[],
): readonly (SeveralSources | undefined)[] {
	const ascending = overlaps.toSorted((a, b) => a.start - b.start);
	let next = 0;
	/** The overlaps that begin before the end of the range, and end after its start. */
	let open: Overlap[] = [];
	const overlapsIn = ({ start, stop }: Range): readonly Overlap[] => {
		open = open.filter((overlap) => overlap.stop > start);
		for (let overlap = ascending[next]; overlap !== undefined && overlap.start < stop; overlap = ascending[next]) {
			if (overlap.stop > start) open.push(overlap);
			next += 1;
		}
		return open;
	};
	return windows.map((ranges) => {
		const within = ranges.flatMap((range) =>
			overlapsIn(range).map(({ start, tags }) => ({ at: Math.max(range.start, start), tags })),
		);
		const [first] = within;
		if (first === undefined) return undefined;
		// The first one is the earliest. Most overlaps are of the same sources, and share the list of their tags.
		const distinct = new Set(within.map(({ tags }) => tags));
		return { at: first.at, tags: mergeTags([...distinct].flat()) };
	});
}

/** Merges what is told of consecutive windows. */
export function mergeSeveral(earlier: SeveralSources | undefined, later: SeveralSources | undefined): SeveralSources | undefined {
	if (earlier === undefined || later === undefined) return earlier ?? later;
	return { at: earlier.at, tags: mergeTags([...earlier.tags, ...later.tags]) };
}

/** The positions of the sources that are known, in any order. A change costs the same, however many there are. */
class KnownPositions {
	readonly #positions: number[] = [];
	/** Where in `#positions` each one is. */
	readonly #places = new Map<number, number>();

	change(position: number, isKnown: boolean): void {
		const place = this.#places.get(position);
		if (isKnown === (place !== undefined)) return;
		if (place === undefined) {
			this.#places.set(position, this.#positions.push(position) - 1);
			return;
		}
		this.#places.delete(position);
		const last = this.#positions.pop();
		if (last === undefined || last === position) return;
		// The last one takes the place.
		this.#positions[place] = last;
		this.#places.set(last, place);
	}

	/** Returns some of them, `count` at most. */
	first(count: number): readonly number[] {
		return this.#positions.slice(0, count);
	}
}

/** Returns the tags in which some sources differ. A source without a tag has an empty value of it. */
export function differingTags(sources: readonly Pick<SourceSamples, 'tags'>[]): readonly DifferingTag[] {
	const maps = sources.map(({ tags }) => new Map(tags));
	const names = new Set(maps.flatMap((tags) => [...tags.keys()]));
	const all = [...names].map((name) => ({ name, values: maps.map((tags) => tags.get(name) ?? '') }));
	return mergeTags(all.filter(({ values }) => new Set(values).size > 1));
}

/** Returns tags in the order of their names, each name once. */
export function mergeTags(tags: readonly DifferingTag[]): readonly DifferingTag[] {
	return [...Map.groupBy(tags, ({ name }) => name)]
		.map(([name, all]) => ({
			name,
			values: [...new Set(all.flatMap(({ values }) => values))].sort(compareTexts).slice(0, maxTagValues),
		}))
		.sort((a, b) => compareTexts(a.name, b.name));
}
