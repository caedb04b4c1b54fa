import type { WirePeriod } from '../calendar/period-choice.ts';
import type { EvaluationFault } from '../equation/functions.ts';
import type { PointFault } from '../ports/time-series.ts';
import type { Quality, Reason } from '../reading/quality.ts';
import type { Aggregate } from '../variable/aggregates.ts';
import type { HistoryAggregate } from './history-aggregates.ts';

/** Why a window with samples has no value. */
export type WindowFault = PointFault | EvaluationFault | 'not_a_byte';

/** One aggregate of every window of a history. */
export interface HistoryColumn {
	/** One for each window: finite, or null. The values of `count` are 0 where a window is empty. */
	readonly values: readonly (number | null)[];
	/** Why a window that has samples has no value, by its index. */
	readonly faults: ReadonlyMap<number, WindowFault>;
}

/** The result of evaluating a variable over a range. */
export interface HistoryEvaluation {
	/** The quality of the range, not of now: never stale. */
	readonly quality: Quality;
	/** null only when the quality is good. */
	readonly reason: Reason | null;
	/** A column for each aggregate that was asked for and that the variable can have. */
	readonly columns: ReadonlyMap<HistoryAggregate, HistoryColumn>;
}

/** The history of one variable. Its name, unit and own windows are null when the id has no variable. */
export interface VariableHistory extends HistoryEvaluation {
	readonly id: number;
	readonly name: string | null;
	readonly unit: string | null;
	/** The variable's own period; the longest of its inputs' for a calculated one, null where it has none. */
	readonly period: WirePeriod | null;
	/** The variable's own aggregate; null for a calculated one: each input has its own. */
	readonly aggregate: Aggregate | null;
	/** The aggregates asked for that the variable cannot have. */
	readonly unavailable: readonly HistoryAggregate[];
}

/** The histories of variables over the same windows. */
export interface History {
	/** n + 1 epoch milliseconds: window i is [bounds[i], bounds[i + 1]). */
	readonly bounds: readonly number[];
	readonly period: WirePeriod;
	/** The canonical name of the zone of `bounds`. */
	readonly timeZone: string;
	/** The start of days in that zone, `HH:MM`. */
	readonly dayStart: string;
	readonly variables: readonly VariableHistory[];
}
