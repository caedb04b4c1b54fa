import { showsOutdated } from '#page/core/poll.ts';
import { qualityWords } from '#page/i18n/reasons.ts';
import { AlarmMark, severityClass } from '#page/parts/alarm-mark.tsx';
import { classNames } from '#page/parts/class-names.ts';
import { Icon } from '#page/parts/icon.tsx';
import { QualityMark } from '#page/parts/quality-mark.tsx';
import { ValueText } from '#page/parts/value-text.tsx';
import { shellText } from '#page/shell/texts.ts';
import type { AlarmRow } from './alarm-rows.ts';
import { conditionText, rowNumber } from './alarm-words.ts';
import { alarmText } from './texts.ts';

/** Properties of what shows a part of a row. */
export interface AlarmCellProps {
	readonly row: AlarmRow;
}

/** The severity: its shape with its number, in colour while the alarm is active. */
export function SeverityMark({ row: { alarm, group } }: AlarmCellProps) {
	return (
		<span class={group === 'active' ? undefined : 'calm'}>
			<AlarmMark severity={alarm.severity} state="active_acknowledged" label={alarmText().severities[alarm.severity]} />
		</span>
	);
}

/** The state: a shape and a word. */
export function AlarmState({ row: { alarm, group } }: AlarmCellProps) {
	const word = alarmText().states[group];
	const icons = { active: 'i-alarm', unknown: 'q-uncertain', normal: 'a-normal' } as const;
	const look = group === 'active' ? severityClass(alarm.severity) : group === 'unknown' && 'violet';
	return (
		<span class={classNames('alarm-state', look)}>
			<Icon name={icons[group]} /> {word}
			{showsOutdated.value && <span class="sr">, {shellText().outdated}</span>}
		</span>
	);
}

/** The value against its threshold, and its quality where that is not good. */
export function AlarmValue({ row }: AlarmCellProps) {
	const { quality, unit, alarm } = row;
	const isGood = quality === 'good';
	const text = rowNumber(row);
	return (
		<>
			{!isGood && <QualityMark quality={quality} word={qualityWords()[quality]} />}{' '}
			{/* The word of a quality says enough where there is no number. */}
			{(isGood || text !== null) && <ValueText text={text} unit={unit} current={isGood && !showsOutdated.value} />}{' '}
			<small class="limit-text">{conditionText(alarm, unit)}</small>
		</>
	);
}
