import type { Variable } from './definitions.ts';

const hourSeconds = 3600;

/**
 * Returns for how many seconds a sample of a variable is assumed to be known: an hour where a query reads windows, which do not say how often
 * the source reports. Undefined where all read newest samples: their hold follows from the period.
 */
export function assumedHoldSeconds(variable: Variable | undefined): number | undefined {
	const queries = Object.values(variable?.varsTsdb ?? {});
	return queries.some((query) => query.calc_type_period !== 'last') ? hourSeconds : undefined;
}
