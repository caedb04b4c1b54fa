import { now } from '#page/core/clock.ts';
import type { Variable } from '#page/core/definitions.ts';
import { readingOf } from '#page/core/readings.ts';
import { isStateUnit, type Shown, shownOf, stateOf } from '#page/core/shown.ts';
import { alarmsOfBinding, type TileAlarm } from '#page/core/tile-alarm.ts';
import { formatValue } from '#page/format/number.ts';
import { formatAge, formatUtc } from '#page/format/time.ts';
import { alarmMarkLabel } from '#page/i18n/alarm-states.ts';
import { qualityWords } from '#page/i18n/reasons.ts';
import { stateWords } from '#page/i18n/state-words.ts';
import { AlarmMark } from '#page/parts/alarm-mark.tsx';
import { StateShape } from '#page/parts/state-shape.tsx';
import { QualityMark, ValueText } from '#page/parts/value-text.tsx';
import type { BoundSymbol } from './symbols/drawn-diagram.ts';
import { nameOf } from './symbols/scene.tsx';

interface ItemContentProps {
	readonly item: BoundSymbol;
	readonly variables: ReadonlyMap<number, Variable>;
	readonly reading: ItemReading;
}

/** Label, age or quality, and value of an item, with the mark of its alarm. */
export function ItemContent({ item, variables, reading: { shown, state, alarm } }: ItemContentProps) {
	const words = stateWords().state;
	const isGood = shown?.quality === 'good';
	const at = shown?.at ?? null;
	const age = at === null ? '' : formatAge(now.value - at);
	return (
		<>
			{alarm !== null && (
				<AlarmMark
					severity={alarm.severity}
					state={alarm.state}
					label={`${alarmMarkLabel(alarm.severity, alarm.state)}: ${alarm.name}`}
				/>
			)}
			<small title={at === null ? undefined : formatUtc(at)}>
				{nameOf(item, variables)} ·{' '}
				{shown === null || isGood ? (
					age
				) : (
					<QualityMark quality={shown.quality} word={`${qualityWords()[shown.quality]} ${age}`} />
				)}
			</small>
			{state === undefined ? (
				<ValueText
					text={shown === null || shown.value === null ? null : formatValue(item.varId, shown.value)}
					unit={variables.get(item.varId)?.unit}
					current={isGood}
				/>
			) : (
				<span class="item-state">
					<StateShape kind="state" on={isGood ? state : null} />
					<ValueText text={state === null ? null : words[state ? 'on' : 'off']} current={isGood} size="cell" />
				</span>
			)}
		</>
	);
}

/** The reading of a variable or its bit as a diagram shows it. */
export interface ItemReading {
	/** Null until it was read. */
	readonly shown: Shown | null;
	/** The state of a bit or a boolean: on, off, or null if it is not known. Undefined if the item is a number. */
	readonly state: boolean | null | undefined;
	/** The worst alarm that is active or not acknowledged. */
	readonly alarm: TileAlarm | null;
}

/** Returns the present reading of an item. Call it while rendering, so that the component follows the polls. */
export function itemReading({ varId, bit }: Pick<BoundSymbol, 'varId' | 'bit'>, variable: Variable | undefined): ItemReading {
	const reading = readingOf(varId).value;
	const shown = reading === undefined ? null : shownOf(reading);
	const isState = bit !== null || isStateUnit(variable?.unit ?? '');
	return { shown, state: isState ? stateOf(shown, bit) : undefined, alarm: alarmsOfBinding(varId, bit).worst };
}
