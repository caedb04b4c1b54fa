import { describe, expect, test } from 'vitest';
import { type AlarmDefinition, fold, mustBeStored } from '#domain/alarm/fold.ts';
import { observedInputsOf, readPiece } from '#domain/alarm/piece.ts';
import type { EvaluatorState } from '#domain/alarm-rows/alarm-rows.ts';
import { parseBoard } from '#domain/board/board.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { makeAlarmBody, makeBody, makeQuery } from '#test/support/builders/builders.ts';
import { type FedSample, makeSampledTimeSeries } from '#test/support/fakes/sampled-time-series.ts';

const start = 1_764_000_000_000;
const at = (seconds: number) => start + seconds * 1000;
const secondsOf = (time: number) => (time - start) / 1000;

const definitionOf = (fields: Readonly<Record<string, unknown>>, lookbackSeconds = 600): AlarmDefinition => ({
	alarm: parseBoard('alarm', makeAlarmBody({ id: 7, ...fields })),
	alarmVersion: 1,
	variable: parseVariable(
		makeBody({
			varsTsdb: { Flow: makeQuery({ calc_time: lookbackSeconds, calc_unit: 's', calc_period: 1, calc_unit_period: 's' }) },
		}),
	),
	variableVersion: 1,
});

/** Folds from 0 to `until` seconds. A sample of second 4 is observed at 5. Returns the events as `[seconds, kind, cause]`. */
const run = async (
	definition: AlarmDefinition,
	samples: readonly (readonly [second: number, value: FedSample[1]])[],
	until: number,
	stored: EvaluatorState | null = null,
	from = 0,
) => {
	const { timeSeries } = makeSampledTimeSeries(new Map([['plant/flow', samples.map(([second, value]) => [at(second), value])]]));
	const piece = { from: at(from), to: at(until), stepMs: 1000 };
	const reads = await readPiece(timeSeries, 'series', observedInputsOf(definition.variable), piece);
	const { state, events, isComplete } = fold(definition, stored, reads, piece);
	expect(isComplete).toBe(true);
	return { state, events, told: events.map(({ time, kind, cause }) => [secondsOf(time), kind, cause]) };
};

describe('fold', () => {
	test('raises at the end of the second of the sample, and clears after the off delay', async () => {
		const samples = [
			[4, 11],
			[9, 10],
		] as const;
		expect((await run(definitionOf({}), samples, 100)).told).toEqual([
			[5, 'raised', 'condition'],
			[70, 'cleared', 'condition'],
		]);
	});

	test('starts silent timers at its beginning', async () => {
		const { told, state } = await run(definitionOf({ noDataSeconds: 60 }), [], 100);
		expect(told).toEqual([[60, 'raised', 'no_data']]);
		expect(state).toMatchObject({ cause: 'no_data', since: at(60), occurrence: 1, seq: 1, value: null, uncertainSince: at(0) });
	});

	test('must be stored where none was, and not where only times went on', async () => {
		const { state } = await run(definitionOf({}), [[4, 1]], 60);
		expect(mustBeStored(null, state)).toBe(true);
		const next = await run(
			definitionOf({}),
			[
				[4, 1],
				[70, 2],
			],
			120,
			state,
			60,
		);
		expect(next.state).toMatchObject({ until: at(120), lastUsableAt: at(71), value: 2 });
		expect(mustBeStored(state, next.state)).toBe(false);
		expect(mustBeStored(state, { ...next.state, uncertainSince: at(100) })).toBe(true);
	});

	test('judges a late sample at the start of the next piece', async () => {
		const { state } = await run(definitionOf({}), [], 60);
		expect((await run(definitionOf({}), [[30, 11]], 120, state, 60)).told).toEqual([[60, 'raised', 'condition']]);
	});

	test('is not complete where there would be too many events, and goes on from there', async () => {
		const definition = definitionOf({ offDelaySeconds: 10 });
		const samples = Array.from({ length: 50 }, (_, index): readonly [number, number] => [index * 20, index % 2 === 0 ? 11 : 0]);
		const feed = new Map([['plant/flow', samples.map(([second, value]): FedSample => [at(second), value])]]);
		const piece = { from: at(0), to: at(1000), stepMs: 1000 };
		const { timeSeries } = makeSampledTimeSeries(feed);
		const reads = await readPiece(timeSeries, 'series', observedInputsOf(definition.variable), piece);
		const first = fold(definition, null, reads, piece);
		const second = fold(definition, first.state, reads, piece);
		expect([first.isComplete, second.isComplete]).toEqual([false, true]);
		expect(first.events.length).toBeLessThanOrEqual(40);
		expect([...first.events, ...second.events].map(({ seq }) => seq)).toEqual(
			Array.from({ length: 50 }, (_, index) => index + 1),
		);
	});
});

describe('a value that ends a silence', () => {
	/** Known for 60 s, so silent 60 s after it. The alarm is > 10, and off after 60 s. */
	const toldOf = async (fields: Readonly<Record<string, unknown>>, samples: readonly (readonly [number, FedSample[1]])[]) =>
		(await run(definitionOf({ noDataSeconds: 60, ...fields }, 60), samples, 600)).told;
	const active = [4, 11] as const;
	/** A value that is repeated each 30 s from a second on, until the end. */
	const steady = (from: number, value: FedSample[1]) =>
		Array.from({ length: Math.ceil((600 - from) / 30) }, (_, index) => [from + index * 30, value] as const);
	const raised = [5, 'raised', 'condition'];
	const silent = [65, 'raised', 'no_data'];

	test('clears by the off delay where it does not meet the condition, and raises nothing', async () => {
		expect(await toldOf({}, [active, ...steady(199, 10)])).toEqual([raised, silent, [260, 'cleared', 'no_data']]);
		expect(await toldOf({ offDelaySeconds: 300 }, [active, ...steady(199, 10)])).toEqual([
			raised,
			silent,
			[500, 'cleared', 'no_data'],
		]);
	});

	test('raises for the condition where it meets it, also within the deadband of an active alarm', async () => {
		expect(await toldOf({}, [active, ...steady(199, 10.5)])).toEqual([raised, silent, [200, 'raised', 'condition']]);
		expect(await toldOf({ deadband: 2 }, [active, ...steady(199, 8.5)])).toEqual([raised, silent, [200, 'raised', 'condition']]);
		expect(await toldOf({ deadband: 2 }, [active, ...steady(199, 8)])).toEqual([raised, silent, [260, 'cleared', 'no_data']]);
	});

	test('raises for the condition where a later value meets it within the off delay', async () => {
		expect(await toldOf({}, [active, [199, 10], ...steady(229, 11)])).toEqual([raised, silent, [230, 'raised', 'condition']]);
	});

	test.each([
		['==', 11],
		['!=', 10],
	])('judges by %s, too', async (condition, threshold) => {
		const fields = { condition, threshold };
		expect(await toldOf(fields, [active, ...steady(199, 10)])).toEqual([raised, silent, [260, 'cleared', 'no_data']]);
		expect(await toldOf(fields, [active, ...steady(199, 11)])).toEqual([raised, silent, [200, 'raised', 'condition']]);
	});

	test('lets the off delay go on that ran before the gap', async () => {
		// It ran from 35 s to 95 s, of 90 s.
		expect(await toldOf({ offDelaySeconds: 90 }, [active, [34, 10], ...steady(199, 10)])).toEqual([
			raised,
			[95, 'raised', 'no_data'],
			[230, 'cleared', 'no_data'],
		]);
	});

	test('clears at once an alarm whose on delay had not ended, and raises it at the end of that delay', async () => {
		expect(await toldOf({ onDelaySeconds: 90 }, [active, ...steady(199, 11)])).toEqual([
			silent,
			[200, 'cleared', 'no_data'],
			[230, 'raised', 'condition'],
		]);
	});

	test('keeps one occurrence over several gaps that no value ends which meets the condition', async () => {
		expect(await toldOf({ offDelaySeconds: 200 }, [active, [199, 10], [349, 10], ...steady(499, 10)])).toEqual([
			raised,
			silent,
			// 60 s of each value, and 80 s of the last ones.
			[580, 'cleared', 'no_data'],
		]);
	});

	test('is a number: a faulted sample ends no silence', async () => {
		expect(await toldOf({}, [active, ...steady(199, 'several_series')])).toEqual([raised, silent]);
	});

	test('is awaited where a change of the alarm ends the silence', async () => {
		const { state } = await run(definitionOf({ noDataSeconds: 60 }, 60), [active, [34, 10]], 120);
		expect(state).toMatchObject({ on: true, cause: 'no_data' });
		const changed = { ...definitionOf({ noDataSeconds: 0 }, 60), alarmVersion: 2 };
		expect((await run(changed, steady(199, 10), 600, state, 120)).told).toEqual([[260, 'cleared', 'no_data']]);
	});

	test('clears an alarm as its stored state says that an earlier release raised anew', async () => {
		const { state } = await run(definitionOf({ noDataSeconds: 60 }, 60), [active, [199, 10]], 210);
		expect(state).toMatchObject({ on: true, silent: false, cause: 'no_data', pendingSince: at(200), occurrence: 2 });
		const earlier = { ...state, cause: 'condition', since: at(200), occurrence: 3, seq: 3 } as const;
		const { events } = await run(definitionOf({ noDataSeconds: 60 }, 60), steady(209, 10), 600, earlier, 210);
		expect(events).toMatchObject([{ time: at(260), kind: 'cleared', cause: 'condition', occurrence: 3, seq: 4, value: 10 }]);
	});
});

describe('a changed definition', () => {
	const second = (fields: Readonly<Record<string, unknown>>) => ({ ...definitionOf(fields), alarmVersion: 2 });

	test('ends a delay that runs, and must be stored', async () => {
		const { state } = await run(definitionOf({ onDelaySeconds: 100 }), [[49, 11]], 60);
		expect(state.pendingSince).toBe(at(50));
		const next = await run(second({ onDelaySeconds: 100 }), [[49, 11]], 120, state, 60);
		expect(next.state).toMatchObject({ pendingSince: at(60), basis: [2, 1] });
		const quiet = await run(second({}), [[49, 1]], 120, (await run(definitionOf({}), [[49, 1]], 60)).state, 60);
		expect(mustBeStored((await run(definitionOf({}), [[49, 1]], 60)).state, quiet.state)).toBe(true);
	});

	test('clears an alarm that is active for a time without data that no longer counts', async () => {
		const { state } = await run(definitionOf({ noDataSeconds: 60 }), [], 120);
		expect((await run(second({ noDataSeconds: 0 }), [], 180, state, 120)).told).toEqual([[120, 'cleared', 'no_data']]);
		expect((await run(second({ noDataSeconds: 150 }), [], 180, state, 120)).told).toEqual([
			[120, 'cleared', 'no_data'],
			[150, 'raised', 'no_data'],
		]);
		expect((await run(second({ noDataSeconds: 61 }), [], 180, state, 120)).told).toEqual([]);
	});

	test('clears an active alarm that is disabled, once, and keeps its counts', async () => {
		const { state } = await run(definitionOf({}), [[4, 11]], 60);
		const off = await run(second({ enabled: false }), [[4, 11]], 120, state, 60);
		expect(off.told).toEqual([[60, 'cleared', 'disabled']]);
		expect(off.state).toMatchObject({
			on: false,
			silent: false,
			cause: null,
			since: at(60),
			occurrence: 1,
			seq: 2,
			basis: [2, 0],
		});
		const still = await run(second({ enabled: false }), [[4, 11]], 180, off.state, 120);
		expect(still.told).toEqual([]);
		expect(mustBeStored(off.state, still.state)).toBe(false);
	});

	test('counts the time without data of an alarm that is enabled again from there', async () => {
		const off = await run({ ...definitionOf({ enabled: false }), alarmVersion: 1 }, [], 600);
		expect(off.told).toEqual([]);
		const again = await run(second({ noDataSeconds: 60 }), [], 700, off.state, 600);
		expect(again.told).toEqual([[660, 'raised', 'no_data']]);
	});
});

test('an alarm that was not evaluated for long flips its timers where evaluation goes on', async () => {
	const { state } = await run(definitionOf({ noDataSeconds: 60, onDelaySeconds: 100 }), [[49, 11]], 60);
	const { told } = await run(definitionOf({ noDataSeconds: 60, onDelaySeconds: 100 }), [], 4000, state, 3600);
	expect(told).toEqual([[3600, 'raised', 'no_data']]);
});
