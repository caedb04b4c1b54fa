import type { ListedAlarm } from '#page/core/alarms.ts';
import type { Schemas } from '#page/core/api.ts';
import type { Variable } from '#page/core/definitions.ts';
import type { History } from '#page/core/past/read-history.ts';
import { type ValueScale, valueScale } from '#page/core/past/round-scale.ts';
import {
	aggregateColumnOf,
	type Band,
	type Column,
	equalRuns,
	findGaps,
	type Gap,
	gapsMs,
	ownPeriodMs,
	valueOrBit,
} from '#page/core/past/windows.ts';
import { isStateUnit } from '#page/core/shown.ts';
import { bitsOf } from '#page/core/variable-kind.ts';
import { type ComparedHistory, type Comparison, comparedWindows } from './comparison.ts';
import { type CurveSummary, curveSummary, numbersIn, type StripSummary, stripSummary } from './trend-summaries.ts';

/** The properties that curves and strips have in common. */
interface TrendLine {
	/** The id of the variable; with the position of a bit: `18.4`. */
	readonly key: string;
	readonly varId: number;
	readonly name: string;
	/** The value of each window: the mean if the service has it, otherwise the variable's own aggregate. */
	readonly values: Column;
	readonly gaps: readonly Gap[];
	/** The total length of its gaps. */
	readonly missingMs: number;
	readonly quality: Schemas['Quality'];
	readonly reason: Schemas['Reason'] | null;
	/** The same line in the compared range; null without one. */
	readonly compared: ComparedLine | null;
}

/** A line in the compared range. Its values belong to the windows of the shown range. */
export interface ComparedLine {
	readonly values: Column;
	readonly gaps: readonly Gap[];
	/** The mean over the whole compared range. For a state it is the share of time in which it was on. Null without values. */
	readonly mean: number | null;
}

/** A variable that is drawn as a curve. */
export interface Curve extends TrendLine {
	readonly unit: string;
	/** The number of its colour and dashes, from 0. */
	readonly look: number;
	/** The least and the greatest value of each window; null if the service has none. */
	readonly band: Band | null;
	/** Of the whole range; null without values. */
	readonly summary: CurveSummary | null;
}

/**
 * A state that is drawn as a strip: a boolean, or a bit. The values of a boolean are the share of the window in which it was on. Those of a
 * bit are its newest state in the window, 1 or 0, because bytes have no mean.
 */
export interface Strip extends TrendLine {
	/** The position of the bit; null for a boolean. */
	readonly bit: number | null;
	/** Of the whole range; null without values. */
	readonly summary: StripSummary | null;
}

/** The threshold of an alarm beside a pane's curves. */
export interface PaneLimit {
	readonly alarm: ListedAlarm;
	/** Whether the threshold lies on the scale, or above or below it. */
	readonly place: 'inside' | 'above' | 'below';
}

/** The curves of one unit. */
export interface Pane {
	readonly unit: string;
	readonly curves: readonly Curve[];
	readonly scale: ValueScale;
	readonly limits: readonly PaneLimit[];
}

/** Everything that a trend draws. */
export interface TrendModel {
	/** The bounds of the windows, epoch milliseconds: one more than there are windows. */
	readonly bounds: readonly number[];
	readonly period: History['period'];
	readonly panes: readonly Pane[];
	readonly strips: readonly Strip[];
	/** The comparison of the lines; null without one. */
	readonly comparison: Comparison | null;
	/** Whether the windows are too long to compare the two histories. */
	readonly isTooCoarse: boolean;
}

/** The data beside the history that a trend needs. */
export interface TrendContext {
	readonly variables: ReadonlyMap<number, Variable>;
	readonly alarms: readonly ListedAlarm[];
	/** The labels of the opened board by variable. */
	readonly labels: ReadonlyMap<number, string>;
	/** The history to compare with; null without one. */
	readonly compared: ComparedHistory | null;
}

/** The aggregates that a trend asks for. */
export const trendAggregates = ['own', 'mean', 'min', 'max'] as const;

/** Builds the model of a trend: a pane for each unit in the order of the variables, and a strip for each state. */
export function trendModel(history: History, context: TrendContext): TrendModel {
	const { bounds, period } = history;
	const { compared } = context;
	const windows = compared === null ? null : comparedWindows(history, compared);
	const comparedLines = compared?.history.variables.flatMap((row) => linesOf(row, compared.history.bounds, context)) ?? [];
	const lines = history.variables
		.flatMap((row) => linesOf(row, bounds, context))
		.map((line): Curve | Strip => {
			const other = comparedLines.find(({ key }) => key === line.key);
			return { ...line, compared: other === undefined || windows === null ? null : comparedLine(other, windows) };
		});
	const strips = lines.filter((line) => 'bit' in line);
	const curves = lines.filter(isCurve).map((curve, look) => ({ ...curve, look }));
	const units = [...new Set(curves.map(({ unit }) => unit))];
	const panes = units.map((unit) =>
		paneOf(
			unit,
			curves.filter((curve) => curve.unit === unit),
			context.alarms,
		),
	);
	const comparison = windows === null ? null : (compared?.comparison ?? null);
	return { bounds, period, panes, strips, comparison, isTooCoarse: compared !== null && windows === null };
}

/** Returns the curves and strips in one list, in the order of legend, table and CSV. */
export function linesIn({ panes, strips }: TrendModel): readonly (Curve | Strip)[] {
	return [...panes.flatMap(({ curves }) => curves), ...strips];
}

/** Whether a line is a curve. */
export function isCurve(line: Curve | Strip): line is Curve {
	return 'unit' in line;
}

/** Returns the window that a time is in; null outside of the range. The last window includes its end. */
export function plottedWindowAt(bounds: readonly number[], time: number): number | null {
	const last = bounds.length - 1;
	if (last < 1 || time < (bounds[0] ?? 0) || time > (bounds[last] ?? 0)) return null;
	const index = bounds.findLastIndex((bound) => bound <= time);
	return Math.min(index, last - 1);
}

/** Returns the middle of a window, where curves have their points. */
export function middleOf(bounds: readonly number[], index: number): number {
	return ((bounds[index] ?? 0) + (bounds[index + 1] ?? 0)) / 2;
}

type HistoryRow = History['variables'][number];

/** Returns the lines of a variable: a strip for each bit of a byte, a strip for a state, and a curve for any other. None is compared yet. */
function linesOf(row: HistoryRow, bounds: readonly number[], { variables, labels }: TrendContext): readonly (Curve | Strip)[] {
	const variable = variables.get(row.id);
	const name = labels.get(row.id) ?? row.name ?? `#${row.id}`;
	// Every history has the aggregate `own`, because it is asked for. Only the types allow that it is missing.
	const own = row.values.own ?? bounds.slice(1).map(() => null);
	const values = aggregateColumnOf({ values: { ...row.values, own } }, 'mean');
	/** The windows that have samples without a value. All windows of a variable that cannot be read count as such. */
	const bad = new Set(row.quality === 'bad' ? bounds.keys() : Object.values(row.faults ?? {}).flat());
	const gaps = findGaps(values, bad, bounds, ownPeriodMs(row));
	const line = {
		key: String(row.id),
		varId: row.id,
		name,
		values,
		gaps,
		missingMs: gapsMs(gaps, bounds),
		quality: row.quality,
		reason: row.reason ?? null,
		compared: null,
	};
	if (variable?.binary_compressed === true)
		return bitsOf(variable).map(({ bit, name: bitName }) => {
			const states = own.map((value) => valueOrBit(value, bit));
			return { ...line, key: `${row.id}.${bit}`, name: bitName, bit, values: states, summary: stripSummary(states, bounds) };
		});
	if (isStateUnit(row.unit ?? '')) return [{ ...line, bit: null, summary: stripSummary(values, bounds) }];
	const { min, max } = row.values;
	const band = min === undefined || max === undefined ? null : { low: min, high: max };
	// The curves of all variables get their looks together (see `trendModel`).
	return [{ ...line, unit: row.unit ?? '', look: 0, band, summary: curveSummary(values, band, bounds) }];
}

/**
 * Returns a line of the compared range in the windows of the shown range.
 * @param windows the window of the compared range for each window of the shown range; -1 without one
 */
function comparedLine(line: Curve | Strip, windows: readonly number[]): ComparedLine {
	const kinds = windows.map((window) => line.gaps.find(({ from, to }) => from <= window && window < to)?.kind ?? null);
	return {
		values: windows.map((window) => line.values[window] ?? null),
		gaps: equalRuns(kinds).flatMap(({ of: kind, from, to }) => (kind === null ? [] : [{ kind, from, to }])),
		mean: (isCurve(line) ? line.summary?.mean : line.summary?.share) ?? null,
	};
}

/** Returns the pane of the curves of one unit, with the thresholds of their alarms. A threshold of `==` or `!=` is no limit of a curve. */
function paneOf(unit: string, curves: readonly Curve[], alarms: readonly ListedAlarm[]): Pane {
	const ids = new Set(curves.map(({ varId }) => varId));
	const limitAlarms = alarms.filter(
		({ varId, bit, condition }) => ids.has(varId) && (bit ?? null) === null && condition !== '==' && condition !== '!=',
	);
	const values = curves.flatMap(({ summary, compared }) => [
		...(summary === null ? [] : [summary.min, summary.max]),
		...numbersIn(compared?.values ?? []),
	]);
	const scale = valueScale(
		values,
		limitAlarms.map(({ threshold }) => threshold),
	);
	const limits = limitAlarms.map((alarm) => ({ alarm, place: placeOnScale(alarm.threshold, scale) }));
	return { unit, curves, scale, limits };
}

function placeOnScale(threshold: number, { min, max }: ValueScale): PaneLimit['place'] {
	if (threshold > max) return 'above';
	return threshold < min ? 'below' : 'inside';
}
