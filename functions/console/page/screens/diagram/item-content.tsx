import { markedStateOf } from '#page/core/alarm-state.ts';
import { now } from '#page/core/clock.ts';
import type { Variable } from '#page/core/definitions.ts';
import { formatValue } from '#page/format/number.ts';
import { formatAge, formatUtc } from '#page/format/time.ts';
import { alarmMarkLabel } from '#page/i18n/alarm-states.ts';
import { qualityWords } from '#page/i18n/reasons.ts';
import { stateWords } from '#page/i18n/state-words.ts';
import { AlarmMark } from '#page/parts/alarm-mark.tsx';
import { StateShape } from '#page/parts/state-shape.tsx';
import { QualityMark, ValueText } from '#page/parts/value-text.tsx';
import type { DraftItem } from './diagram-draft.ts';
import { type ItemReading, labelOf } from './item-reading.ts';

interface ItemContentProps {
	readonly item: DraftItem;
	readonly variable: Variable | undefined;
	readonly reading: ItemReading;
}

/** Label, age or quality, and value of an item, with the mark of its alarm. */
export function ItemContent({ item, variable, reading: { shown, state, alarm } }: ItemContentProps) {
	const isGood = shown?.quality === 'good';
	const at = shown?.at ?? null;
	const age = at === null ? '' : formatAge(now.value - at);
	return (
		<>
			{alarm !== null && (
				<AlarmMark
					severity={alarm.severity}
					state={markedStateOf(alarm)}
					label={`${alarmMarkLabel(alarm.severity, markedStateOf(alarm))}: ${alarm.name}`}
				/>
			)}
			<small title={at === null ? undefined : formatUtc(at)}>
				{labelOf(item, variable)} ·{' '}
				{shown === null || isGood ? (
					age
				) : (
					<QualityMark quality={shown.quality} word={`${qualityWords()[shown.quality]} ${age}`} />
				)}
			</small>
			{state === undefined ? (
				<ValueText
					text={shown?.value === null || shown === null ? null : formatValue(item.varId, shown.value)}
					unit={variable?.unit}
					current={isGood}
				/>
			) : (
				<span class="item-state">
					<StateShape kind="state" on={isGood ? state : null} />
					<ValueText
						text={state === null ? null : state ? stateWords().state.on : stateWords().state.off}
						current={isGood}
						size="cell"
					/>
				</span>
			)}
		</>
	);
}
