import { describe, expect, test } from 'vitest';
import { observe } from '#domain/alarm/observe.ts';
import { observedInputsOf, type PieceSeries, readPiece } from '#domain/alarm/piece.ts';
import { emptySeries } from '#domain/ports/time-series.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { makeBitsBody, makeBody, makeCalculatedBody, makeQuery } from '#test/support/builders/builders.ts';
import { makeSeries } from '#test/support/fakes/fake-time-series.ts';
import { makeSampledTimeSeries } from '#test/support/fakes/sampled-time-series.ts';

const start = 1_764_000_000_000;
const at = (seconds: number) => start + seconds * 1000;
const piece = { from: at(0), to: at(60), stepMs: 1000 };
const flow = parseVariable(makeBody({ varsTsdb: { Flow: makeQuery({ calc_time: 20, calc_unit: 's', calc_period: 1 }) } }));

/** The observations as `[seconds, value or quality]`. */
const observed = (reads: PieceSeries, variable = flow, bit?: number) =>
	[...observe({ bit }, variable, () => reads, piece)].map((each) => [
		(each.at - start) / 1000,
		each.value ?? `${each.quality} ${each.inputs}`,
	]);

const newest = (seconds: number, value: number) => makeSeries([[at(seconds), value]]);

describe('observe', () => {
	test('sees the newest sample at the start, and each sample at the end of its second until its lookback', () => {
		const history = makeSeries([
			[at(10), 2],
			[at(40), 0],
		]);
		expect(observed({ newest: newest(-1.5, 1), history })).toEqual([
			[0, 1],
			[10, 2],
			[30, 'no_data Flow'],
			[40, 0],
			[60, 'no_data Flow'],
		]);
	});

	test('knows a sample for its lookback from the end of its second', () => {
		expect(observed({ newest: newest(-20, 1), history: emptySeries })).toEqual([
			[0, 1],
			[1, 'no_data Flow'],
		]);
	});

	test('knows a faulted sample, which is not usable', () => {
		const history = makeSeries([
			[at(1), 'several_series'],
			[at(2), 5],
		]);
		expect(observed({ newest: emptySeries, history })).toEqual([
			[0, 'no_data Flow'],
			[1, 'bad Flow'],
			[2, 5],
			[22, 'no_data Flow'],
		]);
	});

	test('is not usable to the end of the piece where the series cannot be read', () => {
		expect(observed({ newest: newest(-1, 1), history: { fault: 'type_changed' } })).toEqual([
			[0, 1],
			[1, 'bad Flow'],
		]);
	});

	test('is not usable at the start where the newest sample cannot be read', () => {
		const history = makeSeries([[at(3), 4]]);
		expect(observed({ newest: { fault: 'not_numeric' }, history })).toEqual([
			[0, 'bad Flow'],
			[3, 4],
			[23, 'no_data Flow'],
		]);
	});

	test('takes a bit of a byte, and refuses what is no byte', () => {
		const bits = parseVariable(makeBitsBody());
		const history = makeSeries([
			[at(1), 128],
			[at(2), 256],
		]);
		expect(observed({ newest: newest(-1, 127), history }, bits, 7)).toEqual([
			[0, 0],
			[1, 1],
			[2, 'bad Flow'],
		]);
	});

	test('has no bit of a variable that is not bit-compressed', () => {
		expect(observed({ newest: newest(-1, 1), history: emptySeries }, flow, 0)[0]).toEqual([0, 'bad Flow']);
		const formula = parseVariable(makeCalculatedBody('a + 1'));
		expect(observed({ newest: newest(-1, 1), history: emptySeries }, formula, 0)[0]).toEqual([0, 'bad a']);
	});

	test('names the inputs of a division by zero', () => {
		const formula = parseVariable(makeCalculatedBody('a / b'));
		const reads = { a: newest(-1, 1), b: newest(-1, 0) };
		const [first] = observe(
			{},
			formula,
			({ name }) => ({ newest: name === 'a' ? reads.a : reads.b, history: emptySeries }),
			piece,
		);
		expect(first).toMatchObject({ value: null, quality: 'bad', inputs: ['b'] });
	});

	test('takes the time of the oldest input', () => {
		const formula = parseVariable(makeCalculatedBody('a + b'));
		const reads = { a: newest(-2.5, 1), b: newest(-9, 2) };
		const [first] = observe(
			{},
			formula,
			({ name }) => ({ newest: name === 'a' ? reads.a : reads.b, history: emptySeries }),
			piece,
		);
		expect(first).toMatchObject({ value: 3, sampledAt: at(-8), inputs: ['b'] });
	});
});

describe('readPiece', () => {
	test('reads each distinct series once, in two calls', async () => {
		const { timeSeries, calls } = makeSampledTimeSeries(new Map());
		const inputs = [...observedInputsOf(flow), ...observedInputsOf(flow)];
		await readPiece(timeSeries, 'series', inputs, piece);
		const series = { topic: 'plant/flow', field: 'value' };
		expect(calls).toEqual([
			{ database: 'series', now: at(0), keys: [{ read: 'newest', ...series, lookback: { ms: 20_000 }, bySource: true }] },
			{
				database: 'series',
				now: at(60),
				keys: [{ read: 'history', ...series, lookback: { ms: 60_000 }, period: { ms: 1000 }, aggregate: 'last', bySource: true }],
			},
		]);
	});

	test('reads nothing for a formula without variables', async () => {
		const { timeSeries, calls } = makeSampledTimeSeries(new Map());
		await readPiece(timeSeries, 'series', observedInputsOf(parseVariable(makeCalculatedBody('1 + 1'))), piece);
		expect(calls).toEqual([]);
	});

	test('needs only the inputs of the branch that a formula takes', () => {
		const query = makeQuery({ calc_time: 20, calc_unit: 's', calc_period: 1 });
		const variable = parseVariable(
			makeCalculatedBody('if ( a = 0 , 7 , b )', {
				varsTsdb: { a: { ...query, calc_topic: 'a' }, b: { ...query, calc_topic: 'b' } },
			}),
		);
		const a = {
			newest: newest(-1.5, 0),
			history: makeSeries([
				[at(10), 1],
				[at(40), 0],
			]),
		};
		const reads = ({ name }: { readonly name: string }) =>
			name === 'a' ? a : { newest: makeSeries([]), history: makeSeries([[at(15), 3]]) };
		expect(
			[...observe({}, variable, reads, piece)].map((each) => [
				(each.at - start) / 1000,
				each.value ?? `${each.quality} ${each.inputs}`,
			]),
		).toEqual([
			[0, 7],
			[10, 'no_data b'],
			[15, 3],
			[30, 'no_data a'],
			[35, 'no_data a'],
			[40, 7],
			[60, 'no_data a'],
		]);
	});

	test('takes a lookback in months as 31 days each, and rounds up to seconds', () => {
		const lookbackMs = (calc_time: number, calc_unit: 'mo' | 'ms') =>
			observedInputsOf(
				parseVariable(
					makeBody({ varsTsdb: { Flow: makeQuery({ calc_time, calc_unit, calc_period: 1, calc_unit_period: 'd' }) } }),
				),
			)[0]?.lookbackMs;
		expect(lookbackMs(2, 'mo')).toBe(62 * 86_400_000);
		expect(lookbackMs(1001, 'ms')).toBe(2000);
		expect(lookbackMs(1000, 'ms')).toBe(1000);
	});

	test('refuses a piece that is not made of whole steps', async () => {
		const { timeSeries } = makeSampledTimeSeries(new Map());
		await expect(readPiece(timeSeries, 'series', [], { ...piece, to: at(60) + 1 })).rejects.toThrow(RangeError);
	});
});
