import { effectiveRules } from '#domain/alarm/effective-rules.ts';
import type { Variable } from '#page/core/definitions.ts';

/**
 * Returns the default delays of an alarm and its time without data, in seconds, as the service applies them. It applies a longer time
 * without data if `noDataSeconds` is too short for the variable. A `noData` of null means never.
 * @param noDataSeconds the typed number; null for the default
 */
export function rulesInSeconds(
	{ varsTsdb }: Pick<Variable, 'varsTsdb'>,
	noDataSeconds: number | null = null,
): { readonly onDelay: number; readonly offDelay: number; readonly noData: number | null } {
	// A query has the unit of its lookback in one of two fields (shared/domain/variable/README.md). The domain takes no null.
	const queries = Object.entries(varsTsdb).map(
		([name, { calc_unit, calc_unit_topic, ...query }]) =>
			[name, { ...query, calc_unit: calc_unit ?? calc_unit_topic ?? undefined }] as const,
	);
	const { onDelayMs, offDelayMs, noDataMs } = effectiveRules({ noDataSeconds }, { varsTsdb: new Map(queries) });
	return { onDelay: onDelayMs / 1000, offDelay: offDelayMs / 1000, noData: noDataMs === null ? null : noDataMs / 1000 };
}
