import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import type { EvaluatedAlarm } from '#domain/alarm/evaluated-alarm.ts';
import { piecesOf, tickRange } from '#domain/alarm/pieces.ts';
import { type Alarm, alarmSchema } from '#domain/board/alarm.ts';
import { makeAlarmBody, makeQuery, makeVariable } from '#test/support/builders/builders.ts';

const now = 1_800_000_000_999;
const to = 1_799_999_985_000;
const hour = 3_600_000;

const alarm: Alarm = v.parse(alarmSchema, makeAlarmBody({ id: 1 }));
const variable = makeVariable();
const evaluated = (topic: string, database = 'db'): EvaluatedAlarm => ({
	...{ alarm, alarmVersion: 1, rowVersion: 1, database, variableVersion: 1 },
	variable: { ...variable, varsTsdb: new Map([['V', makeQuery({ calc_topic: topic })]]) },
});
const topics = (count: number) => Array.from({ length: count }, (_, index) => evaluated(`t${index}`));

describe('the range of a tick', () => {
	test.each([
		['begins a minute back where nothing was evaluated', null, to - 60_000, null],
		['goes on where the last one ended', to - 61_000, to - 61_000, null],
		['goes back an hour at most', to - hour, to - hour, null],
		['tells of a gap beyond that', to - hour - 1000, to - hour, to - hour - 1000],
	])('%s', (_, evaluatedUntil, from, gapSince) => {
		expect(tickRange(evaluatedUntil, now, 15_000)).toEqual({ from, to, gapSince });
	});
});

describe('the pieces of a tick', () => {
	const range = (from: number) => ({ from, to, gapSince: null });
	const lengths = (from: number, alarms: readonly EvaluatedAlarm[]) =>
		piecesOf(range(from), alarms).map((piece) => (piece.to - piece.from) / 1000);

	test('follow each other without a hole, at most ten minutes long', () => {
		expect(lengths(to - hour, [])).toEqual([600, 600, 600, 600, 600, 600]);
		expect(lengths(to - 61_000, topics(1))).toEqual([61]);
		const pieces = piecesOf(range(to - 1_234_000), topics(3));
		expect(pieces.map(({ from }) => from).slice(1)).toEqual(pieces.map((piece) => piece.to).slice(0, -1));
		expect([pieces[0]?.from, pieces.at(-1)?.to]).toEqual([to - 1_234_000, to]);
	});

	test('are shorter where many series are read: 90,000 values each', () => {
		expect(lengths(to - hour, topics(150))[0]).toBe(600);
		expect(lengths(to - hour, topics(151))[0]).toBe(596);
		expect(lengths(to - 600_000, topics(1500))).toEqual(Array.from({ length: 10 }, () => 60));
		expect(lengths(to - 2000, topics(100_000))).toEqual([1, 1]);
	});

	test('count a series that several alarms observe once in each database', () => {
		const same = Array.from({ length: 1000 }, () => evaluated('t'));
		expect(lengths(to - 600_000, same)).toEqual([600]);
		expect(lengths(to - 600_000, [...topics(150), evaluated('t0', 'other')])).toEqual([596, 4]);
	});

	test('are none where nothing is to be evaluated yet', () => {
		expect(lengths(to, topics(1))).toEqual([]);
		expect(lengths(to + 5000, topics(1))).toEqual([]);
	});
});
