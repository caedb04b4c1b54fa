import type { Schemas } from './api.ts';
import { valueOrBit } from './past/windows.ts';

/** The newest value of a reading as a screen shows it. */
export interface Shown {
	/** The number; null where no number can be shown. 0 is a value. */
	readonly value: number | null;
	/** When it was sampled, epoch milliseconds. */
	readonly at: number | null;
	readonly quality: Schemas['Quality'];
	readonly reason: Schemas['Reason'] | null;
	readonly unit: string;
	readonly bits: readonly Schemas['BitState'][];
}

/** The qualities, worst first. Lists of variables are sorted by them. `skipped` is near the end, because the next poll reads the value. */
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

/** Returns the newest state of a variable or of its bit: on (any number except 0), off, or null where none is known. It may be stale. */
export function stateOf(shown: Shown | null, bit: number | null | undefined): boolean | null {
	if (shown === null || !isUsable(shown.quality)) return null;
	const value = valueOrBit(shown.value, bit ?? null);
	return value === null ? null : value !== 0;
}

/**
 * Returns the present state; null where it is not known. A stale state gives null, because the pump may have stopped since. Screens then
 * draw the shape as unknown and the last state in grey, like a stale number.
 */
export function currentStateOf(shown: Shown | null, bit: number | null | undefined): boolean | null {
	return shown?.quality === 'good' ? stateOf(shown, bit) : null;
}

/** Whether a value of this quality may be shown as a number: it is good, or stale and marked as stale. */
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
