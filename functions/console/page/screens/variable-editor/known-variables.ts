import { computed } from '@preact/signals';
import { variables } from '#page/core/definitions.ts';
import { kindOf } from '#page/core/variable-kind.ts';
import type { QuerySource } from './completion.ts';
import { type QueryDraft, queryDraftOf } from './draft.ts';

/** The simple variables with their queries, by name. Formulas cannot be inputs, and a byte is no number of the plant. */
export const querySources = computed((): readonly QuerySource[] =>
	[...(variables.rows.value?.values() ?? [])].flatMap((variable): QuerySource[] => {
		const [query] = Object.values(variable.varsTsdb);
		if (kindOf(variable) !== 'simple' || query === undefined) return [];
		// Where the unit of the lookback stands follows from the kind of variable that it is saved in.
		return [{ kind: 'variable', name: variable.name, id: variable.id, query: { ...queryDraftOf(query), unitFields: [] } }];
	}),
);

/** The ids of the simple variables by the keys of their queries. */
export const idsByQuery = computed(
	(): ReadonlyMap<string, number> => new Map(querySources.value.map(({ id, query }) => [queryKey(query), id])),
);

/** The processes that variables have, in the order of their first ids. */
export const knownProcesses = computed((): readonly string[] => [
	...new Set([...(variables.rows.value?.values() ?? [])].map(({ process }) => process)),
]);

/** Returns the key of a query. Two queries of one key read the same. */
export function queryKey({ topic, field, lookback, lookbackUnit, period, periodUnit, aggregate }: QueryDraft): string {
	return JSON.stringify([topic, field, lookback, lookbackUnit, period, periodUnit, aggregate]);
}
