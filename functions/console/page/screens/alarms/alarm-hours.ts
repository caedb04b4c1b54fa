import { type ReadonlySignal, useComputed, useSignalEffect } from '@preact/signals';
import type { ListedAlarm } from '#page/core/alarms.ts';
import type { Schemas } from '#page/core/api.ts';
import { now } from '#page/core/clock.ts';
import { createHistories } from '#page/core/histories.ts';
import { connection } from '#page/core/poll.ts';
import { type AlarmHour, alarmHourOf } from './alarm-hour.ts';

interface Hour {
	readonly history: Schemas['VariableHistory'];
	readonly bounds: readonly number[];
}

/** The last hour of variables in windows of 10 s, read again every minute. */
const hours = createHistories<Hour>({
	spanMs: 3_600_000,
	// An hour that does not begin with a full window has one more.
	points: 362,
	aggregates: ['own', 'last'],
	renewMs: 60_000,
	pastOf: (history, bounds) => ({ history, bounds }),
});

/** Whether the last hour of a variable could not be read. */
export function hasHourFailed(varId: number): boolean {
	return hours.hasFailed(varId);
}

/** Follows the last hour of an alarm while the component is on the screen and the service answers; null until it was read. */
export function useAlarmHour({ varId, bit, condition, threshold }: ListedAlarm): ReadonlySignal<AlarmHour | null> {
	useSignalEffect(() => {
		const nowMs = now.value;
		if (connection.value === 'live' && !document.hidden) void hours.refresh([varId], nowMs);
	});
	return useComputed(() => {
		const hour = hours.of(varId).value;
		return hour === undefined ? null : alarmHourOf(hour.history, hour.bounds, { bit: bit ?? null, condition, threshold });
	});
}
