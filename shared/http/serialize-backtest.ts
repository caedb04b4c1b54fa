import type { FoldEvent } from '#domain/alarm/alarm-machine.ts';
import type { Backtest } from '#domain/alarm/backtest.ts';

/** Returns the JSON form of a back-test; times are ISO-8601 in UTC, days `2026-11-22` (shared/domain/alarm/README.md#back-tests). */
export function backtestToJson({ events, perDay, ...totals }: Backtest): Record<string, unknown> {
	return {
		...totals,
		events: events.map(eventToJson),
		perDay: perDay.map((each) => ({ ...each, day: iso(each.day).slice(0, 10) })),
	};
}

function eventToJson({ seq: _, time, ...event }: FoldEvent): Record<string, unknown> {
	return { time: iso(time), ...event };
}

const iso = (time: number): string => new Date(time).toISOString();
