import { type BandedWindows, valueOrBit } from './windows.ts';

/** A state (on or off) in one window. */
export interface WindowState {
	/** Whether it was on at the end. */
	readonly isOn: boolean;
	/** Whether it changed within the window; null where that is not known. */
	readonly changed: boolean | null;
}

/**
 * Returns the states of windows; null where nothing is known. Any number except 0 is on, and so is a bit that is set.
 * @param bit the position of the bit; null for the whole value
 */
export function windowStates(
	{ values, band }: Omit<BandedWindows, 'bounds'>,
	bit: number | null = null,
): readonly (WindowState | null)[] {
	return values.map((value, index) => {
		const state = valueOrBit(value, bit);
		if (state === null) return null;
		const [low, high] = [band?.low[index] ?? null, band?.high[index] ?? null];
		return { isOn: state !== 0, changed: low === null || high === null ? null : changedBetween(low, high, bit) };
	});
}

/**
 * Whether the state changed between the least and the greatest value of a window; null where that is not known. If a byte changed, it may
 * have been another bit. Values of both signs may have passed zero or skipped it.
 */
function changedBetween(low: number, high: number, bit: number | null): boolean | null {
	if (low === high) return false;
	if (bit !== null) return null;
	if (low > 0 || high < 0) return false;
	return low === 0 || high === 0 ? true : null;
}
