import type { ReportLine } from '../board/report.ts';
import type { ReferenceNumber } from '../totals/night-rise.ts';

/** A night of a watched line. */
export interface WatchedNight {
	/** Its local date. */
	readonly date: string;
	/** Null: it has no value. */
	readonly value: number | null;
	readonly low: number | null;
}

/** A rise that lasts for as many nights as its line says. */
export interface RaisedWatch {
	/** The local date of its first night. */
	readonly since: string;
	/** Number of its nights. */
	readonly nights: number;
	/** Whether the bounds of the last nights that count say so, too. */
	readonly certain: boolean;
}

/** Number of stored days in which a rise is looked for. */
export const watchedDays = 56;

/**
 * Returns the rise that lasts at the last of some nights (shared/domain/totals/LIMITS.md#watch); null: there is none.
 * @param nights ascending
 */
export function raisedWatch(
	nights: readonly WatchedNight[],
	{ value: usual, high: mostUsual }: Pick<ReferenceNumber, 'value' | 'high'>,
	watch: NonNullable<ReportLine['watch']>,
): RaisedWatch | null {
	if (usual === null) return null;
	let [count, certain, since] = [0, true, ''];
	for (const { date, value, low } of nights.toReversed()) {
		if (value === null) continue;
		if (value - usual <= watch.rise) break;
		count += 1;
		since = date;
		if (count <= watch.nights) certain &&= low !== null && mostUsual !== null && low - mostUsual > watch.rise;
	}
	return count < watch.nights ? null : { since, nights: count, certain };
}
