import { scaleFraction, type ValueRange } from '#page/core/past/value-range.ts';

/** The values that a bar shows, in the unit of the value. */
export interface BarContent {
	readonly scale: ValueRange;
	/** The usual range, for example today's. */
	readonly band: ValueRange | null;
	readonly limits: readonly number[];
	readonly value: number | null;
	/** The limit that the value is beyond; null while there is no active alarm. */
	readonly excessFrom: number | null;
}

/** A part of a bar, in percent of its width. */
export interface BarPart {
	readonly left: number;
	readonly width: number;
}

/** The places of a bar's marks, in percent of its width. */
export interface BarGeometry {
	/** The place of the value. */
	readonly pointer: number | null;
	readonly band: BarPart | null;
	readonly limits: readonly number[];
	readonly excess: BarPart | null;
}

/**
 * Returns the places of the marks; null when the scale has no width. Values beyond the scale are placed at its end, but limits beyond it
 * are left out.
 */
export function barGeometryOf({ scale, band, limits, value, excessFrom }: BarContent): BarGeometry | null {
	if (!(scale.from < scale.to)) return null;
	const placeOf = (number: number): number => Math.min(1, Math.max(0, scaleFraction(number, scale.from, scale.to))) * 100;
	const partBetween = (one: number, other: number): BarPart => {
		const [left, right] = [placeOf(Math.min(one, other)), placeOf(Math.max(one, other))];
		return { left, width: right - left };
	};
	const shownValue = value !== null && Number.isFinite(value) ? value : null;
	return {
		pointer: shownValue === null ? null : placeOf(shownValue),
		band: band === null ? null : partBetween(band.from, band.to),
		limits: limits.filter((limit) => limit >= scale.from && limit <= scale.to).map(placeOf),
		excess: shownValue === null || excessFrom === null ? null : partBetween(excessFrom, shownValue),
	};
}
