import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SourceSamples } from '#domain/ports/sample-reader.ts';
import { evaluateLines } from '#domain/totals/evaluate-lines.ts';
import { valueOfSum } from '#domain/totals/exact-sum.ts';
import { foldCounter } from '#domain/totals/fold-counter.ts';
import { foldLines } from '#domain/totals/fold-lines.ts';
import { foldSignal } from '#domain/totals/fold-signal.ts';
import {
	joinSources,
	type Overlap,
	overlapsOutside,
	type SeveralSources,
	severalInWindows,
} from '#domain/totals/join-sources.ts';
import { type LineFunction, type LineState, mergeLineStates } from '#domain/totals/line-state.ts';
import type { TotalsLine } from '#domain/totals/totals-request.ts';
import type { Range } from '#domain/variable/window.ts';
import { casesOf, firstSeed } from '#test/support/cases.ts';
import { type OracleSource, sourceCases, sourceOracle, sourceSamples } from '#test/support/totals/source-oracle.ts';

const cases = casesOf(2000);
const parameters = { numRuns: cases, seed: firstSeed };
const timeout = 60_000 + 10 * cases;
const line = {
	kind: 'signal',
	key: 'v',
	varId: 1,
	bit: undefined,
	holdMs: undefined,
	asked: { function: 'starts', rule: {} },
} as const;

/** Folds joined sources as a line of totals does. */
const statesOf = (sources: readonly OracleSource[], holdMs: number, bounds: readonly number[]): readonly LineState[] => {
	const joined = joinSources(sourceSamples(sources), 0, holdMs);
	return foldLines([line], new Map([['v', joined]]), bounds).flatMap((states) => states.get('v') ?? []);
};

const pairwise = (bounds: readonly number[]) =>
	bounds.slice(1).map((to, index): readonly [number, number] => [bounds[index] ?? to, to]);

describe('joinSources', () => {
	test(`tells what an oracle tells instant by instant: ${cases} cases`, { timeout }, () => {
		let [overlapping, partial] = [0, 0];
		fc.assert(
			fc.property(sourceCases, ({ sources, holdMs, bounds }) => {
				const states = statesOf(sources, holdMs, bounds).map((state) => {
					if (state.kind !== 'signal') throw new Error('The line has a signal.');
					const { from, span, known, on, starts, integral } = state.signal;
					const { several } = state;
					if (several !== undefined) overlapping += 1;
					if (several !== undefined && known > 0) partial += 1;
					const read = { from, span, known, on, starts, integral: valueOfSum(integral) };
					return { state: read, ...(several === undefined ? {} : { several }) };
				});
				expect(states).toEqual(pairwise(bounds).map((window) => sourceOracle(sources, holdMs, window)));
			}),
			parameters,
		);
		expect(overlapping).toBeGreaterThan(cases / 2);
		expect(partial).toBeGreaterThan(cases / 4);
	});

	test(`merges windows to the window that covers them: ${cases} cases`, { timeout }, () => {
		fc.assert(
			fc.property(sourceCases, ({ sources, holdMs, bounds }) => {
				const merged = statesOf(sources, holdMs, bounds).reduce(mergeLineStates);
				expect([merged]).toEqual(statesOf(sources, holdMs, [bounds[0] ?? 0, bounds.at(-1) ?? 0]));
			}),
			parameters,
		);
	});

	test(`knows nothing that more samples would change, where only the newest before a time were read: ${cases} cases`, {
		timeout,
	}, () => {
		let withBase = 0;
		fc.assert(
			fc.property(sourceCases, fc.nat(40), ({ sources, holdMs }, start) => {
				// Read from a hold before the range, with the newest sample of each source before that.
				const from = Math.max(0, start - holdMs);
				const read = sourceSamples(sources).map(({ tags, times, values }) => {
					const first = times.findIndex((time) => time >= from);
					const next = first < 0 ? times.length : first;
					const base = Math.max(0, next - 1);
					return { tags, times: times.slice(base), values: values.slice(base) };
				});
				const bounds = [start, 70];
				const [whole, part] = [sourceSamples(sources), read].map((samples) =>
					joinSources(samples, samples === read ? from : 0, holdMs),
				);
				const [all] = foldSignal(whole?.signal ?? { times: new Float64Array(), values: new Float64Array(), holdMs }, bounds);
				const [some] = foldSignal(part?.signal ?? { times: new Float64Array(), values: new Float64Array(), holdMs }, bounds);
				if (some?.hasBase) {
					withBase += 1;
					expect(some).toEqual(all);
				} else {
					// Without a base, the first sample is no start either, and there is no upper bound.
					const unread = { hasBase: true, starts: 0, over: null, isHandedOver: true };
					expect({ ...some, ...unread }).toEqual({ ...all, ...unread });
				}
				expect(severalInWindows(part?.overlaps ?? [], [[{ start, stop: 70 }]])).toEqual(
					severalInWindows(whole?.overlaps ?? [], [[{ start, stop: 70 }]]),
				);
			}),
			parameters,
		);
		expect(withBase).toBeGreaterThan(cases / 4);
	});

	const minute = 60_000;
	const meter = (host: string, value: (index: number) => number, { offset = 0, from = 0, to = 60 } = {}) => ({
		tags: [['host', host]] as const,
		times: Float64Array.from({ length: to - from }, (_, index) => (from + index) * minute + offset),
		values: Float64Array.from({ length: to - from }, (_, index) => value(from + index)),
	});
	const hour = [0, 60 * minute];
	const one = meter('a', () => 100);

	test('returns a single source as it is', () => {
		const { signal, overlaps } = joinSources([one], 0, 2 * minute);
		expect(signal).toEqual({ times: one.times, values: one.values, holdMs: 2 * minute });
		expect(signal.times).toBe(one.times);
		expect(overlaps).toEqual([]);
	});

	test.each([0, 1, 300, 29_999, 30_000])('knows nothing of two meters %d ms apart, and counts no start', (offset) => {
		const contacts = [meter('a', () => 1), meter('b', () => 0, { offset })];
		for (const sources of [contacts, contacts.toReversed()]) {
			const { signal, overlaps } = joinSources(sources, 0, 2 * minute);
			const [state] = foldSignal(signal, hour);
			// The first one is alone until the second one is heard.
			expect(state).toMatchObject({ known: offset, starts: 0 });
			expect(severalInWindows(overlaps, [[{ start: 0, stop: 60 * minute }]])[0]).toEqual({
				at: offset,
				tags: [{ name: 'host', values: ['a', 'b'] }],
			});
		}
	});

	test('loses one hold where a gateway was replaced, and the time that it holds to a stray sample', () => {
		const gateways = [meter('a', () => 100, { to: 30 }), meter('b', () => 100, { from: 30 })];
		const [replaced] = foldSignal(joinSources(gateways, 0, 2 * minute).signal, hour);
		// The last sample of the old one is at 29 min.
		expect(replaced).toMatchObject({ known: 59 * minute, integral: { sum: 59 * minute * 100 } });
		const stray = meter('stray', () => 9, { from: 10, to: 11, offset: 500 });
		const [strayed] = foldSignal(joinSources([one, stray], 0, 2 * minute).signal, hour);
		expect(strayed).toMatchObject({ known: 58 * minute, min: { value: 100 } });
	});

	test('counts a counter before and after a gateway is replaced, and nothing from one to the other', () => {
		const gateways = [meter('a', (index) => index, { to: 30 }), meter('b', (index) => index, { from: 30 })];
		const { signal } = joinSources(gateways, 0, 2 * minute);
		expect(foldCounter(signal, { dip: 0 }, [0, 30.5 * minute, 60 * minute])).toMatchObject([
			{ increase: { sum: 29 }, faults: [] },
			{ increase: { sum: 28 }, over: null, isHandedOver: true },
		]);
	});

	test('tells at most three values of each tag, and a missing tag as an empty one', () => {
		const sources = ['d', 'c', 'b', 'a'].map((host) => meter(host, () => 1));
		const plain = { ...meter('', () => 1), tags: [] };
		expect(joinSources(sources, 0, minute).overlaps[0]?.tags).toEqual([{ name: 'host', values: ['a', 'b', 'c'] }]);
		expect(joinSources([plain, one], 0, minute).overlaps[0]?.tags).toEqual([{ name: 'host', values: ['', 'a'] }]);
	});

	test(`has the signal of an oracle where many sources are known at once, and tells tags of some of them: ${cases} cases`, {
		timeout,
	}, () => {
		let beyondTold = 0;
		const starts = fc.array(fc.tuple(fc.nat(30), fc.nat(30)), { minLength: 5, maxLength: 30 });
		fc.assert(
			fc.property(starts, fc.integer({ min: 1, max: 20 }), (all, holdMs) => {
				const sources = all.map(([first, gap], index): OracleSource => {
					const samples = [first, first + gap + 1].map((at) => ({ at, value: index }));
					return { tags: { host: `${index % 3}`, unit: `${index}` }, samples };
				});
				const [state] = statesOf(sources, holdMs, [0, 80]);
				const expected = sourceOracle(sources, holdMs, [0, 80]);
				if (state?.kind !== 'signal') throw new Error('The line has a signal.');
				const { known, on, starts: started, integral } = state.signal;
				expect({ known, on, starts: started, integral: valueOfSum(integral) }).toEqual({
					known: expected.state.known,
					on: expected.state.on,
					starts: expected.state.starts,
					integral: expected.state.integral,
				});
				expect(state.several?.at).toBe(expected.several?.at);
				// Every source has a unit of its own, so those that are known at once differ in it.
				const together = Array.from({ length: 80 }, (_, at) =>
					sources.filter(({ samples }) => samples.some((sample) => sample.at <= at && at < sample.at + holdMs)),
				).filter(({ length }) => length > 1);
				const units = new Set(together.flat().map(({ tags }) => tags['unit'] ?? ''));
				const told = state.several?.tags.find(({ name }) => name === 'unit')?.values ?? [];
				expect(told).toHaveLength(Math.min(3, units.size));
				expect([...units]).toEqual(expect.arrayContaining([...told]));
				if (together.some(({ length }) => length > 8)) beyondTold += 1;
			}),
			parameters,
		);
		expect(beyondTold).toBeGreaterThan(cases / 8);
	});

	test('joins 5,000 sources, of which a few are known at each instant, without a look at all of them', () => {
		const count = 5000;
		const sources = Array.from({ length: count }, (_, index) => meter(`${index}`, () => index, { offset: 12 * index, to: 20 }));
		// A sample holds for 15 ms, and the next one comes after 12: 9 ms are left in which it is known alone, of the first and the last 12.
		const { signal, overlaps } = joinSources(sources, 0, 15);
		const [state] = foldSignal(signal, hour);
		expect(state).toMatchObject({ known: 9 * 20 * count + 6, starts: 0 });
		expect(overlaps).toHaveLength(20 * count - 1);
		expect(overlaps[0]).toEqual({ start: 12, stop: 15, tags: [{ name: 'host', values: ['0', '1'] }] });
	});
});

/** Ascending ranges that do not overlap; some meet. */
const rangesOf = (times: readonly number[]): readonly Range[] =>
	times.slice(1).flatMap((stop, index) => (index % 3 === 2 ? [] : [{ start: times[index] ?? stop, stop }]));
const ascendingTimes = fc.uniqueArray(fc.nat(60), { maxLength: 20 }).map((times) => times.sort((a, b) => a - b));
const tagLists = ['a', 'b', 'c', 'd', 'e'].map((value) => [{ name: value < 'd' ? 'host' : 'site', values: [value] }]);
/** The overlaps of one input; the last one may be open. */
const ofInput = fc
	.tuple(ascendingTimes, fc.boolean(), fc.array(fc.constantFrom(...tagLists), { minLength: 20, maxLength: 20 }))
	.map(([times, isOpen, tags]) =>
		rangesOf(isOpen ? [...times, Number.POSITIVE_INFINITY] : times).map(
			(range, index): Overlap => ({ ...range, tags: tags[index] ?? [] }),
		),
	);
const ofInputs = fc.array(ofInput, { minLength: 1, maxLength: 3 }).map((inputs) => inputs.flat());

describe('severalInWindows', () => {
	/** Looks at every overlap in every range. */
	const plainly = (overlaps: readonly Overlap[], ranges: readonly Range[]): SeveralSources | undefined => {
		const within = ranges.flatMap(({ start, stop }) =>
			overlaps.flatMap((overlap) => {
				const at = Math.max(start, overlap.start);
				return at < Math.min(stop, overlap.stop) ? [{ at, tags: overlap.tags }] : [];
			}),
		);
		if (within.length === 0) return undefined;
		const all = within.flatMap(({ tags }) => tags);
		const names = [...new Set(all.map(({ name }) => name))].sort();
		const valuesOf = (name: string) => new Set(all.flatMap((tag) => (tag.name === name ? tag.values : [])));
		return {
			at: Math.min(...within.map(({ at }) => at)),
			tags: names.map((name) => ({ name, values: [...valuesOf(name)].sort().slice(0, 3) })),
		};
	};
	const windowsOf = fc
		.tuple(ascendingTimes.map(rangesOf), fc.integer({ min: 1, max: 4 }))
		.map(([ranges, size]) => [...Map.groupBy(ranges.entries(), ([index]) => Math.floor(index / size)).values()])
		.map((groups) => groups.map((group) => group.map(([, range]) => range)));

	test(`tells what a look at every overlap in every window tells: ${cases} cases`, { timeout }, () => {
		let told = 0;
		fc.assert(
			fc.property(ofInputs, windowsOf, (overlaps, windows) => {
				const several = severalInWindows(overlaps, windows);
				told += several.filter((each) => each !== undefined).length;
				expect(several).toEqual(windows.map((ranges) => plainly(overlaps, ranges)));
			}),
			parameters,
		);
		expect(told).toBeGreaterThan(cases / 2);
	});

	test('reads 200,000 overlaps under an open one a few times for 400 windows, not once for each', () => {
		let reads = 0;
		const tags = tagLists[0] ?? [];
		const short = Array.from({ length: 200_000 }, (_, index) => ({
			start: 2 * index,
			get stop() {
				reads += 1;
				return 2 * index + 1;
			},
			tags,
		}));
		const windows = Array.from({ length: 400 }, (_, index) => [{ start: 1000 * index, stop: 1000 * (index + 1) }]);
		const several = severalInWindows([...short, { start: 0, stop: Number.POSITIVE_INFINITY, tags }], windows);
		expect(several.map((each) => each?.at)).toEqual(windows.map(([range]) => range?.start));
		expect(reads).toBeLessThan(3 * short.length);
	});
});

describe('overlapsOutside', () => {
	test(`leaves what a look at every span leaves: ${cases} cases`, { timeout }, () => {
		let cut = 0;
		fc.assert(
			fc.property(ofInputs, ascendingTimes.map(rangesOf), (overlaps, spans) => {
				const plainly = overlaps.flatMap(({ start, stop, tags }) => {
					const within = spans.filter((span) => span.start < stop && span.stop > start);
					const starts = [start, ...within.map((span) => span.stop)];
					return starts.flatMap((from, index) => {
						const to = within[index]?.start ?? stop;
						return from < to ? [{ start: from, stop: to, tags }] : [];
					});
				});
				cut += plainly.length === overlaps.length ? 0 : 1;
				expect(overlapsOutside(overlaps, spans)).toEqual(plainly);
			}),
			parameters,
		);
		expect(cut).toBeGreaterThan(cases / 4);
	});

	test('leaves out what corrections decide', () => {
		const overlap = { start: 10, stop: 50, tags: [] };
		const outside = (spans: readonly (readonly [number, number])[]) =>
			overlapsOutside(
				[overlap],
				spans.map(([start, stop]) => ({ start, stop })),
			).map(({ start, stop }) => [start, stop]);
		expect(outside([])).toEqual([[10, 50]]);
		expect(
			outside([
				[0, 10],
				[50, 60],
			]),
		).toEqual([[10, 50]]);
		expect(
			outside([
				[5, 20],
				[30, 31],
			]),
		).toEqual([
			[20, 30],
			[31, 50],
		]);
		expect(outside([[0, 60]])).toEqual([]);
	});
});

describe('sources that report more slowly than they hold', () => {
	const minutes = (values: readonly (readonly [minute: number, value: number])[], name: string): SourceSamples => ({
		tags: [['slave_id', name]],
		times: Float64Array.from(values, ([minute]) => minute * 60_000),
		values: Float64Array.from(values, ([, value]) => value),
	});
	const every10 = (from: number, valueAt: (index: number) => number) =>
		Array.from({ length: 6 }, (_, index) => [from + 10 * index, valueAt(index)] as const);
	const totalOf = (asked: LineFunction, sources: readonly SourceSamples[], bounds: readonly number[]) => {
		const line: TotalsLine = { kind: 'signal', key: 'v', varId: 1, bit: undefined, holdMs: undefined, asked };
		return evaluateLines([line], new Map([['v', joinSources(sources, 0, 120_000)]]), bounds)[0]?.values.total;
	};
	const hour = [0, 3_600_000];
	const parts = [0, 600_000, 1_500_000, 3_600_000];

	test('start nothing by turns: one is always on, the other always off', () => {
		const sources = [
			minutes(
				every10(0, () => 1),
				'1',
			),
			minutes(
				every10(5, () => 0),
				'2',
			),
		];
		for (const bounds of [hour, parts])
			expect(totalOf({ function: 'starts', rule: {} }, sources, bounds)).toMatchObject({ value: 0, low: 0, high: null });
	});

	test('advance by their own readings alone, so that two counters give no jump from one to the other', () => {
		const sources = [
			minutes(
				[
					[0, 1000],
					[10, 1001],
					[20, 1002],
				],
				'1',
			),
			minutes(
				[
					[30, 5000],
					[40, 5001],
					[50, 5002],
				],
				'2',
			),
		];
		for (const bounds of [hour, parts])
			expect(totalOf({ function: 'increase', rule: { dip: 0 } }, sources, bounds)).toMatchObject({
				value: 4,
				low: 4,
				high: null,
			});
	});

	test('advance by nothing where they take turns', () => {
		const sources = [
			minutes(
				every10(0, (index) => 1000 + index),
				'1',
			),
			minutes(
				every10(5, (index) => 5000 + index),
				'2',
			),
		];
		for (const bounds of [hour, parts])
			expect(totalOf({ function: 'increase', rule: { dip: 0 } }, sources, bounds)).toMatchObject({
				value: 0,
				low: 0,
				high: null,
			});
	});
});
