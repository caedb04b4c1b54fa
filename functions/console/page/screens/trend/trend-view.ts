import { dayMs } from '#domain/milliseconds.ts';
import { type Comparison, comparisonText, parseComparison } from './comparison.ts';
import { lengthText, maxLengthMs, parseLength, rangeBetween, type TimeRange } from './time-range.ts';

/** The parameters in the address of a trend. */
export interface TrendView {
	/** The opened chart board; null without one. */
	readonly chart: number | null;
	/** The ids of the variables in their order; null for those of the board. */
	readonly ids: readonly number[] | null;
	readonly range: TimeRange;
	/** Whether the address names another range, which cannot be shown: it is broken, too long, or ends in the future. */
	readonly isOtherRange: boolean;
	/** The comparison of the range; null without one. */
	readonly comparison: Comparison | null;
}

/** The most variables of one trend: as many as a chart board can keep (shared/http/README.md#limits). */
export const maxTrendIds = 48;

/** The range of an address without one: the last 24 h. */
const defaultRange: TimeRange = { follows: true, lengthMs: dayMs };

/** Reads a trend from the parameters of an address. Invalid parameters are ignored, but for the range, which `isOtherRange` tells. */
export function parseTrendView(params: URLSearchParams, now: number): TrendView {
	const ids = params.get('ids');
	return {
		chart: idOf(params.get('chart') ?? ''),
		ids: ids === null ? null : [...new Set(ids.split(',').flatMap((text) => idOf(text) ?? []))].slice(0, maxTrendIds),
		...parseRange(params, now),
		comparison: parseComparison(params.get('compare') ?? ''),
	};
}

/** Returns the parameters of the address of a trend, as `parseTrendView` reads them. */
export function trendParams({
	chart,
	ids,
	range,
	comparison,
}: Omit<TrendView, 'isOtherRange'>): Readonly<Record<string, string>> {
	return {
		...(chart === null ? {} : { chart: String(chart) }),
		...(ids === null ? {} : { ids: ids.join() }),
		...(range.follows
			? { range: lengthText(range.lengthMs) }
			: { from: new Date(range.start).toISOString(), to: new Date(range.end).toISOString() }),
		...(comparison === null ? {} : { compare: comparisonText(comparison) }),
	};
}

function parseRange(params: URLSearchParams, now: number): Pick<TrendView, 'range' | 'isOtherRange'> {
	// A missing or wrong time is NaN, which is neither before nor after another.
	const from = Date.parse(params.get('from') ?? '');
	const to = Date.parse(params.get('to') ?? '');
	if (from < to && from < now) return { range: rangeBetween(from, to, now), isOtherRange: to > now || to - from > maxLengthMs };
	const lengthMs = parseLength(params.get('range') ?? '');
	return {
		range: lengthMs === null ? defaultRange : { follows: true, lengthMs },
		isOtherRange: params.has('from') || params.has('to') || (lengthMs === null && params.has('range')),
	};
}

/** Parses an id; null for any other text. Fifteen digits always are a safe integer. */
function idOf(text: string): number | null {
	return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}
