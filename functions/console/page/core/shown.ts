import type { Schemas } from './api.ts';
import { valueOrBit } from './past/windows.ts';

/** The newest value of a reading as a screen shows it. */
export interface Shown {
	/** The number; null where no number can be shown. 0 is a value. */
	readonly value: number | null;
	/** When the newest value was sampled, epoch milliseconds; null where none is known. It may be known although `value` is null. */
	readonly at: number | null;
	readonly quality: Schemas['Quality'];
	/** Why the quality is not good; null where the service gives no reason. */
	readonly reason: Schemas['Reason'] | null;
	/** Empty where the reading has no unit. */
	readonly unit: string;
	/** The states of the bits that the variable names; empty for a variable without bits. */
	readonly bits: readonly Schemas['BitState'][];
}

/**
 * The qualities, worst first. Lists of variables are sorted by them. `skipped` (the answer had no room for it) is near the end, because the next poll
 * reads the value.
 */
export const worstFirst: readonly Schemas['Quality'][] = ['bad', 'missing_reference', 'no_data', 'stale', 'skipped', 'good'];

/** Returns the value of a reading as a screen shows it. For a history it is the newest value. */
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

/** Whether variables of this unit are states (on or off) rather than measurements. Sources have no type for states, so the unit marks them. */
export function isStateUnit(unit: string): boolean {
	return /^bool(ean)?$/i.test(unit);
}

/**
 * Returns the newest state of a variable or of its bit, which may be stale: true for on (any number except 0), false for off. Null where
 * no state is known.
 * @param bit the position of the bit; null for the variable itself
 */
export function stateOf(shown: Shown | null, bit: number | null = null): boolean | null {
	if (shown === null || !isUsable(shown.quality)) return null;
	const value = valueOrBit(shown.value, bit);
	return value === null ? null : value !== 0;
}

/**
 * Returns the present state, in the form of `stateOf`. A stale state gives null, because the pump may have stopped since. Screens then
 * draw the shape as unknown and the last state in grey, like a stale number.
 */
export function currentStateOf(shown: Shown | null, bit: number | null = null): boolean | null {
	return shown?.quality === 'good' ? stateOf(shown, bit) : null;
}

/** Whether a value of this quality may be shown as a number: it is good, or stale and marked as stale. */
export function isUsable(quality: Schemas['Quality']): boolean {
	return quality === 'good' || quality === 'stale';
}

/** Returns the newest value of a reading with its time: of a history the last point that has a number, of a single reading that reading. */
function newestOf(reading: Schemas['Reading']): Pick<Shown, 'value' | 'at'> {
	if ('series' in reading) {
		const [time, value] = reading.series.findLast(([, number]) => number !== null) ?? [];
		const isKnown = typeof value === 'number' && isUsable(reading.quality);
		return { value: isKnown ? value : null, at: typeof time === 'string' ? Date.parse(time) : null };
	}
	if (!('value' in reading)) return { value: null, at: null };
	return {
		value: isUsable(reading.quality) ? reading.value : null,
		at: reading.time === null ? null : Date.parse(reading.time),
	};
}
