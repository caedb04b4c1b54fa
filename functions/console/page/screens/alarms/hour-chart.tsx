import { type ReadonlySignal, useComputed } from '@preact/signals';
import { isRaised } from '#page/core/alarm-state.ts';
import type { ListedAlarm } from '#page/core/alarms.ts';
import { alarmHour } from '#page/core/past/kept-pasts.ts';
import { useWhileLive } from '#page/core/past/past-store.ts';
import { formatAge } from '#page/format/age.ts';
import { formatCondition } from '#page/format/condition.ts';
import { commonText } from '#page/i18n/common.ts';
import type { AlarmRow } from './alarm-rows.ts';
import { SpanChart } from './span-chart.tsx';
import { alarmText } from './texts.ts';
import { type WatchedPast, watchedPastOf } from './watched-past.ts';

/** Properties of HourChart. `hour` is null until it was read. */
export interface HourChartProps {
	readonly row: AlarmRow;
	readonly hour: WatchedPast | null;
}

/** The last hour of an alarm: where its condition held, and a line where it was raised. */
export function HourChart({ row: { alarm, unit }, hour }: HourChartProps) {
	const [from, to] = [hour?.bounds[0] ?? 0, hour?.bounds.at(-1) ?? 0];
	const since = isRaised(alarm) && alarm.since !== null ? Date.parse(alarm.since) : null;
	return (
		<SpanChart
			label={alarmText().lastHour}
			severity={alarm.severity}
			from={from}
			to={to}
			values={hour?.values ?? null}
			threshold={alarm.threshold}
			spans={hour?.held ?? []}
			gaps={hour?.gaps ?? []}
			mark={since !== null && since >= from && since <= to ? since : null}
			caption={formatCondition(alarm, unit)}
		>
			<p class="field-hint">
				{alarmHour.hasFailed(alarm.varId) ? alarmText().hourFailed : hour === null ? commonText().reading : hourText(hour)}
			</p>
		</SpanChart>
	);
}

/** Follows the last hour of an alarm while the component is on the screen and the service answers; null until it was read. */
export function useAlarmHour({ varId, bit, condition, threshold }: ListedAlarm): ReadonlySignal<WatchedPast | null> {
	useWhileLive((nowMs) => void alarmHour.refresh([varId], nowMs));
	return useComputed(() => {
		const hour = alarmHour.of(varId).value;
		return hour === undefined ? null : watchedPastOf(hour, { bit: bit ?? null, condition, threshold });
	});
}

function hourText({ values, held }: WatchedPast): string {
	const text = alarmText();
	if (values.every((value) => value === null)) return text.noHistory;
	return `${text.lastHour}: ${held.length === 0 ? text.neverHeld : text.held(formatAge(held.reduce((sum, { from, to }) => sum + to - from, 0)), held.length)}`;
}
