import type { Variable } from './definitions.ts';

const hourSeconds = 3600;

/** Returns for how many seconds a sample of a variable is assumed to be known; undefined where the variable says it: it reads no windows. */
export function assumedHoldSeconds(variable: Variable | undefined): number | undefined {
	const queries = Object.values(variable?.varsTsdb ?? {});
	return queries.some((query) => query.calc_type_period !== 'last') ? hourSeconds : undefined;
}
