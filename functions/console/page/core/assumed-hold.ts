import type { Variable } from './definitions.ts';

const hourSeconds = 3600;

/**
 * Returns for how many seconds a sample of a variable is assumed to hold: an hour where a query reads windows, because windows do not say how
 * often the source reports. Undefined where all queries read newest samples: then the period says how long a sample holds.
 */
export function assumedHoldSeconds(variable: Variable | undefined): number | undefined {
	const queries = Object.values(variable?.varsTsdb ?? {});
	return queries.some((query) => query.calc_type_period !== 'last') ? hourSeconds : undefined;
}
