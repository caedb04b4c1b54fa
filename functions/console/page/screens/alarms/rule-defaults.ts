import { effectiveRules } from '#domain/alarm/effective-rules.ts';
import type { Variable } from '#page/core/definitions.ts';

/**
 * Returns the default rules of an alarm in seconds, as the service applies them. The service raises a `noDataSeconds` that is too short.
 * @param noDataSeconds the typed number; null for the default
 */
export function rulesInSeconds(
	{ varsTsdb }: Pick<Variable, 'varsTsdb'>,
	noDataSeconds: number | null = null,
): { readonly onDelay: number; readonly offDelay: number; readonly noData: number | null } {
	const queries = Object.entries(varsTsdb).map(
		([name, { calc_unit, calc_unit_topic, ...query }]) =>
			[name, { ...query, calc_unit: calc_unit ?? calc_unit_topic ?? undefined }] as const,
	);
	const { onDelayMs, offDelayMs, noDataMs } = effectiveRules({ noDataSeconds }, { varsTsdb: new Map(queries) });
	return { onDelay: onDelayMs / 1000, offDelay: offDelayMs / 1000, noData: noDataMs === null ? null : noDataMs / 1000 };
}
