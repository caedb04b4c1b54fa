import type { rateUnitNames } from '#domain/board/line.ts';
import type { Definition } from '#domain/ports/schema-store.ts';
import type { TotalsDeps } from '#domain/totals/read-windows.ts';

/** The functions of totals that a table may ask for: those of one variable. */
export const tableFunctions = ['total', 'mean', 'min', 'max', 'onTime', 'starts', 'increase'] as const;

/** The journal of alarms of a table: no function of it counts alarms. */
export const noAlarms: TotalsDeps['alarms'] = { events: async () => ({ events: [], next: null }), progress: async () => null };

/** What a table counts of variables. */
interface CountedQuery {
	readonly ids?: readonly number[] | undefined;
	readonly function: (typeof tableFunctions)[number];
	readonly per?: (typeof rateUnitNames)[number] | undefined;
	readonly holdSeconds?: number | undefined;
}

/** Returns the lines of a request for totals: one for each variable, by its id as the key. */
export function linesOfVariables({ ids = [], function: functionName, per, holdSeconds }: CountedQuery) {
	return ids.map((id) => ({ key: String(id), varId: id, function: functionName, per, holdSeconds }));
}

/** Returns how the numbers of variables are shown, by their keys: with the names of the variables, and the units that follow from theirs. */
export function countedVariables(
	{ ids = [], ...query }: CountedQuery,
	variables: ReadonlyMap<number, Definition>,
): ReadonlyMap<string, { readonly name: string; readonly unit: string }> {
	const heads = ids.flatMap((id) => {
		const variable = variables.get(id)?.variable;
		return variable === undefined ? [] : [[String(id), { name: variable.name, unit: unitOf(query, variable.unit) }] as const];
	});
	return new Map(heads);
}

/** Returns the unit of a number: that of a sum of m³/h per hour is m³, of one of kW it is kW·h. */
function unitOf({ function: functionName, per }: CountedQuery, unit: string): string {
	if (functionName === 'onTime') return 'h';
	if (functionName === 'starts') return '';
	if (functionName !== 'total' || unit === '') return unit;
	return unit.endsWith(`/${per}`) ? unit.slice(0, -`/${per}`.length) : `${unit}·${per}`;
}
