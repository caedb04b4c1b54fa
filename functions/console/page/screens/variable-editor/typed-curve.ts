import { dayMs } from '#domain/milliseconds.ts';
import type { Schemas } from '#page/core/api.ts';
import { curveWithDots } from '#page/core/past/curve-path.ts';
import { shareFromTop, type ValueScale, valueScale } from '#page/core/past/round-scale.ts';
import { findGaps, type Windows } from '#page/core/past/windows.ts';
import { type Draft, durationMsOf, type QueryDraft, variableBodyOf } from './draft.ts';

/** A curve in a box of 100 by 100, with y downwards. */
export interface TypedCurve {
	/** The `d` of an SVG path: every gap begins a new part. */
	readonly path: string;
	/** The x from which values are missing up to the end; null when the newest window has a value. */
	readonly missingFrom: number | null;
	/** The scale of the values. Grid lines are drawn at its ticks. */
	readonly scale: ValueScale;
	readonly least: number;
	readonly greatest: number;
}

/** A point of a history: its time as the service writes it, and its value. */
export type CurvePoint = readonly (string | number | null)[];

/** The most steps between the grid lines of the curve. */
const mostLines = 4;

/** The shortest windows of the curve: 288 in 24 h. */
const leastPeriod = { count: '5', unit: 'm', ms: 300_000 } as const;

/**
 * Returns the body whose dry run answers the last 24 h of a draft. It reads windows of the periods of the draft's queries, but of at
 * least 5 minutes. Null if the windows are a day or longer, because they would not make a curve.
 */
export function dayBodyOf(draft: Draft): Schemas['VariableInput'] | null {
	const overDay = (query: QueryDraft): QueryDraft => {
		const isShort = durationMsOf(query.period, query.periodUnit) < leastPeriod.ms;
		const period = isShort ? { period: leastPeriod.count, periodUnit: leastPeriod.unit } : {};
		return { ...query, ...period, lookback: '24', lookbackUnit: 'h' };
	};
	// The length is NaN if a period is not a number. There is no curve of it, either.
	if (!(dayPeriodMsOf(draft) < dayMs)) return null;
	return variableBodyOf({
		...draft,
		type: 'history',
		query: overDay(draft.query),
		inputs: draft.inputs.map((input) => ({ ...input, query: overDay(input.query) })),
	});
}

/** Returns the length of the windows of `dayBodyOf` in milliseconds: the longest of the queries' periods, or 5 minutes if all are shorter. */
export function dayPeriodMsOf(draft: Draft): number {
	return Math.max(leastPeriod.ms, ownPeriodMsOf(draft));
}

/** Returns the own period of a draft in milliseconds: the longest of its queries' periods. NaN if a period is not a number. */
export function ownPeriodMsOf({ kind, query, inputs }: Draft): number {
	const queries = kind === 'formula' ? inputs.map((input) => input.query) : [query];
	return Math.max(0, ...queries.map(({ period, periodUnit }) => durationMsOf(period, periodUnit)));
}

/**
 * Returns the curve of the 24 h up to `to`; null without a value. Gaps follow the rule of all screens (core/past/windows.ts).
 * @param to epoch milliseconds
 * @param periodMs the length of the windows
 * @param ownMs the own period of the draft
 */
export function curveOf(points: readonly CurvePoint[], to: number, periodMs: number, ownMs: number): TypedCurve | null {
	const from = to - dayMs;
	const { values, bounds, bad } = windowsOf(points, from, to, periodMs);
	const present = values.filter((value) => value !== null);
	if (present.length === 0) return null;
	const [least, greatest] = [Math.min(...present), Math.max(...present)];
	const noLimits: readonly number[] = [];
	const scale = valueScale([least, greatest], noLimits, mostLines);
	const gaps = findGaps(values, bad, bounds, ownMs);
	// Each window has its point at its end. The last window may end after the day.
	const x = (index: number): number => (100 * (Math.min(bounds[index + 1] ?? to, to) - from)) / dayMs;
	const path = curveWithDots(values, gaps, { x, y: (value) => 100 * shareFromTop(scale, value) });
	const isMissing = gaps.some((gap) => gap.to === values.length);
	const missingFrom = isMissing ? x(values.findLastIndex((value) => value !== null)) : null;
	return { path, missingFrom, scale, least, greatest };
}

/**
 * Returns the windows of points. The time of a point is the end of its window. Windows without a sample have no point, so the time
 * between two points' windows becomes one empty window. Windows whose value is null are `bad`.
 */
function windowsOf(points: readonly CurvePoint[], from: number, to: number, periodMs: number) {
	const values: (number | null)[] = [];
	const bad = new Set<number>();
	const bounds: number[] = [];
	const add = (end: number, value: number | null): void => {
		values.push(value);
		bounds.push(end);
	};
	for (const [time, value] of points) {
		const windowEnd = Date.parse(String(time));
		// A time that is not readable is NaN, which is not in the day, either.
		const isInDay = windowEnd >= from && windowEnd <= to + periodMs;
		if (!isInDay) continue;
		const windowStart = windowEnd - periodMs;
		if (bounds.length === 0) bounds.push(windowStart);
		else if (windowStart > (bounds.at(-1) ?? windowStart)) add(windowStart, null);
		if (typeof value !== 'number') bad.add(values.length);
		add(windowEnd, typeof value === 'number' ? value : null);
	}
	const lastEnd = bounds.at(-1) ?? to;
	// Time at the end that is shorter than a period gets no empty window: its sample may still come.
	if (to - lastEnd >= periodMs) add(to, null);
	return { values, bounds, bad } satisfies Windows & { bad: ReadonlySet<number> };
}
