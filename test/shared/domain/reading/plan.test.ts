import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SeriesKey } from '#domain/ports/time-series.ts';
import { readLimits } from '#domain/reading/budget.ts';
import { type Plan, planOf, shortageOf } from '#domain/reading/plan.ts';
import { streamGroupOf } from '#domain/reading/stream-group.ts';
import type { Query } from '#domain/variable/query.ts';
import { parseVariable, type Variable } from '#domain/variable/variable.ts';
import { windowCount } from '#domain/variable/window.ts';
import { makeCalculatedBody, makeQuery, makeVariable } from '#test/support/builders/builders.ts';

const newest = (topic: string): Variable => makeVariable({ varsTsdb: { Flow: makeQuery({ calc_topic: topic }) } });

/** A history of `windows` windows of one second, counted as against the limit. */
const history = (topic: string, windows: number): Variable =>
	makeVariable({ type: 'history', varsTsdb: { Flow: makeQuery({ calc_topic: topic, ...secondsOf(windows) }) } });

const secondsOf = (windows: number) =>
	({ calc_time: windows - 1, calc_unit: 's', calc_period: 1, calc_unit_period: 's' }) satisfies Partial<Query>;

/** A formula of `count` queries. */
const formula = (count: number, queryOf: (index: number) => Partial<Query>, type = 'last'): Variable => {
	const names = Array.from({ length: count }, (_, index) => `i${index}`);
	const varsTsdb = Object.fromEntries(names.map((name, index) => [name, makeQuery(queryOf(index))]));
	return parseVariable({ ...makeCalculatedBody(names.join(' + '), { type }), varsTsdb });
};

/** The number of streams that some series make: at most 40 of one group in each. */
const streamsOf = (keys: readonly SeriesKey[]): number =>
	[...Map.groupBy(keys, streamGroupOf).values()].reduce((sum, group) => sum + Math.ceil(group.length / 40), 0);

const skippedIn = ({ variables }: Plan) =>
	variables.flatMap(({ shortage }, index) => (shortage === null ? [] : [{ index, ...shortage }]));

describe('planOf', () => {
	test('serves all newest values first, then the first histories that fit', () => {
		const histories = Array.from({ length: 10 }, (_, index) => history(`h${index}`, 10_000));
		const values = Array.from({ length: 1988 }, (_, index) => newest(`n${index}`));
		const plan = planOf([...histories, history('small', 100), history('large', 9000), ...values]);
		expect(skippedIn(plan)).toEqual([
			{ index: 9, item: 'windows', needed: 10_000, left: 8012 },
			{ index: 11, item: 'windows', needed: 9000, left: 7912 },
		]);
		expect(plan.keys.slice(0, 1988).map(({ topic }) => topic)).toEqual(values.map((_, index) => `n${index}`));
		expect(plan.keys.map(({ topic }) => topic)).not.toContain('h9');
	});

	test('of 100 formulas of 128 queries, all with lookbacks of their own, 78 are read in at most 255 streams', () => {
		const formulas = Array.from({ length: 100 }, (_, row) =>
			formula(128, (index) => ({ calc_topic: `${row}/${index}`, calc_time: 1 + row * 128 + index, calc_unit: 'm' })),
		);
		const plan = planOf([...formulas, ...Array.from({ length: 17 }, (_, index) => newest(`n${index}`))]);
		expect(skippedIn(plan)).toEqual([
			...Array.from({ length: 22 }, (_, index) => ({ index: 78 + index, item: 'series', needed: 128, left: 16 })),
			{ index: 116, item: 'series', needed: 1, left: 0 },
		]);
		expect(plan.keys).toHaveLength(10_000);
		expect(streamsOf(plan.keys)).toBeLessThanOrEqual(255);
	});

	test('means of different lookbacks are read in 300 streams, and the next one is skipped', () => {
		const means = Array.from({ length: 301 }, (_, index) =>
			makeVariable({ varsTsdb: { Flow: makeQuery({ calc_type_period: 'mean', calc_time: 1 + index }) } }),
		);
		const plan = planOf([...means, means[0] ?? expect.unreachable()]);
		expect(skippedIn(plan)).toEqual([{ index: 300, item: 'streams', needed: 1, left: 0 }]);
	});

	test('newest means over months count a stream for every 3 windows, which 40 series share, and at most 300', () => {
		const mean = (topic: string, months: number) =>
			makeVariable({
				varsTsdb: {
					Flow: makeQuery({
						...{ calc_topic: topic, calc_type_period: 'mean', calc_time: months, calc_unit: 'mo' },
						...{ calc_period: 1, calc_unit_period: 'mo' },
					}),
				},
			});
		const years = Array.from({ length: 8 }, (_, index) => mean('a', 120 - index));
		const sameTime = Array.from({ length: 39 }, (_, index) => mean(`b${index}`, 120));
		expect(skippedIn(planOf([...years, ...sameTime, mean('c', 120)]))).toEqual([
			{ index: 7, item: 'streams', needed: 39, left: 18 },
			{ index: 47, item: 'streams', needed: 41, left: 18 },
		]);
		expect(shortageOf(mean('a', 1200))).toBeNull();
		expect(skippedIn(planOf([mean('a', 1200), mean('a', 2)]))).toEqual([{ index: 1, item: 'streams', needed: 2, left: 0 }]);
	});

	test('skips a variable that is too large alone, also where another one reads its series', () => {
		const queries = Array.from({ length: 11 }, (_, index) => makeQuery({ calc_topic: `t${index}`, ...secondsOf(10_000) }));
		const parts = queries.slice(0, 9).map((query) => makeVariable({ type: 'history', varsTsdb: { Flow: query } }));
		const whole = {
			...formula(11, () => ({}), 'history'),
			varsTsdb: new Map(queries.map((query, index) => [`i${index}`, query])),
		};
		expect(shortageOf(whole)).toEqual({ item: 'windows', needed: 110_000, left: 100_000 });
		expect(skippedIn(planOf([...parts, whole]))).toEqual([{ index: 9, item: 'windows', needed: 110_000, left: 100_000 }]);
	});

	test('reads no series of a skipped variable, keeps within every limit, and skips only what does not fit', () => {
		const means = (count: number, first: number) =>
			formula(count, (index) => ({ calc_type_period: 'mean', calc_time: first + index, calc_unit_period: 'd' }));
		const shared = fc.integer({ min: 0, max: 5 }).map((topic) => ({ calc_topic: `t${topic}` }));
		const windows = fc.constantFrom(2, 900, 9000, 10_000);
		const variable = fc.oneof(
			shared.map(({ calc_topic }) => newest(calc_topic)),
			fc.tuple(shared, windows).map(([{ calc_topic }, count]) => history(calc_topic, count)),
			fc
				.record({ count: fc.integer({ min: 1, max: 128 }), first: fc.integer({ min: 1, max: 600 }) })
				.map(({ count, first }) => means(count, first)),
			fc
				.record({ count: fc.integer({ min: 1, max: 8 }), size: windows })
				.map(({ count, size }) => formula(count, (index) => ({ calc_topic: `t${index}`, ...secondsOf(size) }), 'history')),
		);
		const tooManyStreams = [1, 201, 401].map((first) => means(128, first));
		const tooManyWindows = Array.from({ length: 11 }, (_, index) => history(`t${index}`, 10_000));
		const skips = new Map<string, number>();
		fc.assert(
			fc.property(fc.array(variable, { minLength: 1, maxLength: 40 }), (batch) => {
				const plan = planOf(batch);
				const isNewest = batch.map(({ type, varsTsdb }) => type === 'last' && [...varsTsdb.values()].every(isLast));
				const order = [...batch.keys()].sort((a, b) => Number(isNewest[b]) - Number(isNewest[a]) || a - b);
				// The expected plan is computed from all series that are read so far, not from what is left.
				let read: SeriesKey[] = [];
				let total = 0;
				for (const index of order) {
					const { inputs, shortage } = plan.variables[index] ?? expect.unreachable();
					const together = distinct([...read, ...inputs.map(({ key }) => key)]);
					const added = together.slice(read.length).reduce((sum, key) => sum + windowsOf(key), 0);
					const cost = Math.max(added, 1, ...inputs.map(({ key }) => (key.read === 'history' ? windowsOf(key) : 1)));
					const item =
						total + cost > readLimits.windows
							? 'windows'
							: together.length > readLimits.series
								? 'series'
								: streamsOf(together) > readLimits.streams
									? 'streams'
									: undefined;
					expect(shortage?.item).toBe(item);
					if (item !== undefined) skips.set(item, (skips.get(item) ?? 0) + 1);
					else [read, total] = [together, total + cost];
				}
				expect(plan.keys).toEqual(read);
				for (const { inputs, shortage } of plan.variables)
					if (shortage === null)
						for (const { key, seriesId } of inputs) expect(plan.keys[plan.positions.get(seriesId) ?? -1]).toEqual(key);
			}),
			{ numRuns: 100, examples: [[tooManyStreams], [tooManyWindows]] },
		);
		expect([...skips.keys()].sort()).toEqual(['streams', 'windows']);
	});
});

const isLast = ({ calc_type_period }: Query): boolean => calc_type_period === 'last';

const windowsOf = (key: SeriesKey): number => (key.read === 'newest' ? 1 : windowCount(key.lookback, key.period));

const distinct = (keys: readonly SeriesKey[]): SeriesKey[] => [
	...new Map(keys.map((key) => [JSON.stringify(key), key])).values(),
];
