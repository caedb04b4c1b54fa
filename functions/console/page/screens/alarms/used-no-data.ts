import { effectiveRules } from '#domain/alarm/effective-rules.ts';
import type { Variable } from '#page/core/definitions.ts';

/**
 * Returns the time without data after which an alarm is raised, in seconds, as the service applies it: a longer one if `noDataSeconds` is
 * too short for the variable. Null means never.
 * @param noDataSeconds the typed number; null for the default
 */
export function usedNoDataSeconds({ varsTsdb }: Pick<Variable, 'varsTsdb'>, noDataSeconds: number | null = null): number | null {
	// A query has the unit of its lookback in one of two fields (shared/domain/variable/README.md). The domain takes no null.
	const queries = Object.entries(varsTsdb).map(
		([name, { calc_unit, calc_unit_topic, ...query }]) =>
			[name, { ...query, calc_unit: calc_unit ?? calc_unit_topic ?? undefined }] as const,
	);
	const { noDataMs } = effectiveRules({ noDataSeconds }, { varsTsdb: new Map(queries) });
	return noDataMs === null ? null : noDataMs / 1000;
}
