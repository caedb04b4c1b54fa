import { contradictsValue, isForNoData, isOpenAlarm } from '#page/core/alarm-state.ts';
import { raisedAgain } from '#page/core/alarms.ts';
import { now } from '#page/core/clock.ts';
import { showsOutdated } from '#page/core/poll.ts';
import { formatAge, formatUtc } from '#page/format/time.ts';
import { actorWords } from '#page/i18n/actor-words.ts';
import { alarmStateText, conditionWords } from '#page/i18n/alarm-states.ts';
import { commonText } from '#page/i18n/common.ts';
import { qualityWords } from '#page/i18n/reasons.ts';
import { AlarmMark, severityClass } from '#page/parts/alarm-mark.tsx';
import { clockOrDay, StateMoment } from '#page/parts/alarm-since.tsx';
import { classNames } from '#page/parts/class-names.ts';
import { QualityMark, ValueText } from '#page/parts/value-text.tsx';
import { type AlarmRow, rowNumber } from './alarm-rows.ts';
import { alarmText } from './texts.ts';

/** Properties of the components that show a part of a row. */
export interface AlarmCellProps {
	readonly row: AlarmRow;
}

/** Shows severity and state as one shape: the outline is the severity, and the fill is the state. */
export function SeverityMark({ row: { alarm, state } }: AlarmCellProps) {
	return <AlarmMark severity={alarm.severity} state={state} label={alarmStateText().severities[alarm.severity]} />;
}

/** The state in a word. */
export function AlarmState({ row: { alarm, state } }: AlarmCellProps) {
	const { states } = alarmStateText();
	const knownLook = isOpenAlarm(alarm) ? severityClass(alarm.severity) : 'muted';
	const look = state === 'unknown' ? 'violet' : knownLook;
	const until = state === 'shelved' && alarm.shelvedUntil !== null ? clockOrDay(Date.parse(alarm.shelvedUntil)) : null;
	return (
		<span class={classNames('alarm-state', look)}>
			{until === null ? states[state] : alarmText().shelvedUntil(until)}
			{showsOutdated.value && <span class="sr">, {commonText().outdated}</span>}
		</span>
	);
}

/** The notes below the state: who acknowledged or shelved the alarm, the state that the shelf hides, and since when it is uncertain. */
export function AlarmStateNotes({ row: { alarm, state } }: AlarmCellProps) {
	const text = alarmText();
	const words = alarmStateText();
	const { actors, acknowledgedAt, reason, uncertainSince, cause } = alarm;
	const newOccurrence = raisedAgain.value.get(alarm.id);
	return (
		<>
			{newOccurrence !== undefined && <small class="strong">{words.raisedAgain(newOccurrence)}</small>}
			{cause === 'no_data' && <small class="violet">{words.raisedForNoData}</small>}
			{state === 'active_acknowledged' && actors.acknowledgedBy !== null && acknowledgedAt !== null && (
				<small>
					<bdi>{actorWords(actors.acknowledgedBy)}</bdi> · {clockOrDay(Date.parse(acknowledgedAt))}
				</small>
			)}
			{state === 'shelved' && (
				<small>
					{alarm.state !== null && alarm.state !== 'normal' && `${words.states[alarm.state]} · `}
					<bdi>{actorWords(actors.shelvedBy)}</bdi>: {reason}
				</small>
			)}
			{contradictsValue(alarm) && (
				<small>
					<StateMoment holds={alarm.active === true} />
				</small>
			)}
			{state === 'unknown' && alarm.active === true && <small class="violet">{text.holdsNow}</small>}
			{/* An alarm that was raised for lack of data says so above. */}
			{uncertainSince !== null && cause !== 'no_data' && (
				<small class="violet">
					<QualityMark quality="no_data" word={text.uncertainSince(clockOrDay(Date.parse(uncertainSince)))} />
				</small>
			)}
		</>
	);
}

/** Since when the alarm is in its state, and for how long. A dash if the state is normal, or never changed. */
export function AlarmSinceCell({ row: { alarm, state } }: AlarmCellProps) {
	if (alarm.since === null || state === 'normal') return <span class="muted">—</span>;
	const at = Date.parse(alarm.since);
	return (
		<time dateTime={alarm.since} title={formatUtc(at)}>
			{clockOrDay(at)}
			<small>{formatAge(now.value - at)}</small>
		</time>
	);
}

/**
 * The value, its quality if that is not good, the tags of several sources, and the condition in words. The condition is left out beside a
 * good value if the alarm was raised for lack of data: the notes of the state say so.
 */
export function AlarmValue({ row }: AlarmCellProps) {
	const { quality, sources, unit, alarm } = row;
	const isGood = quality === 'good';
	const text = rowNumber(row);
	return (
		<>
			{!isGood && <QualityMark quality={quality} word={qualityWords()[quality]} />}{' '}
			{sources !== '' && <small class="limit-text">{sources} </small>}
			{/* Without a number, the word of the quality is enough. */}
			{(isGood || text !== null) && <ValueText text={text} unit={unit} current={isGood && !showsOutdated.value} />}{' '}
			{!(isGood && isForNoData(alarm)) && <small class="limit-text">{conditionWords(alarm, unit)}</small>}
		</>
	);
}
