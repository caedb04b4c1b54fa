import type { Schemas } from '#page/core/api.ts';
import { scaleFraction } from '#page/parts/scale-fraction.ts';
import { bodyOf, type Draft, durationMsOf, type QueryDraft } from './draft.ts';

/** A curve in a box of 100 by 100, with y downwards. */
export interface TypedCurve {
	/** The `d` of an SVG path: every gap begins a new part. '' without a value. */
	readonly path: string;
	/** The x from which values are missing up to the end; null where the newest window has one. */
	readonly missingFrom: number | null;
	/** The values of the horizontal lines, ascending. The first one is at the bottom, the last one at the top. */
	readonly lines: readonly number[];
	readonly least: number;
	readonly greatest: number;
}

/** A point of a history: its time as the service writes it, and its value. */
export type CurvePoint = readonly (string | number | null)[];

/** How much of the past the curve shows, in milliseconds. */
export const dayMs = 86_400_000;

/** The shortest windows of the curve: 288 in 24 h. */
const leastPeriod = { count: '5', unit: 'm', ms: 300_000 } as const;

/**
 * Returns the body whose dry run is the last 24 h of a draft: the same formula over windows of its queries' periods, of 5 minutes at
 * least. Null where it would be no curve: windows of a day or more.
 */
export function dayBodyOf(draft: Draft): Schemas['VariableInput'] | null {
	const overDay = (query: QueryDraft): QueryDraft => {
		const isShort = durationMsOf(query.period, query.periodUnit) < leastPeriod.ms;
		const period = isShort ? { period: leastPeriod.count, periodUnit: leastPeriod.unit } : {};
		return { ...query, ...period, lookback: '24', lookbackUnit: 'h' };
	};
	if (!(dayPeriodMsOf(draft) < dayMs)) return null;
	return bodyOf({
		...draft,
		type: 'history',
		query: overDay(draft.query),
		inputs: draft.inputs.map((input) => ({ ...input, query: overDay(input.query) })),
	});
}

/** Returns the length of the windows of `dayBodyOf` in milliseconds: the longest of the queries' periods. */
export function dayPeriodMsOf({ kind, query, inputs }: Draft): number {
	const queries = kind === 'formula' ? inputs.map((input) => input.query) : [query];
	return Math.max(leastPeriod.ms, ...queries.map((each) => durationMsOf(each.period, each.periodUnit)));
}

/**
 * Draws the points of the 24 h up to `to`. Windows without a sample are not among the points, so a step of more than a window and a
 * half is a gap, as null is.
 */
export function curveOf(points: readonly CurvePoint[], to: number, periodMs: number): TypedCurve | null {
	const from = to - dayMs;
	const shown = points
		.map(([time, value]) => ({ at: Date.parse(String(time)), value: typeof value === 'number' ? value : null }))
		.filter(({ at }) => at >= from && at <= to + periodMs);
	const values = shown.flatMap(({ value }) => (value === null ? [] : [value]));
	if (values.length === 0) return null;
	const [least, greatest] = [Math.min(...values), Math.max(...values)];
	const lines = linesOf(least, greatest);
	const [bottom = least, top = greatest] = [lines[0], lines.at(-1)];
	const xOf = (at: number): number => rounded((100 * (Math.min(at, to) - from)) / dayMs);
	const yOf = (value: number): number => rounded(100 - 100 * scaleFraction(value, bottom, top));
	let path = '';
	let last: number | null = null;
	for (const [index, { at, value }] of shown.entries()) {
		if (value === null) {
			last = null;
			continue;
		}
		const place = `${xOf(at)} ${yOf(value)}`;
		const isConnected = last !== null && at - last <= 1.5 * periodMs;
		const next = shown[index + 1];
		const goesOn = next !== undefined && next.value !== null && next.at - at <= 1.5 * periodMs;
		// A part of length zero is drawn as a dot by its round ends.
		path += isConnected ? `L${place}` : goesOn ? `M${place}` : `M${place}h0`;
		last = at;
	}
	const newest = shown.findLast(({ value }) => value !== null);
	const missingFrom = newest === undefined || to - newest.at > 1.5 * periodMs ? xOf(newest?.at ?? from) : null;
	return { path, missingFrom, lines, least, greatest };
}

/** Returns 2 to 6 round values that enclose both; both themselves where arithmetic has no round ones. */
function linesOf(least: number, greatest: number): readonly number[] {
	const span = greatest - least || Math.abs(greatest) || 1;
	const raw = span / 4;
	const power = 10 ** Math.floor(Math.log10(raw));
	const step = ([1, 2, 5, 10].find((each) => each * power >= raw) ?? 10) * power;
	const first = Math.floor(least / step);
	const last = Math.max(first + 1, Math.ceil(greatest / step));
	// By whole steps, so that no error of adding makes 0.30000000000000004 of 0.3.
	const lines = Array.from({ length: Math.min(6, last - first + 1) || 0 }, (_, index) =>
		Number(((first + index) * step).toPrecision(12)),
	);
	const [bottom = Number.NaN, top = Number.NaN] = [lines[0], lines.at(-1)];
	if (bottom <= least && greatest <= top && bottom < top && Number.isFinite(top - bottom)) return lines;
	return least < greatest ? [least, greatest] : [Math.min(0, least), Math.max(0, least)];
}

function rounded(coordinate: number): number {
	return Math.round(coordinate * 100) / 100;
}
