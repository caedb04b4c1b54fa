import { type Alarm, isEnabled } from '../board/alarm.ts';
import { dayMs } from '../milliseconds.ts';
import { lookbackOf, periodOf } from '../variable/query.ts';
import type { Variable } from '../variable/variable.ts';

/** The optional fields of an alarm with their defaults filled in. Durations are whole seconds in milliseconds. */
export interface EffectiveRules {
	readonly enabled: boolean;
	/** In the variable's unit. */
	readonly deadband: number;
	readonly onDelayMs: number;
	readonly offDelayMs: number;
	/** Time without a usable value after which the alarm is raised as `no_data`; null: never. */
	readonly noDataMs: number | null;
}

/** The optional fields of an alarm. */
type OptionalRules = Pick<Alarm, 'enabled' | 'deadband' | 'onDelaySeconds' | 'offDelaySeconds' | 'noDataSeconds'>;

/** The default of the off delay. No variable changes it. */
export const defaultOffDelaySeconds = 60;
const minNoDataMs = 60_000;
const maxDefaultNoDataMs = dayMs;

/**
 * Returns the rules that an alarm is evaluated by (shared/domain/alarm/README.md#definition). `noDataSeconds` is never shorter than 60 s
 * or two periods of the variable; 0 means never. Its default is the lookback, but at least 60 s and at most a day. For a calculated
 * variable, the shortest lookback and the longest period of its inputs count.
 */
export function effectiveRules(alarm: OptionalRules, variable: Pick<Variable, 'varsTsdb'>): EffectiveRules {
	return {
		enabled: isEnabled(alarm),
		deadband: alarm.deadband ?? 0,
		onDelayMs: (alarm.onDelaySeconds ?? 0) * 1000,
		offDelayMs: (alarm.offDelaySeconds ?? defaultOffDelaySeconds) * 1000,
		noDataMs: noDataMsOf(alarm, variable),
	};
}

function noDataMsOf({ noDataSeconds }: OptionalRules, { varsTsdb }: Pick<Variable, 'varsTsdb'>): number | null {
	if (noDataSeconds === 0) return null;
	const queries = [...varsTsdb.values()];
	// A formula without variables has no inputs and always a value.
	const shortestLookbackMs = Math.min(maxDefaultNoDataMs, ...queries.map((query) => lookbackOf(query).ms));
	const longestPeriodMs = Math.max(0, ...queries.map((query) => periodOf(query).ms));
	const chosenMs = noDataSeconds === undefined || noDataSeconds === null ? shortestLookbackMs : noDataSeconds * 1000;
	return wholeSeconds(Math.max(chosenMs, minNoDataMs, 2 * longestPeriodMs));
}

/** Rounds a duration in milliseconds up to whole seconds. */
export function wholeSeconds(ms: number): number {
	return Math.ceil(ms / 1000) * 1000;
}
