import { type BandedWindows, valueOrBit } from './windows.ts';

/** What is known of an on and off in one window; null where nothing is. */
export interface WindowState {
	/** Whether it was on at the end. */
	readonly isOn: boolean;
	/** Whether it changed within the window; null where that is not known. */
	readonly changed: boolean | null;
}

/** Returns the states of windows: on is any number but 0, or a bit that is set. */
export function windowStates(
	{ values, band }: Omit<BandedWindows, 'bounds'>,
	bit: number | null,
): readonly (WindowState | null)[] {
	return values.map((value, index) => {
		const state = valueOrBit(value, bit);
		if (state === null) return null;
		const [low, high] = [band?.low[index] ?? null, band?.high[index] ?? null];
		return { isOn: state !== 0, changed: low === null || high === null ? null : changedBetween(low, high, bit) };
	});
}

/** Another bit of the byte may be the one that changed. Values of both signs need not have been zero between. */
function changedBetween(low: number, high: number, bit: number | null): boolean | null {
	if (low === high) return false;
	if (bit !== null) return null;
	if (low > 0 || high < 0) return false;
	return low === 0 || high === 0 ? true : null;
}
