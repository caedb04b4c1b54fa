import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '#domain/errors.ts';
import { type HistoryAggregate, historyAggregates } from '#domain/history/history-aggregates.ts';
import { parseHistoryRequest } from '#domain/history/history-request.ts';
import type { DefinitionCache } from '#domain/reading/definition-cache.ts';
import { readHistory } from '#domain/use-cases/read-history.ts';
import { parseVariable, type Variable } from '#domain/variable/variable.ts';
import { makeBitsBody, makeBody, makeCalculatedBody, makeQuery, makeVariableRow } from '#test/support/builders/builders.ts';
import { makeSpanReader, type SpanSample } from '#test/support/fakes/fake-span-reader.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const now = Date.UTC(2026, 10, 21, 12);
const start = now - 4 * hourMs;
const hourly = { start, period: { count: 1, unit: 'h' } };

const simple = (id: number, topic: string, query = {}): Variable =>
	parseVariable(makeBody({ id, varsTsdb: { Flow: makeQuery({ calc_topic: topic, ...query }) } }));
const bits = (id: number, topic: string): Variable =>
	parseVariable(makeBitsBody({ id, varsTsdb: { Flow: makeQuery({ calc_topic: topic }) } }));
const formula = (id: number, text: string, queries: Readonly<Record<string, object>> = {}): Variable =>
	parseVariable(
		makeCalculatedBody(text, {
			id,
			varsTsdb: Object.fromEntries(
				Object.entries(queries).map(([name, query]) => [name, makeQuery({ calc_topic: name, ...query })]),
			),
		}),
	);

const definitionsOf = (variables: readonly Variable[]): DefinitionCache => ({
	get: async (_, ids) =>
		new Map(
			variables
				.filter(({ id }) => ids === 'all' || ids.includes(id))
				.map((variable) => [variable.id, makeVariableRow(variable.id, { variable })]),
		),
});

type Sources = Parameters<typeof makeSpanReader>[0];

const readAll = async (
	variables: readonly Variable[],
	sources: Sources,
	overrides: Readonly<Record<string, unknown>> = hourly,
) => {
	const { spans, calls } = makeSpanReader(sources);
	const body = { ids: variables.map(({ id }) => id), start, ...overrides };
	const deps = { definitions: definitionsOf(variables), spans, timeSeries: null };
	return { history: await readHistory(deps, 's', 'd', parseHistoryRequest(body, now)), calls };
};

/** The history of one variable over the windows of `overrides`. */
const readOne = async (variable: Variable, sources: Sources, overrides?: Readonly<Record<string, unknown>>) => {
	const { history } = await readAll([variable], sources, overrides);
	return history.variables[0] ?? expect.unreachable();
};

const valuesOf = ({ columns }: Awaited<ReturnType<typeof readOne>>) =>
	Object.fromEntries([...columns].map(([aggregate, { values }]) => [aggregate, values]));
const faultsOf = ({ columns }: Awaited<ReturnType<typeof readOne>>) =>
	Object.fromEntries([...columns].map(([aggregate, { faults }]) => [aggregate, [...faults]]));

const tooLarge = async (work: Promise<unknown>) => {
	const error = await work.then(
		() => expect.unreachable(),
		(thrown: unknown) => thrown,
	);
	if (!(error instanceof DomainError) || error.code !== 'too_large') throw error;
	return error.payload;
};

/** Two samples in the first hour, none in the second, one each in the third and fourth. */
const flow: readonly SpanSample[] = [
	[start, 1],
	[start + hourMs - 1, 3],
	[start + 2 * hourMs, 0],
	[now - 1, 5],
];

describe('the windows of a history', () => {
	test('are the same for all variables, and every window is there', async () => {
		const { history } = await readAll([simple(2, 'flow'), simple(1, 'none')], { flow });
		expect(history).toMatchObject({
			bounds: [start, start + hourMs, start + 2 * hourMs, start + 3 * hourMs, now],
			period: { count: 1, unit: 'h' },
			timeZone: 'UTC',
			dayStart: '00:00',
		});
		expect(history.variables.map((each) => valuesOf(each))).toEqual([
			{ own: [3, null, 0, 5] },
			{ own: [null, null, null, null] },
		]);
	});

	test('are cut at both ends of the range', async () => {
		const { history } = await readAll([simple(1, 'flow')], { flow }, { ...hourly, start: start + 1, end: now - hourMs - 1 });
		expect(history.bounds).toEqual([start + 1, start + hourMs, start + 2 * hourMs, now - hourMs - 1]);
		expect(history.variables.map((each) => valuesOf(each))).toEqual([{ own: [3, null, 0] }]);
	});

	test('follow the local days of a time zone, which begin at dayStart', async () => {
		const overrides = {
			start: '2026-03-28T05:00:00Z',
			end: '2026-03-30T04:00:00Z',
			period: { count: 1, unit: 'd' },
			timeZone: 'Europe/Madrid',
			dayStart: '06:00',
		};
		const { history } = await readAll([simple(1, 'flow')], {}, overrides);
		// The clock goes forward on 29 March: 06:00 is 05:00 UTC before, and 04:00 UTC after.
		expect(history.bounds).toEqual(
			['2026-03-28T05:00Z', '2026-03-29T04:00Z', '2026-03-30T04:00Z'].map((time) => Date.parse(time)),
		);
		expect(history).toMatchObject({ timeZone: 'Europe/Madrid', dayStart: '06:00' });
	});

	test('are at most as many as the points asked for, and no shorter than the shortest own period', async () => {
		const { history: fine } = await readAll([simple(1, 'flow'), simple(2, 'flow', { calc_period: 2 })], {}, { start });
		expect([fine.period, fine.bounds.length]).toEqual([{ count: 1, unit: 'm' }, 241]);
		const { history: coarse } = await readAll([simple(1, 'flow')], {}, { start, points: 20 });
		expect([coarse.period, coarse.bounds.length]).toEqual([{ count: 15, unit: 'm' }, 17]);
		const periods = { a: { calc_period: 1 }, b: { calc_period: 40 } };
		const { history: calculated } = await readAll([formula(1, 'a + b', periods)], {}, { start });
		expect(calculated.period).toEqual({ count: 1, unit: 'h' });
		const { history: unknown } = await readAll([], {}, { ids: [9], start: now - 100_000 });
		expect(unknown.period).toEqual({ count: 1, unit: 's' });
	});
});

describe('the history of a simple variable', () => {
	test('has every aggregate, a null where a window is empty, and 0 samples there', async () => {
		const history = await readOne(simple(1, 'flow'), { flow }, { ...hourly, aggregates: historyAggregates });
		expect(valuesOf(history)).toEqual({
			own: [3, null, 0, 5],
			mean: [2, null, 0, 5],
			min: [1, null, 0, 5],
			max: [3, null, 0, 5],
			first: [1, null, 0, 5],
			last: [3, null, 0, 5],
			count: [2, 0, 1, 1],
			coverage: [2 / 60, 0, 1 / 60, 1 / 60],
		});
		expect(history).toMatchObject({
			...{ id: 1, name: 'Flow', unit: 'L/s', quality: 'good', reason: null, unavailable: [] },
			...{ period: { count: 1, unit: 'm' }, aggregate: 'last' },
		});
	});

	test('has the columns in the order asked for, and its own period and aggregate', async () => {
		const variable = simple(1, 'flow', {
			calc_type_period: 'mean',
			calc_period: 2,
			calc_unit_period: 'h',
			calc_time: 1,
			calc_unit: 'd',
		});
		const history = await readOne(variable, { flow }, { ...hourly, aggregates: ['max', 'own', 'mean'] });
		expect([...history.columns.keys()]).toEqual(['max', 'own', 'mean']);
		expect(history).toMatchObject({ period: { count: 2, unit: 'h' }, aggregate: 'mean' });
		expect(valuesOf(history)['own']).toEqual([2, null, 0, 5]);
	});

	test('has no coverage where no own period begins, and none for months and years', async () => {
		const hours = simple(1, 'flow', { calc_period: 2, calc_unit_period: 'h', calc_time: 1, calc_unit: 'd' });
		const coverage = { ...hourly, aggregates: ['coverage'] };
		expect(valuesOf(await readOne(hours, { flow }, coverage))).toEqual({ coverage: [1, null, 1, null] });
		const months = simple(1, 'flow', { calc_period: 1, calc_unit_period: 'mo', calc_time: 1, calc_unit: 'y' });
		const history = await readOne(months, { flow }, coverage);
		expect(valuesOf(history)).toEqual({ coverage: [null, null, null, null] });
		expect(history).toMatchObject({ quality: 'good', unavailable: [] });
	});

	test('counts own periods for coverage up to the end of the range only', async () => {
		const quarter = simple(1, 'flow', { calc_period: 15 });
		const samples: SpanSample[] = [
			[start, 1],
			[start + 1, 1],
			[start + 16 * minuteMs, 1],
			[start + 50 * minuteMs, 1],
		];
		const overrides = {
			start,
			end: start + 50 * minuteMs + 1,
			period: { count: 30, unit: 'm' },
			aggregates: ['coverage', 'count'],
		};
		// The period from minute 45 to 60 has not ended, so the second window has one period, without a sample.
		expect(valuesOf(await readOne(quarter, { flow: samples }, overrides))).toEqual({ coverage: [1, 0], count: [3, 1] });
	});

	test('has no coverage in the last window where the range cuts its only own period, also with a sample', async () => {
		const quarter = simple(1, 'flow', { calc_period: 15 });
		const samples: SpanSample[] = [
			[start + 1, 1],
			[start + 46 * minuteMs, 1],
			[start + 61 * minuteMs, 1],
		];
		const overrides = {
			...{ start: start + minuteMs, end: start + 62 * minuteMs },
			...{ period: { count: 30, unit: 'm' }, aggregates: ['coverage', 'count'] },
		};
		// The first period is cut, too: of minutes 1 to 30 only the period from minute 15 counts.
		expect(valuesOf(await readOne(quarter, { flow: samples }, overrides))).toEqual({
			coverage: [0, 1 / 2, null],
			count: [0, 1, 1],
		});
	});

	test('names why a window with samples has no value', async () => {
		const samples: SpanSample[] = [...flow, [start + 2 * hourMs + 1, 7, 'other']];
		const history = await readOne(simple(1, 'flow'), { flow: samples }, { ...hourly, aggregates: ['max', 'count'] });
		expect(valuesOf(history)).toEqual({ max: [3, null, null, 5], count: [2, 0, null, 1] });
		expect(faultsOf(history)).toEqual({ max: [[2, 'several_series']], count: [[2, 'several_series']] });
		expect(history.quality).toBe('good');
	});
});

describe('the quality of a range', () => {
	const qualityOf = async (variable: Variable, sources: Sources, aggregates: readonly HistoryAggregate[] = ['own']) => {
		const { quality, reason } = await readOne(variable, sources, { ...hourly, aggregates });
		return [quality, reason?.code ?? null, reason?.inputs ?? []];
	};
	const variable = simple(1, 'flow');
	const several: SpanSample[] = [
		[start, 1],
		[start + 1, 1, 'other'],
	];
	const beyond: SpanSample[] = [[start, 9007199254740993n]];

	test('is good with any value, however old', async () => {
		expect(await qualityOf(variable, { flow: [[start, 0]] })).toEqual(['good', null, []]);
		expect(await qualityOf(variable, { flow: [...several, [now - 1, 1]] })).toEqual(['good', null, []]);
	});

	test('is no_data without a sample in the range', async () => {
		const samples: SpanSample[] = [
			[start - 1, 1],
			[now, 1],
		];
		for (const aggregates of [['own'], ['count'], ['coverage'], ['mean', 'count']] as const)
			expect(await qualityOf(variable, { flow: samples }, aggregates)).toEqual(['no_data', 'no_data', ['Flow']]);
	});

	test('is bad where no window with samples has a value', async () => {
		expect(await qualityOf(variable, { flow: several })).toEqual(['bad', 'several_series', ['Flow']]);
		expect(await qualityOf(variable, { flow: several }, ['count'])).toEqual(['bad', 'several_series', ['Flow']]);
		expect(await qualityOf(variable, { flow: beyond }, ['max', 'count'])).toEqual(['bad', 'precision', ['Flow']]);
		expect(await qualityOf(variable, { flow: beyond }, ['count'])).toEqual(['good', null, []]);
	});

	test('is bad with the newest fault', async () => {
		const samples: SpanSample[] = [...several, [start + hourMs, 9007199254740993n]];
		expect(await qualityOf(variable, { flow: samples })).toEqual(['bad', 'precision', ['Flow']]);
	});

	test.each(['not_numeric', 'type_changed'] as const)('is bad where the series cannot be read: %s', async (fault) => {
		const history = await readOne(variable, { flow: { fault } }, { ...hourly, aggregates: ['max', 'count', 'coverage'] });
		expect(history).toMatchObject({ quality: 'bad', reason: { code: fault, inputs: ['Flow'] } });
		const nulls = [null, null, null, null];
		expect(valuesOf(history)).toEqual({ max: nulls, count: nulls, coverage: nulls });
	});

	test('is missing_reference for an id without a variable, with null in every column asked for', async () => {
		const { history, calls } = await readAll(
			[simple(1, 'flow')],
			{ flow },
			{ ...hourly, ids: [9, 1, 0], aggregates: ['max', 'count'] },
		);
		expect(history.variables.map(({ id, quality }) => [id, quality])).toEqual([
			[9, 'missing_reference'],
			[1, 'good'],
			[0, 'missing_reference'],
		]);
		const missing = history.variables[0] ?? expect.unreachable();
		expect(missing).toMatchObject({ name: null, unit: null, period: null, aggregate: null, unavailable: [] });
		expect(missing.reason).toMatchObject({ code: 'missing_reference', inputs: [] });
		expect(valuesOf(missing)).toEqual({ max: [null, null, null, null], count: [null, null, null, null] });
		expect(calls).toHaveLength(1);
	});

	test('needs no read where no id has a variable', async () => {
		expect((await readAll([], {}, { ...hourly, ids: [9] })).calls).toEqual([]);
	});
});

describe('the history of a bit-compressed variable', () => {
	const status: SpanSample[] = [
		[start, 129],
		[start + hourMs, 256],
		[start + 2 * hourMs, 0.5],
		[start + 3 * hourMs, 255],
	];

	test('has bytes only: any other value is null with the fault not_a_byte', async () => {
		const history = await readOne(bits(1, 'status'), { status }, { ...hourly, aggregates: historyAggregates });
		const bytes = [129, null, null, 255];
		expect(valuesOf(history)).toEqual({
			...{ own: bytes, first: bytes, last: bytes, count: [1, 1, 1, 1] },
			coverage: [1 / 60, 1 / 60, 1 / 60, 1 / 60],
		});
		expect(history.unavailable).toEqual(['mean', 'min', 'max']);
		const faults = [
			[1, 'not_a_byte'],
			[2, 'not_a_byte'],
		];
		expect(faultsOf(history)).toEqual({ own: faults, first: faults, last: faults, count: [], coverage: [] });
		expect(history.quality).toBe('good');
	});

	test('is bad where no value is a byte', async () => {
		const history = await readOne(bits(1, 'status'), { status: [[start, 256]] });
		expect(history).toMatchObject({ quality: 'bad', reason: { code: 'not_a_byte', inputs: ['Flow'] } });
	});

	test('has a quality also where nothing that is asked for is available', async () => {
		const mean = { ...hourly, aggregates: ['mean', 'max'] };
		const history = await readOne(bits(1, 'status'), { status }, mean);
		expect(history).toMatchObject({ quality: 'good', unavailable: ['mean', 'max'] });
		expect(history.columns.size).toBe(0);
		expect(await readOne(bits(1, 'status'), {}, mean)).toMatchObject({ quality: 'no_data' });
		expect(await readOne(bits(1, 'status'), { status: [[start, -1]] }, mean)).toMatchObject({ quality: 'bad' });
	});
});

describe('the history of a calculated variable', () => {
	const a: readonly SpanSample[] = [
		[start, 1],
		[start + 1, 3],
		[start + hourMs, 10],
		[start + 2 * hourMs, 20],
	];
	const b: readonly SpanSample[] = [
		[start, 4],
		[start + 2 * hourMs, 0],
		[start + 3 * hourMs, 5],
	];
	const queries = { a: { calc_type_period: 'mean' }, b: {} };

	test('is the formula over its inputs’ own aggregates in each window; a missing input makes it null', async () => {
		const history = await readOne(formula(1, 'a + b', queries), { a, b });
		expect(valuesOf(history)).toEqual({ own: [6, null, 20, null] });
		expect(faultsOf(history)).toEqual({ own: [] });
		expect(history).toMatchObject({ name: 'Formula', quality: 'good', period: { count: 1, unit: 'm' }, aggregate: null });
	});

	test('has its own aggregate only', async () => {
		const history = await readOne(formula(1, 'a + b', queries), { a, b }, { ...hourly, aggregates: historyAggregates });
		expect([...history.columns.keys()]).toEqual(['own']);
		expect(history.unavailable).toEqual(historyAggregates.filter((aggregate) => aggregate !== 'own'));
		const other = await readOne(formula(1, 'a + b', queries), { a, b }, { ...hourly, aggregates: ['max'] });
		expect([other.columns.size, other.quality, other.unavailable]).toEqual([0, 'good', ['max']]);
	});

	test('has the faults of the formula and of its inputs', async () => {
		const history = await readOne(formula(1, 'a / b', queries), { a, b: [...b, [start + 1, 1, 'other']] });
		expect(valuesOf(history)).toEqual({ own: [null, null, null, null] });
		expect(faultsOf(history)).toEqual({
			own: [
				[0, 'several_series'],
				[2, 'division_by_zero'],
			],
		});
		expect(history).toMatchObject({ quality: 'bad', reason: { code: 'division_by_zero', inputs: ['b'] } });
	});

	test('does not count an input that the formula does not need: in a window its gap, in all of them its fault', async () => {
		const branch = formula(1, 'if ( a < 10 , 7 , b )', queries);
		const faulted = await readOne(branch, { a, b: [[start, 'text']] });
		expect(valuesOf(faulted)).toEqual({ own: [7, null, null, null] });
		expect(faultsOf(faulted)).toEqual({ own: [] });
		expect(faulted.quality).toBe('good');
	});

	test('is bad where an input cannot be read, and names every such input', async () => {
		const history = await readOne(formula(1, 'a + b + c', { ...queries, c: {} }), {
			a: { fault: 'not_numeric' },
			b,
			c: { fault: 'type_changed' },
		});
		expect(history).toMatchObject({ quality: 'bad', reason: { code: 'not_numeric', inputs: ['a', 'c'] } });
		expect(valuesOf(history)).toEqual({ own: [null, null, null, null] });
	});

	test('is no_data where an input has no sample, or no window has a sample of every input', async () => {
		expect(await readOne(formula(1, 'a + b', queries), { a })).toMatchObject({
			...{ quality: 'no_data', reason: { code: 'no_data', inputs: ['b'] } },
		});
		const apart = { a: [[start, 1]], b: [[now - 1, 1]] } as const;
		expect(await readOne(formula(1, 'a + b', queries), apart)).toMatchObject({
			quality: 'no_data',
			reason: { inputs: ['a', 'b'] },
		});
	});

	test('of a formula without variables is its constant in every window', async () => {
		const history = await readOne(formula(1, '2 * 3'), {});
		expect(history).toMatchObject({ quality: 'good', reason: null, period: null });
		expect(valuesOf(history)).toEqual({ own: [6, 6, 6, 6] });
	});

	test('has the longest period of its inputs', async () => {
		const periods = { a: { calc_period: 2 }, b: { calc_period: 90, calc_unit_period: 's' } };
		expect((await readOne(formula(1, 'a + b', periods), {})).period).toEqual({ count: 2, unit: 'm' });
	});
});

describe('reading', () => {
	test('reads equal spans of several variables once, all in one call', async () => {
		const variables = [
			simple(1, 'flow'),
			simple(2, 'flow'),
			simple(3, 'flow', { calc_type_period: 'mean' }),
			formula(4, 'flow * 2', { flow: {} }),
		];
		const { history, calls } = await readAll(variables, { flow });
		expect(calls.map(({ database, keys }) => [database, keys.map(({ topic, aggregates }) => [topic, aggregates])])).toEqual([
			[
				'd',
				[
					['flow', ['last']],
					['flow', ['mean']],
				],
			],
		]);
		expect(new Set(calls[0]?.keys.map(({ bounds }) => bounds)).size).toBe(1);
		expect(history.variables.map((each) => valuesOf(each)['own']?.[0])).toEqual([3, 3, 2, 6]);
	});

	test('asks for slots of the own period only where coverage is asked for', async () => {
		const { calls } = await readAll([simple(1, 'flow'), bits(2, 'status')], {}, { ...hourly, aggregates: ['coverage', 'own'] });
		expect(calls[0]?.keys).toMatchObject([
			{ topic: 'flow', aggregates: ['last', 'slots'], slotMs: minuteMs },
			{ topic: 'status', aggregates: ['last', 'slots'], slotMs: minuteMs },
		]);
		expect((await readAll([simple(1, 'flow')], {})).calls[0]?.keys[0]).not.toHaveProperty('slotMs');
	});

	test('a window with samples has a value or a fault in every column of values, for any samples', async () => {
		const sample = fc.tuple(
			fc.integer({ min: start - hourMs, max: now + hourMs }),
			fc.oneof(fc.integer({ min: -300, max: 300 }), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(2n ** 60n)),
			fc.constantFrom('one', 'two'),
		);
		const floats = fc.array(sample, { maxLength: 12 });
		const variables = [simple(1, 'a'), bits(2, 'a'), formula(3, 'a / b', { a: { calc_type_period: 'mean' }, b: {} })];
		let valued = 0;
		await fc.assert(
			fc.asyncProperty(floats, floats, async (a, b) => {
				const { history } = await readAll(variables, { a, b }, { ...hourly, aggregates: historyAggregates });
				for (const { quality, columns } of history.variables) {
					const count = columns.get('count');
					let values = 0;
					for (const [aggregate, column] of columns) {
						expect(column.values).toHaveLength(4);
						for (const [index, value] of column.values.entries()) {
							if (value !== null) expect(Number.isFinite(value)).toBe(true);
							if (value !== null) expect(column.faults.has(index)).toBe(false);
							if (aggregate === 'count' || aggregate === 'coverage') continue;
							if (value !== null) values += 1;
							if (count !== undefined && count.values[index] === 0) expect(value ?? column.faults.get(index)).toBeUndefined();
							else if (count !== undefined) expect(value === null).toBe(column.faults.has(index));
						}
					}
					expect(quality === 'good').toBe(values > 0);
					valued += values;
				}
			}),
			{ numRuns: 300 },
		);
		expect(valued).toBeGreaterThan(1000);
	});
});

describe('limits', () => {
	const ids = (count: number): readonly Variable[] => Array.from({ length: count }, (_, index) => simple(index + 1, 'flow'));
	const seconds = (windows: number, aggregates: readonly string[] = ['own']) => ({
		...{ start: now - windows * 1000, period: { count: 1, unit: 's' }, aggregates },
	});

	test('100,000 values are read, and one window more is refused before anything is read', async () => {
		const { history } = await readAll(ids(1), {}, seconds(100_000));
		expect(history.bounds).toHaveLength(100_001);
		const { spans, calls } = makeSpanReader();
		const request = parseHistoryRequest({ ids: [1], ...seconds(100_001) }, now);
		expect(
			await tooLarge(readHistory({ definitions: definitionsOf(ids(1)), spans, timeSeries: null }, 's', 'd', request)),
		).toMatchObject({
			...{ field: 'request', actual: 100_001, limit: 100_000 },
		});
		expect(calls).toEqual([]);
	});

	test('values are windows x ids x aggregates, also of ids without a variable', async () => {
		const aggregates = ['own', 'max', 'min', 'count'];
		expect((await readAll(ids(5), {}, seconds(5000, aggregates))).history.variables).toHaveLength(5);
		expect(await tooLarge(readAll(ids(5), {}, seconds(5001, aggregates)))).toMatchObject({ actual: 100_020 });
		expect(await tooLarge(readAll([], {}, { ...seconds(50_001), ids: [8, 9] }))).toMatchObject({ actual: 100_002 });
	});

	test('a range with more windows than memory holds is refused without making them', async () => {
		const request = { start: now - 3650 * dayMs, period: { count: 1, unit: 'ms' }, timeZone: 'Europe/Madrid' };
		expect(await tooLarge(readAll(ids(1), {}, request))).toMatchObject({ actual: 3650 * dayMs });
	});

	test('2,000,000 own periods are looked through for coverage, and no more', async () => {
		const range = (minutes: number) => ({
			start: now - minutes * minuteMs,
			period: { count: 1, unit: 'mo' },
			aggregates: ['coverage'],
		});
		expect((await readAll(ids(2), {}, range(1_000_000))).history.variables).toHaveLength(2);
		expect(await tooLarge(readAll(ids(2), {}, range(1_000_001)))).toMatchObject({ actual: 2_000_002, limit: 2_000_000 });
		const without = { ...range(1_000_001), aggregates: ['own'] };
		expect((await readAll(ids(2), {}, without)).history.variables).toHaveLength(2);
		const calculated = [...ids(1), formula(9, 'a', { a: {} })];
		expect((await readAll(calculated, {}, range(1_000_001))).history.variables).toHaveLength(2);
	});

	test('500,000 values are read for the inputs of calculated variables, and no more', async () => {
		const names = Array.from({ length: 10 }, (_, index) => `v${index}`);
		const variable = formula(1, names.join(' + '), Object.fromEntries(names.map((name) => [name, {}])));
		expect((await readAll([variable], {}, seconds(50_000))).history.variables).toHaveLength(1);
		expect(await tooLarge(readAll([variable], {}, seconds(50_001)))).toMatchObject({ actual: 500_010, limit: 500_000 });
	});
});
