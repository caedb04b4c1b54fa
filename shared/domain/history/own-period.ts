import type { WirePeriod } from '../calendar/period-choice.ts';
import type { Duration } from '../variable/duration.ts';
import { periodOf } from '../variable/query.ts';
import type { Variable } from '../variable/variable.ts';

/** A variable's own period, as it was saved and as a duration. */
export interface OwnPeriod {
	readonly period: WirePeriod;
	readonly duration: Duration;
}

/** Returns the period of a variable's query; the longest one of a calculated variable. Null where it has no query. */
export function ownPeriodOf({ varsTsdb }: Variable): OwnPeriod | null {
	const periods = [...varsTsdb.values()].map((query) => ({
		period: { count: query.calc_period, unit: query.calc_unit_period },
		duration: periodOf(query),
	}));
	return periods.toSorted((a, b) => b.duration.ms - a.duration.ms)[0] ?? null;
}
