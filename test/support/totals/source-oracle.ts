import * as fc from 'fast-check';
import type { SourceSamples } from '#domain/ports/sample-reader.ts';

/** A source of a case: its tags, and samples at ascending whole ticks, one at most in each. Null is a sample without a number. */
export interface OracleSource {
	readonly tags: Readonly<Record<string, string>>;
	readonly samples: readonly { readonly at: number; readonly value: number | null }[];
}

/** The values of the sources that are known at an instant, with their tags. */
function knownAt(sources: readonly OracleSource[], holdMs: number, at: number) {
	return sources.flatMap(({ tags, samples }) => {
		const newest = samples.findLast((sample) => sample.at <= at);
		return newest === undefined || newest.value === null || at >= newest.at + holdMs ? [] : [{ tags, value: newest.value }];
	});
}

/** What must be told of [from, to), found instant by instant: whatever the sources say together, only one of them may be known. */
export function sourceOracle(sources: readonly OracleSource[], holdMs: number, [from, to]: readonly [number, number]) {
	let [known, integral, on, starts] = [0, 0, 0, 0];
	let before: (typeof sources)[number]['tags'] | null = null;
	let valueBefore = 0;
	let several: { at: number; tags: Map<string, Set<string>> } | null = null;
	for (let at = 0; at < to; at += 1) {
		const values = knownAt(sources, holdMs, at);
		const [only] = values;
		if (values.length > 1 && at >= from) {
			several ??= { at, tags: new Map() };
			for (const name of ['host', 'unit']) {
				const all = new Set(values.map(({ tags }) => tags[name] ?? ''));
				if (all.size > 1) several.tags.set(name, new Set([...(several.tags.get(name) ?? []), ...all]));
			}
		}
		if (only === undefined || values.length > 1) continue;
		if (at >= from) {
			known += 1;
			integral += only.value;
			if (only.value !== 0) on += 1;
			// From one source to another, nothing is known to have started.
			if (before === only.tags && valueBefore === 0 && only.value !== 0) starts += 1;
		}
		before = only.tags;
		valueBefore = only.value;
	}
	const tags = [...(several?.tags ?? [])].map(([name, all]) => ({ name, values: [...all].sort().slice(0, 3) }));
	return {
		state: { from, span: to - from, known, on, starts, integral },
		...(several === null ? {} : { several: { at: several.at, tags: tags.sort((a, b) => (a.name < b.name ? -1 : 1)) } }),
	};
}

/** Returns the samples of sources as they are read. `tickMs`: the length of a tick. */
export const sourceSamples = (sources: readonly OracleSource[], tickMs = 1): readonly SourceSamples[] =>
	sources.map(({ tags, samples }) => ({
		tags: Object.entries(tags),
		times: Float64Array.from(samples, ({ at }) => at * tickMs),
		values: Float64Array.from(samples, ({ value }) => value ?? Number.NaN),
	}));

/** The last tick of a case. */
export const lastTick = 60;

const values = {
	numbers: fc.integer({ min: -4, max: 4 }),
	booleans: fc.constantFrom(0, 1),
	bytes: fc.integer({ min: 0, max: 255 }),
};

/** Random samples of one source: regular ones with an offset, which may end, or any. */
const samplesOf = (value: fc.Arbitrary<number>) => {
	const at = fc.oneof(
		fc
			.record({ step: fc.integer({ min: 1, max: 12 }), offset: fc.nat(12), end: fc.integer({ min: 1, max: lastTick }) })
			.map(({ step, offset, end }) =>
				Array.from({ length: lastTick }, (_, index) => offset + index * step).filter((time) => time <= end),
			),
		fc.uniqueArray(fc.integer({ min: 0, max: lastTick }), { maxLength: 15 }).map((times) => times.sort((a, b) => a - b)),
	);
	return at.chain((times) =>
		fc
			.array(fc.oneof({ weight: 15, arbitrary: value }, fc.constant(null)), { minLength: times.length, maxLength: times.length })
			.map((all) => times.map((time, index) => ({ at: time, value: all[index] ?? null }))),
	);
};

const tagSets = [{ host: 'a' }, { host: 'b' }, { host: 'a', unit: '2' }, { host: 'c', unit: '1' }, {}];

/** Random sources of one variable, one to five, with what they hold and windows. */
export const sourceCases = fc.constantFrom(values.numbers, values.booleans, values.bytes).chain((value) =>
	fc.record({
		sources: fc
			.array(samplesOf(value), { minLength: 1, maxLength: tagSets.length })
			.map((all) =>
				all.flatMap((samples, index): OracleSource[] => (samples.length === 0 ? [] : [{ tags: tagSets[index] ?? {}, samples }])),
			),
		holdMs: fc.integer({ min: 1, max: 20 }),
		bounds: fc
			.uniqueArray(fc.integer({ min: 0, max: lastTick + 20 }), { minLength: 2, maxLength: 6 })
			.map((bounds) => bounds.sort((a, b) => a - b)),
	}),
);
