import type { Schemas } from './api.ts';
import { valueOrBit } from './past/windows.ts';

/** The newest value of a reading as a screen shows it. */
export interface Shown {
	/** The number; null where there is none that can be shown. 0 is a value. */
	readonly value: number | null;
	/** When it was sampled, epoch milliseconds. */
	readonly at: number | null;
	readonly quality: Schemas['Quality'];
	readonly reason: Schemas['Reason'] | null;
	readonly unit: string;
	readonly bits: readonly Schemas['BitState'][];
}

/** The qualities worst first, as a list of variables is sorted. `skipped` stands near the end: the next poll reads it. */
export const worstFirst: readonly Schemas['Quality'][] = ['bad', 'missing_reference', 'no_data', 'stale', 'skipped', 'good'];

/** Returns what a screen shows of a reading. Of a history, that is its newest value. */
export function shownOf(reading: Schemas['Reading']): Shown {
	const { value, at } = newestOf(reading);
	return {
		value,
		at,
		quality: reading.quality,
		reason: reading.reason ?? null,
		unit: reading.unit ?? '',
		bits: 'bits' in reading ? reading.bits : [],
	};
}

/** Whether variables of this unit are states (on or off) and no measurements. Sources have no type for states, so the unit says it. */
export function isStateUnit(unit: string): boolean {
	return /^bool(ean)?$/i.test(unit);
}

/** Returns the newest state of a variable or of its bit: on (any number but 0), off, or null where none is known. It may be stale. */
export function stateOf(shown: Shown | null, bit: number | null | undefined): boolean | null {
	if (shown === null || !isUsable(shown.quality)) return null;
	const value = valueOrBit(shown.value, bit ?? null);
	return value === null ? null : value !== 0;
}

/**
 * Returns the state at present: null where it is not known now. A stale state is not: the pump may have stopped since. A screen draws
 * its shape as unknown and its last word in grey, as it draws a stale number.
 */
export function currentStateOf(shown: Shown | null, bit: number | null | undefined): boolean | null {
	return shown?.quality === 'good' ? stateOf(shown, bit) : null;
}

/** Whether a value of this quality is a number of the plant: good, or stale and marked so. */
export function isUsable(quality: Schemas['Quality']): boolean {
	return quality === 'good' || quality === 'stale';
}

function newestOf(reading: Schemas['Reading']): Pick<Shown, 'value' | 'at'> {
	if ('series' in reading) {
		const [time, value] = reading.series.findLast((point) => point[1] !== null) ?? [];
		const isKnown = typeof value === 'number' && isUsable(reading.quality);
		return { value: isKnown ? value : null, at: typeof time === 'string' ? Date.parse(time) : null };
	}
	if (!('value' in reading)) return { value: null, at: null };
	return {
		value: isUsable(reading.quality) ? reading.value : null,
		at: reading.time === null ? null : Date.parse(reading.time),
	};
}
