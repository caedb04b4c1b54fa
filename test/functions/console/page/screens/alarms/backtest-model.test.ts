import { describe, expect, test } from 'vitest';
import { type BacktestAnswer, barsOf, listsAll, raisedSpans } from '#page/screens/alarms/backtest-model.ts';

const at = (minute: number): string => new Date(minute * 60_000).toISOString();
const event = (minute: number, kind: 'raised' | 'cleared', occurrence = 1): BacktestAnswer['events'][number] => ({
	...{ time: at(minute), kind, cause: 'condition', occurrence, value: 0, quality: 'good', inputs: [] },
});

describe('the spans of a back-test', () => {
	test('reach from a raise to the next clearing, over a change of cause', () => {
		const events = [
			event(1, 'raised'),
			event(3, 'raised', 2),
			event(5, 'cleared', 2),
			event(8, 'raised', 3),
			event(9, 'cleared', 3),
		];
		expect(raisedSpans({ events }, 600_000)).toEqual([
			{ from: 60_000, to: 300_000 },
			{ from: 480_000, to: 540_000 },
		]);
	});

	test('reach to the end where nothing cleared it', () => {
		expect(raisedSpans({ events: [event(4, 'raised')] }, 600_000)).toEqual([{ from: 240_000, to: 600_000 }]);
		expect(raisedSpans({ events: [] }, 600_000)).toEqual([]);
	});

	test('are all of them only where every raise is listed', () => {
		const events = [event(1, 'raised'), event(5, 'cleared')];
		expect(listsAll({ events, raised: 1 })).toBe(true);
		expect(listsAll({ events, raised: 2 })).toBe(false);
	});
});

test('the day with the most raises has the whole bar, and days without any have none', () => {
	const perDay = [
		{ day: '2026-11-20', raised: 0, activeSeconds: 0 },
		{ day: '2026-11-21', raised: 1, activeSeconds: 60 },
		{ day: '2026-11-22', raised: 4, activeSeconds: 600 },
	];
	expect(barsOf({ perDay }).map(({ width }) => width)).toEqual([0, 25, 100]);
	expect(barsOf({ perDay: perDay.slice(0, 1) }).map(({ width }) => width)).toEqual([0]);
});
