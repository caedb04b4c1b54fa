import { isForNoData } from '#page/core/alarm-state.ts';
import { evaluation, type ListedAlarm } from '#page/core/alarms.ts';
import { now } from '#page/core/clock.ts';
import { variables } from '#page/core/definitions.ts';
import { isSameDay } from '#page/core/time-zone.ts';
import { withUnit } from '#page/format/condition.ts';
import { formatValue } from '#page/format/number.ts';
import { formatAge, formatClock, formatDateTime, formatUtc } from '#page/format/time.ts';
import { alarmStateText, conditionWords } from '#page/i18n/alarm-states.ts';

/** Since when an alarm is in its state, and for how long. `since` is ISO 8601; nothing is shown for null. */
export function AlarmSince({ since }: { readonly since: string | null }) {
	if (since === null) return null;
	const at = Date.parse(since);
	return (
		<time class="since" dateTime={since} title={formatUtc(at)}>
			{alarmStateText().since(clockOrDay(at))} · {formatAge(now.value - at)}
		</time>
	);
}

/**
 * Says of which time the state of an alarm is, and whether its condition holds now. It is needed where the state disagrees with the value
 * beside it. Nothing is shown before the first evaluation.
 */
export function StateMoment({ holds }: { readonly holds: boolean }) {
	const until = evaluation.value?.until ?? null;
	return until === null ? null : alarmStateText().stateOf(clockOrDay(Date.parse(until)), holds);
}

/**
 * Shows the value of an alarm and its condition while the condition holds: `1.87 m · alarm if < 2 m`. Shows "no data" when the alarm was
 * raised for lack of data and has no good value, and its cause when the value is good again.
 */
export function AlarmExcess({ alarm }: { readonly alarm: ListedAlarm }) {
	const { varId, value, bit } = alarm;
	if (alarm.active === true && value !== null) {
		const isOfBit = bit !== null && bit !== undefined;
		const unit = isOfBit ? '' : (variables.rows.value?.get(varId)?.unit ?? '');
		return (
			<span class="num">
				{withUnit(isOfBit ? String(value) : formatValue(varId, value), unit)} · {conditionWords(alarm, unit)}
			</span>
		);
	}
	if (!isForNoData(alarm)) return null;
	const { noData, raisedForNoData } = alarmStateText();
	return <span class="violet">{alarm.quality === 'good' ? raisedForNoData : noData}</span>;
}

/** Says when an alarm is raised: `alarm if < 2 m`. Names the cause instead where the alarm was raised for lack of data. */
export function limitWords(
	alarm: Parameters<typeof conditionWords>[0] & { readonly isForNoData: boolean },
	unit: string,
): string {
	return alarm.isForNoData ? alarmStateText().raisedForNoData : conditionWords(alarm, unit);
}

/** Returns the time of day. The day is added unless it is today. */
export function clockOrDay(timeMs: number): string {
	return isSameDay(timeMs, now.value) ? formatClock(timeMs) : formatDateTime(timeMs);
}
