import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boardOf, parseBoard } from '#domain/board/board.ts';
import { parseFormula } from '#domain/equation/formula-text.ts';
import type { SampleKey, SamplesResult } from '#domain/ports/sample-reader.ts';
import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { parseTotalsRequest } from '#domain/totals/totals-request.ts';
import { readTotals } from '#domain/use-cases/read-totals.ts';
import { saveCorrection } from '#domain/use-cases/save-correction.ts';
import { saveVariable } from '#domain/use-cases/save-variable.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { makeBody, makeCalculatedBody, makeQuery } from '#test/support/builders/builders.ts';
import { tokensOf } from '#test/support/builders/equations.ts';
import { saveSmallSchema } from '#test/support/builders/small-schema.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const now = Date.UTC(2026, 10, 23, 12);
const start = now - dayMs;

type Sample = readonly [time: number, value: number];

/** A schema with variables on the topics `a` and `b`, and a reader of their samples that records its calls. */
const open = async (
	byTopic: Readonly<Record<string, readonly Sample[]>>,
	countOf = (key: SampleKey) => byTopic[key.topic]?.length ?? 0,
	maxSamples = Number.POSITIVE_INFINITY,
	texts: readonly string[] = [],
) => {
	const small = await saveSmallSchema();
	const save = async (body: Record<string, unknown>) => (await saveVariable(small, 's', parseVariable(body))).variable.id;
	const simple = (topic: string) => save(makeBody({ varsTsdb: { Flow: makeQuery({ calc_topic: topic }) } }));
	const ids = {
		a: await simple('a'),
		b: await simple('b'),
		sum: await save(
			makeCalculatedBody('a + b', { varsTsdb: { a: makeQuery({ calc_topic: 'a' }), b: makeQuery({ calc_topic: 'b' }) } }),
		),
	};
	const calls: { name: string; keys: readonly SampleKey[] }[] = [];
	const samples = {
		countSamples: async (_: string, keys: readonly SampleKey[]) => {
			calls.push({ name: 'count', keys });
			return keys.map(countOf);
		},
		maxSamples: () => maxSamples,
		readSamples: async (_: string, keys: readonly SampleKey[]) => {
			calls.push({ name: 'read', keys });
			return keys.map((key): SamplesResult => {
				if (texts.includes(key.topic)) return { fault: 'not_numeric' };
				const all = (byTopic[key.topic] ?? []).toSorted(([a], [b]) => a - b);
				const { from, to, baseFrom = from } = key;
				const base = all.filter(([time]) => time >= baseFrom && time < from).slice(-1);
				const own = [...base, ...all.filter(([time]) => time >= from && time <= to)];
				const times = Float64Array.from(own, ([time]) => time);
				return [{ tags: [], times, values: Float64Array.from(own, ([, value]) => value) }];
			});
		},
	};
	const alarms = { events: async () => ({ events: [], next: null }), progress: async () => null };
	const deps = { definitions: createDefinitionCache(small.store), store: small.store, samples, alarms };
	const count = (lines: readonly object[], range: object = {}) =>
		readTotals(deps, 's', 'd', parseTotalsRequest({ lines, start, end: now, ...range }, now));
	const correct = async (varId: number, fields: object) =>
		(
			await saveCorrection(
				{ ...small, now: () => now },
				's',
				boardOf('correction', parseBoard('correction', { id: 0, varId, reason: 'R', ...fields })),
			)
		).board.content.id;
	return { ids, calls, count, correct, save };
};

const everyMinute = (value: (minute: number) => number): readonly Sample[] =>
	Array.from({ length: dayMs / minuteMs + 1 }, (_, minute): Sample => [start + minute * minuteMs, value(minute)]);

describe('readTotals', () => {
	test('counts once and reads each distinct series once, with the newest sample before where differences count', async () => {
		const { ids, calls, count } = await open({});
		await count([
			{ key: 'v', varId: ids.a, function: 'total', per: 'h' },
			{ key: 'm', varId: ids.a, function: 'mean', holdSeconds: 3600 },
			{ key: 's', varId: ids.sum, function: 'max' },
			{ key: 'c', varId: ids.b, function: 'increase' },
		]);
		const keys = [
			{ topic: 'a', field: 'value', from: start - hourMs, to: now },
			// The readings of 4 h around tell which of a counter's readings were momentary.
			{ topic: 'b', field: 'value', from: start - 4 * hourMs, to: now + 4 * hourMs, baseFrom: start - 400 * dayMs },
		];
		expect(calls).toEqual([
			{ name: 'count', keys },
			{ name: 'read', keys },
		]);
	});

	test('reads nothing for lines without a variable', async () => {
		const { calls, count } = await open({});
		const { lines } = await count([
			{ key: 'n', varId: 999, function: 'mean' },
			{ key: 'r', function: 'raised' },
		]);
		expect(calls).toEqual([]);
		expect(lines[0]?.faults).toEqual([{ code: 'missing_reference' }]);
		expect(lines[1]?.values.total).toMatchObject({ value: null, known: 0 });
	});

	test('refuses more than a million samples before it reads any, and says which range would fit', async () => {
		const { ids, calls, count } = await open({}, () => 3_000_000);
		const error = await count([{ key: 'm', varId: ids.a, function: 'mean' }], { start: now - 30 * dayMs }).catch(
			(each: unknown) => each,
		);
		expect(error).toMatchObject({
			code: 'too_large',
			payload: {
				...{ counted: 'samples_in_range', actual: 3_000_000, limit: 1_000_000 },
				remedy: 'A range of 9 days would fit: ask for the range in parts, or for fewer lines.',
			},
		});
		expect(calls.map(({ name }) => name)).toEqual(['count']);
	});

	test('refuses more samples than the store lets one read have', async () => {
		const { ids, count, calls } = await open({}, () => 250_001, 250_000);
		const line = { key: 'm', varId: ids.a, function: 'mean' };
		await expect(count([line], { start: now - 30 * dayMs })).rejects.toMatchObject({
			code: 'too_large',
			payload: {
				...{ counted: 'samples_in_range', actual: 250_001, limit: 250_000 },
				remedy: 'A range of 26 days would fit: ask for the range in parts, or for fewer lines.',
			},
		});
		expect(calls.map(({ name }) => name)).toEqual(['count']);
		const fitting = await open({}, () => 250_000, 250_000);
		await fitting.count([{ ...line, varId: fitting.ids.a }]);
		expect(fitting.calls.map(({ name }) => name)).toEqual(['count', 'read']);
	});

	test('refuses calculated variables whose formulas cost more than ten million samples, by tokens and different holds', async () => {
		const { count, calls, save, ids } = await open({}, () => 500_000);
		const long = await save(
			makeCalculatedBody(Array.from({ length: 50 }, () => 'a').join(' + '), { varsTsdb: { a: makeQuery({ calc_topic: 'a' }) } }),
		);
		const lines = (varId: number, number: number) =>
			Array.from({ length: number }, (_, index) => ({ key: `l${index}`, varId, function: 'mean', holdSeconds: 60 + index }));
		// 99 tokens weigh 9.9.
		await expect(count(lines(long, 3))).rejects.toMatchObject({
			code: 'too_large',
			payload: { counted: 'samples_for_formulas', actual: 14_850_000, limit: 10_000_000 },
		});
		await expect(count(lines(ids.sum, 11))).rejects.toMatchObject({ payload: { actual: 11_000_000 } });
		expect(calls.map(({ name }) => name)).toEqual(['count', 'count']);
		await count(lines(long, 2));
		await count(lines(ids.sum, 10));
		await count(lines(long, 40).map((line) => ({ ...line, holdSeconds: 60 })));
		await count(lines(ids.a, 40));
		expect(calls.map(({ name }) => name).filter((name) => name === 'read')).toHaveLength(4);
	});

	test('gives a calculated variable the fault of an input only where it never has a value without that input', async () => {
		const { count, save } = await open({ m: everyMinute(() => 1), a: everyMinute(() => 5) }, undefined, undefined, ['b']);
		const choice = (text: string) =>
			save(
				makeCalculatedBody('m', {
					equation: parseFormula(text).map(({ token }) => token),
					varsTsdb: Object.fromEntries(['m', 'a', 'b'].map((topic) => [topic, makeQuery({ calc_topic: topic })])),
				}),
			);
		const varIds = [
			await choice('if({m} = 1, {a}, {b})'),
			await choice('if({m} = 2, {a}, {b})'),
			await choice('{m} + {a} + {b}'),
		];
		const { lines } = await count(varIds.map((varId, index) => ({ key: `l${index}`, varId, function: 'mean' })));
		expect(lines.map(({ values }) => values.total.value)).toEqual([5, null, null]);
		const fault = [{ code: 'not_numeric' }];
		expect(lines.map(({ faults }) => faults)).toEqual([[], fault, fault]);
	});

	test('takes the lines of a formula over the time in which all are known, also through another formula', async () => {
		const out = everyMinute((minute) => (minute < 720 ? 90 : Number.NaN));
		const { ids, count } = await open({ a: everyMinute(() => 100), b: out });
		const { lines } = await count([
			{ key: 'in', varId: ids.a, function: 'total', per: 'h' },
			{ key: 'out', varId: ids.b, function: 'total', per: 'h' },
			{ key: 'diff', function: 'formula', equation: tokensOf('in - out') },
			{ key: 'loss', function: 'formula', equation: tokensOf('diff / in * 100') },
		]);
		const totals = lines.map(({ values }) => values.total);
		expect(totals[0]?.value).toBeCloseTo(2400, 9);
		expect(totals[2]?.value).toBeCloseTo(120, 9);
		expect(totals[3]?.value).toBeCloseTo(10, 9);
		expect(totals[3]?.known).toBeCloseTo(0.5, 2);
	});

	test('gives for a day what its hours sum to, whatever the samples are', async () => {
		const sample = fc.tuple(
			fc.integer({ min: -120, max: 1440 }),
			fc.oneof(fc.integer({ min: -50, max: 50 }), fc.constant(Number.NaN)),
		);
		await fc.assert(
			fc.asyncProperty(fc.uniqueArray(sample, { maxLength: 60, selector: ([minute]) => minute }), async (samples) => {
				const a = samples.map(([minute, value]): Sample => [start + minute * minuteMs, value]);
				const { ids, count } = await open({ a });
				const asked = [
					{ key: 'v', varId: ids.a, function: 'total', per: 'h', holdSeconds: 1800, range: [-50, 50] },
					{ key: 's', varId: ids.a, function: 'starts', holdSeconds: 1800 },
					{ key: 'o', varId: ids.a, function: 'onTime', holdSeconds: 1800 },
				];
				const whole = await count(asked);
				const hours = await count(asked, { period: { count: 1, unit: 'h' } });
				expect(hours.bounds).toHaveLength(25);
				for (const [index, line] of whole.lines.entries()) {
					const [day, parts] = [line.values.total, hours.lines[index]?.values];
					const sum = parts?.windows.reduce((total, { value }) => total + (value ?? 0), 0) ?? Number.NaN;
					expect(sum).toBeCloseTo(day.value ?? 0, 6);
					expect(parts?.total.value === null).toBe(day.value === null);
					expect(parts?.total.known).toBeCloseTo(day.known ?? Number.NaN, 9);
					if (day.value === null) continue;
					expect(day.low ?? day.value).toBeLessThanOrEqual(day.value + 1e-9);
					expect(day.high ?? day.value).toBeGreaterThanOrEqual(day.value - 1e-9);
				}
			}),
			{ numRuns: 60 },
		);
	});

	test('counts from the newest valid reading before the range, however many corrections lie over those after it', async () => {
		const days = (count: number): number => start - count * dayMs;
		const a: Sample[] = [
			[days(9), 100],
			[days(6), 777],
			[days(3), 888],
			[start + hourMs, 160],
		];
		const { ids, calls, count, correct } = await open({ a });
		const line = [{ key: 'c', varId: ids.a, function: 'increase' }];
		expect((await count(line)).lines[0]?.values.total.value).toBeNull();
		await correct(ids.a, { type: 'exclude', from: days(3.5), to: days(2) });
		// The one before adjoins it, so both are passed at once.
		await correct(ids.a, { type: 'exclude', from: days(6.5), to: days(3.5) });
		calls.length = 0;
		const { lines } = await count(line);
		expect(lines[0]?.values.total).toMatchObject({ value: 60, low: 0 });
		// None of the corrections is about the range.
		expect(lines[0]?.corrections).toEqual([]);
		expect(calls.map(({ name }) => name)).toEqual(['count', 'read', 'read']);
		expect(calls[2]?.keys).toEqual([
			{ topic: 'a', field: 'value', from: days(6.5), to: days(6.5), baseFrom: start - 400 * dayMs },
		]);
		await correct(ids.a, { type: 'exclude', from: days(400), to: days(380) });
		await correct(ids.a, { type: 'exclude', from: days(9.5), to: days(8.5) });
		expect((await count(line)).lines[0]?.values.total).toMatchObject({ value: 0, high: null });
	});

	test('counts from the newest valid reading also where a meter was exchanged, or read by hand, before that one', async () => {
		const days = (count: number): number => start - count * dayMs;
		const a: Sample[] = [
			[days(9.5), 100],
			[days(6), 20],
			[days(3), 888],
			[start + hourMs, 30],
		];
		for (const earlier of [
			{ type: 'exchange', at: days(9), oldFinal: 105, newInitial: 0 },
			{ type: 'value', from: days(9), to: days(8), value: 5 },
		]) {
			const { ids, count, correct } = await open({ a });
			await correct(ids.a, earlier);
			await correct(ids.a, { type: 'exclude', from: days(3.5), to: days(2) });
			const { lines } = await count([{ key: 'c', varId: ids.a, function: 'increase' }]);
			expect(lines[0]?.values.total).toMatchObject({ value: 10, low: 0 });
			// A reading by hand that adjoins what is excluded is the newest valid one.
			await correct(ids.a, { type: 'value', from: days(4), to: days(3.5), value: 24 });
			expect((await count([{ key: 'c', varId: ids.a, function: 'increase' }])).lines[0]?.values.total).toMatchObject({
				value: 6,
			});
		}
	});

	test('a start at the first sample of the range counts from the newest valid one before it; an increase begins there', async () => {
		const a: Sample[] = [
			[start - 3 * dayMs, 0],
			[start - hourMs, 1],
			[start, 7],
			[start + hourMs, 0],
		];
		const { ids, calls, count, correct } = await open({ a });
		await correct(ids.a, { type: 'exclude', from: start - dayMs, to: start - minuteMs });
		calls.length = 0;
		const starts = await count([{ key: 's', varId: ids.a, function: 'starts' }]);
		// The pair is wide, so that the start may have been before the range.
		expect(starts.lines[0]?.values.total).toMatchObject({ value: 1, low: 0, high: null });
		expect(calls.map(({ name }) => name)).toEqual(['count', 'read', 'read']);
		calls.length = 0;
		await count([{ key: 'c', varId: ids.a, function: 'increase', dip: 7 }]);
		expect(calls.map(({ name }) => name)).toEqual(['count', 'read']);
	});

	test('a correction of a variable says nothing of a formula that reads the same topic', async () => {
		const { ids, count, correct } = await open({ a: everyMinute(() => 10), b: everyMinute(() => 1) });
		const id = await correct(ids.a, { type: 'value', from: start, to: start + 12 * hourMs, value: 30 });
		const { lines } = await count([
			{ key: 'a', varId: ids.a, function: 'mean' },
			{ key: 'sum', varId: ids.sum, function: 'mean' },
		]);
		expect(lines.map(({ values }) => values.total.value)).toEqual([20, 11]);
		expect(lines.map(({ corrections }) => corrections)).toEqual([[id], []]);
	});
});
