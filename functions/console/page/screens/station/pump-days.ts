import { useSignalEffect } from '@preact/signals';
import { now } from '#page/core/clock.ts';
import { createHistories } from '#page/core/histories.ts';
import { connection } from '#page/core/poll.ts';
import { pastDayOf } from './pump-day.ts';

const dayMs = 86_400_000;

/** The last 24 hours of pumps by the minute, read again every two minutes. */
export const pumpDays = createHistories({
	spanMs: dayMs,
	// A day that does not begin at a full minute has one window more.
	points: 1442,
	aggregates: ['own', 'last'],
	renewMs: 120_000,
	pastOf: pastDayOf,
});

/** Reads the days of variables while the component is on the screen and the service answers. */
export function usePumpDays(ids: readonly number[]): void {
	useSignalEffect(() => {
		const nowMs = now.value;
		if (connection.value === 'live' && !document.hidden) void pumpDays.refresh(ids, nowMs);
	});
}
