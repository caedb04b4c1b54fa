import type { Schemas } from '#page/core/api.ts';
import type { PastSpan } from './watched-past.ts';

/** The result of a back-test: when an alarm would have been raised in the past. */
export type BacktestAnswer = Schemas['Backtest'];

/**
 * Returns the spans in which the alarm would have been active, from each raise to the next clearing. A change of cause does not end a
 * span. A span that is not cleared ends at `end` (epoch milliseconds).
 */
export function raisedSpans({ events }: Pick<BacktestAnswer, 'events'>, end: number): readonly PastSpan[] {
	const spans: PastSpan[] = [];
	let from: number | null = null;
	for (const { time, kind } of events) {
		const at = Date.parse(time);
		if (kind === 'raised') from ??= at;
		else if (from !== null) {
			spans.push({ from, to: at });
			from = null;
		}
	}
	return from === null ? spans : [...spans, { from, to: end }];
}

/** Whether the answer lists every event. The service lists only the first ones of many. */
export function listsAll({ events, raised }: Pick<BacktestAnswer, 'events' | 'raised'>): boolean {
	return events.filter(({ kind }) => kind === 'raised').length === raised;
}

/** A day of a back-test with the width of its bar, in percent of the day with the most raises. */
export interface BacktestBar {
	/** The local day: `2026-11-22`. */
	readonly day: string;
	readonly raised: number;
	readonly activeSeconds: number;
	readonly width: number;
}

/** Returns the days, oldest first, with their bars. */
export function barsOf({ perDay }: Pick<BacktestAnswer, 'perDay'>): readonly BacktestBar[] {
	const most = Math.max(1, ...perDay.map(({ raised }) => raised));
	return perDay.map((day) => ({ ...day, width: (100 * day.raised) / most }));
}
