import { isAtMost } from '#domain/totals/shown-number.ts';
import type { Schemas } from '#page/core/api.ts';
import { withUnit } from '#page/format/condition.ts';
import { formatNumber } from '#page/format/number.ts';
import { cellWords, signed, signedBounds } from './report-cells.ts';
import { numberIn, type ReportColumn } from './report-model.ts';

/** A rise is as usual within so many spreads of the reference (water.md N5). */
const usualSpreads = 2;

/** A narrow space that does not break. */
const percentSign = '\u202f%';

/** The words of a rise above the reference of a line, without its unit. */
export interface RiseWords {
	/** The rise with its sign; null: it is not known, or only up to where it may be. */
	readonly number: string | null;
	/** The same without its sign. */
	readonly size: string | null;
	/** The same in per cent of the reference, with its sign and its bounds; null where the reference may be 0. */
	readonly percent: string | null;
	readonly percentBounds: string | null;
	/** Between which numbers it lies; null where it is exact or nothing is known. */
	readonly bounds: string | null;
	/** The same with the unit of the line. */
	readonly boundsInUnit: string | null;
	/** Up to where a rise or a fall is as usual: twice the spread of the reference. Null without a spread. */
	readonly usual: string | null;
	/** Whether it is more than usual. */
	readonly isBeyond: boolean;
	/** Whether it is a fall, and one that is more than usual. */
	readonly isFall: boolean;
	readonly isBelow: boolean;
}

/**
 * Returns the words of a rise; null where the line has none.
 * @param window its index; null for the whole period
 */
export function riseWords(column: ReportColumn, window: number | null): RiseWords | null {
	const { line, decimals } = column;
	const rise = window === null ? line.rise?.total : line.rise?.windows[window];
	if (rise === undefined) return null;
	const counted = window === null ? line.total : numberIn(column, window);
	// Of a night in part the rise is an upper bound, too. A number that is not shown, because too little of its time is known, has no rise.
	const isTold = !isAtMost(counted, column.function) && cellWords(counted, column).number !== null;
	const value = isTold ? rise.value : null;
	const percent = isTold ? rise.percent : { ...rise.percent, value: null };
	const usual = line.reference?.spread == null ? null : usualSpreads * line.reference.spread;
	const bounds = boundsOf(rise, decimals, '');
	if (value === null && bounds === null) return null;
	return {
		number: value === null ? null : signed(value, decimals),
		size: value === null ? null : formatNumber(Math.abs(value), { decimals }),
		percent: percent.value === null ? null : `${signed(percent.value, 0)}${percentSign}`,
		percentBounds: boundsOf(percent, 0, percentSign),
		bounds,
		boundsInUnit: boundsOf(rise, decimals, withUnit('', line.unit)),
		usual: usual === null ? null : signed(usual, decimals).replace('+', '±\u202f'),
		isBeyond: value !== null && usual !== null && value > usual,
		isFall: value !== null && value < 0,
		isBelow: value !== null && usual !== null && value < -usual,
	};
}

/** Returns the bounds of a difference; null where it is exact. */
function boundsOf({ low, high }: Omit<Schemas['RisePercent'], 'value'>, decimals: number, unit: string): string | null {
	return low === high ? null : signedBounds({ low, high }, decimals, unit);
}
