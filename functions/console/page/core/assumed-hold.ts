import type { Variable } from './definitions.ts';

const hourSeconds = 3600;

/**
 * Returns for how many seconds a sample of a variable is assumed to hold. A query that reads windows does not say how often the source
 * reports, so the answer is an hour. Undefined where all queries read newest samples: then their period says it.
 */
export function assumedHoldSeconds(variable: Variable | undefined): number | undefined {
	const queries = Object.values(variable?.varsTsdb ?? {});
	return queries.some((query) => query.calc_type_period !== 'last') ? hourSeconds : undefined;
}
