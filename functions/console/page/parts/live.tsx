import { useComputed } from '@preact/signals';
import { now } from '#page/core/clock.ts';
import type { Variable } from '#page/core/definitions.ts';
import { showsOutdated } from '#page/core/poll.ts';
import type { TileAlarm } from '#page/core/tile-alarm.ts';
import { formatAge, formatUtc } from '#page/format/time.ts';
import { alarmStateText } from '#page/i18n/alarm-states.ts';
import { commonText } from '#page/i18n/common.ts';
import { qualityWords, reasonText } from '#page/i18n/reasons.ts';
import { limitWords, StateMoment } from './alarm-since.tsx';
import { classNames } from './class-names.ts';
import { QualityMark, ValueText, type ValueTextProps } from './value-text.tsx';
import type { VariableView } from './variable-view.ts';

/** The present number of a variable. Another number is written into its text, and nothing is rendered again. */
export function LiveValue({ view, ...rest }: { readonly view: VariableView } & Pick<ValueTextProps, 'unit' | 'size'>) {
	const hasNumber = useComputed(() => view.number.value !== null);
	return <ValueText text={hasNumber.value ? view.number : null} current={view.isCurrent.value} {...rest} />;
}

/**
 * The age of the newest sample, with the time in UTC as a tooltip. It counts without rendering the component again. A dash without a
 * sample; nothing until the variable was read.
 */
export function Age({ view: { age, at, quality } }: { readonly view: VariableView }) {
	const isOld = quality.value !== undefined && quality.value !== 'good';
	if (at.value === null) return <span class={classNames('age', isOld && 'old')}>{quality.value === undefined ? '' : '—'}</span>;
	return (
		<time class={classNames('age', isOld && 'old')} dateTime={new Date(at.value).toISOString()} title={formatUtc(at.value)}>
			{age}
		</time>
	);
}

interface ReasonsProps {
	readonly variable: Variable;
	readonly view: VariableView;
	readonly alarm: TileAlarm | null;
}

/** Shows why a variable is marked: its alarm, and the fault of its data. */
export function Reasons({ variable, view, alarm }: ReasonsProps) {
	const shown = view.shown.value;
	return (
		<>
			{alarm !== null && (
				<span class="reason">
					<b>{alarm.name}</b>
					{(!alarm.isOfBit || alarm.isForNoData) && ` · ${limitWords(alarm, variable.unit)}`}
					<HowLong since={alarm.since} /> · {alarmStateText().states[alarm.state].toLowerCase()}
				</span>
			)}
			{alarm?.contradictsValue === true && (
				<span class="reason">
					{/* For example: state of 10:41; its condition holds now. */}
					<StateMoment holds={alarm.isBeyond} />
				</span>
			)}
			{shown !== null && shown.quality !== 'good' && (
				<span class="reason">
					<QualityMark quality={shown.quality} word={qualityWords()[shown.quality]} />
					{shown.reason !== null && ` · ${reasonText(shown.reason, { ownName: variable.name, age: view.age.value })}`}
				</span>
			)}
		</>
	);
}

/** How long an alarm has been in its state. It counts without rendering the tile again. */
function HowLong({ since }: Pick<TileAlarm, 'since'>) {
	const age = useComputed(() => (since === null ? '' : ` · ${formatAge(now.value - Date.parse(since))}`));
	return <>{age}</>;
}

/** The word for the hatch of outdated values, for screen readers. */
export function Outdated() {
	return showsOutdated.value ? <span class="sr">{commonText().outdated}</span> : null;
}
