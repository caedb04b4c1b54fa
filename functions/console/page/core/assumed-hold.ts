import type { Variable } from './definitions.ts';

const hourSeconds = 3600;

/**
 * Returns the hold in seconds that the page sends for a variable where the service cannot derive one
 * (shared/domain/totals/README.md#signals): an hour, where a query has another aggregate than `last`. Undefined where every query has the
 * aggregate `last`, whose period says it, and for an unknown variable.
 */
export function assumedHoldSeconds(variable: Variable | undefined): number | undefined {
	const queries = Object.values(variable?.varsTsdb ?? {});
	return queries.some((query) => query.calc_type_period !== 'last') ? hourSeconds : undefined;
}
