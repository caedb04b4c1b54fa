import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '#domain/errors.ts';
import type { SeriesResult } from '#domain/ports/time-series.ts';
import type { DefinitionCache } from '#domain/reading/definition-cache.ts';
import { readNow } from '#domain/reading/read-now.ts';
import type { Reading } from '#domain/reading/reading.ts';
import { parseIds, readVariables } from '#domain/use-cases/read-variables.ts';
import { parseVariable, type Variable } from '#domain/variable/variable.ts';
import {
	makeBitsBody,
	makeBody,
	makeCalculatedBody,
	makeQuery,
	makeVariable,
	makeVariableRow,
} from '#test/support/builders/builders.ts';
import { makeSeries, makeTimeSeries, type SeriesPoint } from '#test/support/fakes/fake-time-series.ts';
import { issuesOf } from '#test/support/validation-issues.ts';
import vectors from '#test/vectors/readings.json' with { type: 'json' };

const now = 1_000_000;

interface Vector {
	reason: string;
	variable: { kind: string; formula?: string; query?: object; overrides?: object };
	series: Record<string, { points?: SeriesPoint[]; newestAt?: number; fault?: 'not_numeric' | 'type_changed' }>;
	expect: {
		quality: string;
		value?: number | null;
		time?: number | null;
		series?: [number, number | null][];
		bits?: (0 | 1 | null)[];
		inputTimes?: [number | null, number | null];
		reason: { code: string; inputs: string[] } | null;
	};
}

const bodyOf = ({ kind, formula, query, overrides }: Vector['variable']): Record<string, unknown> => {
	if (kind === 'calculated') return makeCalculatedBody(formula ?? '', { ...overrides });
	const varsTsdb = query === undefined ? {} : { varsTsdb: { Flow: makeQuery(query) } };
	return (kind === 'bits' ? makeBitsBody : makeBody)({ ...varsTsdb, ...overrides });
};

const seriesOf = (series: Vector['series']): Map<string, SeriesResult> =>
	new Map(
		Object.entries(series).map(([topic, { points = [], newestAt, fault }]) => [
			topic,
			fault === undefined ? makeSeries(points, newestAt) : { fault },
		]),
	);

describe('parseIds', () => {
	test('returns the ids in their order, or all', () => {
		expect(parseIds({ ids: [3, 0, 3], other: 1 })).toEqual([3, 0, 3]);
		expect(parseIds({ ids: [] })).toEqual([]);
		expect(parseIds({})).toBe('all');
		expect(parseIds({ ids: Array(2000).fill(1) })).toHaveLength(2000);
	});

	test('reports each wrong id, and counts ids before it looks at them', () => {
		expect(Object.keys(issuesOf(() => parseIds({ ids: [1, 'x', 2, -1] })))).toEqual(['ids.1', 'ids.3']);
		expect(() => parseIds({ ids: Array(2001).fill('x') })).toThrow(
			new DomainError('too_large', { field: 'ids', counted: 'ids', actual: 2001, limit: 2000 }),
		);
	});
});

describe('readings', () => {
	test.each(vectors as unknown as Vector[])('$reason', async ({ variable, series, expect: expected }) => {
		const { timeSeries } = makeTimeSeries(seriesOf(series));
		const [reading] = await readNow(timeSeries, { database: 'd', now }, [parseVariable(bodyOf(variable))]);
		const { quality, content, reason, bits, inputTimes } = reading ?? expect.unreachable();
		expect(quality).toBe(expected.quality);
		expect(content).toEqual(
			expected.series === undefined
				? { type: 'last', value: expected.value, time: expected.time }
				: { type: 'history', series: expected.series },
		);
		expect(reason === null ? null : { code: reason.code, inputs: reason.inputs }).toEqual(expected.reason);
		expect(bits?.map(({ value }) => value)).toEqual(expected.bits);
		expect(inputTimes === null ? undefined : [inputTimes.oldest, inputTimes.newest]).toEqual(expected.inputTimes);
		if (reason !== null) expect(reason.message).toMatch(/^[A-Z].*\.$/);
	});

	const definitionsOf = (variables: readonly Variable[]): DefinitionCache => ({
		get: async (_, ids) =>
			new Map(
				variables
					.filter(({ id }) => ids === 'all' || ids.includes(id))
					.map((variable) => [variable.id, makeVariableRow(variable.id, { variable })]),
			),
	});
	const variables = [3, 1, 2].map((id) =>
		makeVariable({ id, name: `V${id}`, varsTsdb: { [`V${id}`]: makeQuery({ calc_topic: `t${id}` }) } }),
	);

	test('returns readings in the order of the ids, also of unknown and repeated ids', async () => {
		const { timeSeries } = makeTimeSeries(new Map([['t2', makeSeries([[now - 1, 5]])]]));
		const deps = { definitions: definitionsOf(variables), timeSeries };
		const readings = await readVariables(deps, 's', { database: 'd', now }, [2, 99, 0, 1, 2]);
		expect(readings.map(({ id, quality, name }) => [id, quality, name])).toEqual([
			[2, 'good', 'V2'],
			[99, 'missing_reference', null],
			[0, 'missing_reference', null],
			[1, 'no_data', 'V1'],
			[2, 'good', 'V2'],
		]);
	});

	test('returns all variables by ascending id', async () => {
		const { timeSeries, calls } = makeTimeSeries(new Map());
		const readings = await readVariables(
			{ definitions: definitionsOf(variables), timeSeries },
			's',
			{ database: 'd', now },
			'all',
		);
		expect(readings.map(({ id }) => id)).toEqual([1, 2, 3]);
		expect(calls).toMatchObject([{ database: 'd', now }]);
	});

	test('reads a shared series once, and all series in one read', async () => {
		const { timeSeries, calls } = makeTimeSeries(new Map());
		const same = makeQuery({ calc_topic: 'shared' });
		const sharing = ['A', 'B'].map((name) => makeVariable({ name, varsTsdb: { [name]: same } }));
		const otherPeriod = makeVariable({ name: 'C', varsTsdb: { C: { ...same, calc_period: 5 } } });
		const otherLookback = makeVariable({ name: 'D', varsTsdb: { D: { ...same, calc_time: 11 } } });
		const mean = makeVariable({ name: 'E', varsTsdb: { E: { ...same, calc_type_period: 'mean' } } });
		await readNow(timeSeries, { database: 'd', now }, [...sharing, otherPeriod, otherLookback, mean]);
		expect(calls).toHaveLength(1);
		expect(calls[0]?.keys.map(({ read, lookback }) => [read, lookback.ms])).toEqual([
			['newest', 600_000],
			['newest', 660_000],
			['trailing', 600_000],
		]);
	});

	test('reads the inputs of a calculated history over the longest lookback with the longest period', async () => {
		const { timeSeries, calls } = makeTimeSeries(new Map());
		const body = makeCalculatedBody('a + b + c', { type: 'history' });
		const varsTsdb = {
			a: makeQuery({ calc_time: 1, calc_unit: 'mo', calc_period: 1, calc_unit_period: 'h' }),
			b: makeQuery({ calc_time: 30, calc_unit: 'd', calc_period: 1, calc_unit_period: 'd', calc_type_period: 'mean' }),
			c: makeQuery({ calc_time: 1, calc_unit: 'd', calc_period: 1, calc_unit_period: 'm' }),
		};
		await readNow(timeSeries, { database: 'd', now }, [parseVariable({ ...body, varsTsdb })]);
		const month = { ms: 31 * 86_400_000, months: 1 };
		expect(calls[0]?.keys).toEqual([
			{ read: 'history', topic: 'plant/flow', field: 'value', lookback: month, period: { ms: 86_400_000 }, aggregate: 'last' },
			{ read: 'history', topic: 'plant/flow', field: 'value', lookback: month, period: { ms: 86_400_000 }, aggregate: 'mean' },
		]);
	});

	const history = (windows: number, name: string): Variable =>
		makeVariable({
			name,
			type: 'history',
			varsTsdb: {
				[name]: makeQuery({ calc_topic: name, calc_time: windows - 1, calc_unit: 's', calc_period: 1, calc_unit_period: 's' }),
			},
		});

	const skippedOf = (readings: readonly Reading[]) =>
		readings.flatMap(({ quality, reason }, index) => (quality === 'skipped' ? [[index, reason?.code, reason?.message]] : []));

	test('reads 100,000 windows, and skips a history beyond them', async () => {
		const { timeSeries, calls } = makeTimeSeries(new Map());
		const ten = Array.from({ length: 10 }, (_, index) => history(10_000, `h${index}`));
		expect(skippedOf(await readNow(timeSeries, { database: 'd', now }, ten))).toEqual([]);
		const readings = await readNow(timeSeries, { database: 'd', now }, [...ten, makeVariable({ name: 'one more' })]);
		expect(skippedOf(readings)).toEqual([
			[9, 'too_many_windows', 'Needs 10,000 of 100,000 windows, 9,999 were left: ask for it in another request.'],
		]);
		expect(calls.map(({ keys }) => keys.length)).toEqual([10, 10]);
		expect(calls[1]?.keys.map(({ topic }) => topic)).not.toContain('h9');
	});

	test('counts the windows to answer, not only the windows to read', async () => {
		const { timeSeries, calls } = makeTimeSeries(new Map());
		const same = Array.from({ length: 11 }, () => history(10_000, 'h'));
		expect(skippedOf(await readNow(timeSeries, { database: 'd', now }, same))).toMatchObject([
			[10, 'too_many_windows', expect.stringContaining(', 0 were left')],
		]);
		expect(calls[0]?.keys).toHaveLength(1);
	});

	test('skips the second reading of an id when both do not fit', async () => {
		const variable = { ...history(10_000, 'h'), id: 7 };
		const deps = { definitions: definitionsOf([variable]), timeSeries: makeTimeSeries(new Map()).timeSeries };
		const readings = await readVariables(deps, 's', { database: 'd', now }, [...Array(11).fill(7), 8]);
		expect(readings.map(({ quality }) => quality)).toEqual([...Array(10).fill('no_data'), 'skipped', 'missing_reference']);
	});

	test('a skipped reading has the fields of its type without values', async () => {
		const topics = ['h', ...Array.from({ length: 100 }, (_, index) => `f${index}`)];
		const tooLarge = parseVariable({ ...makeCalculatedBody('a + b', { type: 'history' }), id: 5 });
		const long = makeQuery({ calc_time: 9999, calc_unit: 's', calc_period: 1, calc_unit_period: 's' });
		const varsTsdb = Object.fromEntries(topics.map((topic) => [topic, { ...long, calc_topic: topic }]));
		const formula = { ...tooLarge, varsTsdb: new Map(Object.entries(varsTsdb)) };
		const bits = parseVariable({ ...makeBitsBody({ type: 'history', varsTsdb: { Flow: long } }), id: 6 });
		const ten = Array.from({ length: 10 }, (_, index) => history(10_000, `g${index}`));
		const readings = await readNow(makeTimeSeries(new Map()).timeSeries, { database: 'd', now }, [formula, ...ten, bits]);
		expect(readings[0]).toEqual({
			...{ id: 5, name: 'Formula', unit: 'L/s', type: 'history', quality: 'skipped', bits: null },
			content: { type: 'history', series: [] },
			inputTimes: { oldest: null, newest: null },
			reason: {
				code: 'too_many_windows',
				message: 'Its queries take 1,010,000 windows together, at most 100,000: take longer periods or shorter times.',
				inputs: [],
			},
		});
		expect(readings[11]).toMatchObject({
			...{ id: 6, quality: 'skipped', content: { type: 'history', series: [] }, inputTimes: null },
			bits: [
				{ id: 1, name: 'Pump 1', bit: 0, value: null },
				{ id: 2, name: 'Alarm', bit: 7, value: null },
			],
		});
	});

	test('accepts 2,000 ids and rejects 2,001', async () => {
		const deps = { definitions: definitionsOf([]), timeSeries: makeTimeSeries(new Map()).timeSeries };
		const ids = Array.from({ length: 2001 }, (_, index) => index + 1);
		expect(await readVariables(deps, 's', { database: 'd', now }, ids.slice(1))).toHaveLength(2000);
		await expect(readVariables(deps, 's', { database: 'd', now }, ids)).rejects.toMatchObject({ code: 'too_large' });
	});

	test('reads 2,000 of all variables, newest values first, and skips the others', async () => {
		const { timeSeries, calls } = makeTimeSeries(new Map());
		const histories = [1, 2].map((id) => ({ ...history(10, `h${id}`), id }));
		const newest = Array.from({ length: 1999 }, (_, index) => ({ ...makeVariable({ name: `V${index}` }), id: index + 3 }));
		const definitions = definitionsOf([...histories, ...newest]);
		const readings = await readVariables({ definitions, timeSeries }, 's', { database: 'd', now }, 'all');
		expect(readings).toHaveLength(2001);
		expect(skippedOf(readings)).toEqual([
			[1, 'too_many_variables', 'Needs 1 of 2,000 variables, 0 were left: ask for it in another request.'],
		]);
		expect(calls[0]?.keys.map(({ topic }) => topic)).toEqual(['plant/flow', 'h1']);
	});

	test('returns finite numbers only, and a reason when there is none', async () => {
		const number = fc.double({ noNaN: true, noDefaultInfinity: true });
		const points = fc.array(
			fc.tuple(fc.integer({ min: 1, max: 9 }), fc.oneof(number, fc.constant(0), fc.constant('precision' as const))),
		);
		const series = points.map((samples) => {
			const byTime = new Map(samples.map(([step, value]) => [step * 100_000, value]));
			return makeSeries([...byTime].sort(([a], [b]) => a - b));
		});
		const result = fc.oneof(
			{ weight: 5, arbitrary: series },
			{ weight: 1, arbitrary: fc.constant({ fault: 'type_changed' as const }) },
		);
		await fc.assert(
			fc.asyncProperty(result, result, fc.constantFrom('last', 'history'), async (a, b, type) => {
				const { timeSeries } = makeTimeSeries(
					new Map<string, SeriesResult>([
						['plant/a', a],
						['plant/b', b],
					]),
				);
				const variable = parseVariable(makeCalculatedBody('a / ( b - 1 ) * a', { type }));
				const [reading] = await readNow(timeSeries, { database: 'd', now }, [variable]);
				const { content, quality, reason } = reading ?? expect.unreachable();
				const values = content.type === 'last' ? [content.value] : content.series.map(([, value]) => value);
				for (const value of values) expect(value === null || Number.isFinite(value)).toBe(true);
				expect(reason === null).toBe(quality === 'good');
				const isUsable = quality === 'good' || quality === 'stale';
				if (type === 'last') expect(values.at(-1) !== null).toBe(isUsable);
				else if (isUsable) expect(values.some((value) => value !== null)).toBe(true);
			}),
			{ numRuns: 500 },
		);
	});
});
