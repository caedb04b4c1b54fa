import { type ListedAlarm, openAlarms } from '#page/core/alarms.ts';
import type { Variable } from '#page/core/definitions.ts';
import { readingOf } from '#page/core/readings.ts';
import { isStateUnit, type Shown, shownOf, stateOf } from '#page/core/shown.ts';
import type { DraftItem } from './diagram-draft.ts';

/** What a diagram shows of a variable or of its bit. */
export interface ItemReading {
	/** Null until it was read. */
	readonly shown: Shown | null;
	/** Of a bit or a boolean: on, off, or null where it is not known. Undefined: the item is a number. */
	readonly state: boolean | null | undefined;
	/** The worst alarm that is active or not acknowledged. */
	readonly alarm: ListedAlarm | null;
}

/** Returns what an item shows now. Call it while rendering: the item follows the polls. */
export function itemReading({ varId, bit }: Pick<DraftItem, 'varId' | 'bit'>, variable: Variable | undefined): ItemReading {
	const reading = readingOf(varId).value;
	const shown = reading === undefined ? null : shownOf(reading);
	const isState = bit !== null || isStateUnit(variable?.unit ?? '');
	const alarm = openAlarms.value.find((each) => each.varId === varId && (each.bit ?? null) === bit) ?? null;
	return { shown, state: isState ? stateOf(shown, bit) : undefined, alarm };
}

/** Returns the label of an item: its own, or the name of the bit or of the variable. */
export function labelOf(
	{ varId, bit, label }: Pick<DraftItem, 'varId' | 'bit' | 'label'>,
	variable: Variable | undefined,
): string {
	if (label.trim() !== '') return label;
	const bits = variable?.binary_compressed === true ? variable.bits : [];
	const bitName = bits.find((each) => each.bit === bit)?.name;
	return bitName ?? variable?.name ?? `#${varId}`;
}
