import { describe, expect, test } from 'vitest';
import type { EvaluatorState } from '#domain/alarm/evaluator-state.ts';
import { type AlarmDefinition, fold, mustBeStored } from '#domain/alarm/fold.ts';
import { observedInputsOf, readPiece } from '#domain/alarm/piece.ts';
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
});
