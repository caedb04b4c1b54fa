import { computed } from '@preact/signals';
import { variables } from '#page/core/definitions.ts';
import { kindOf } from '#page/core/variable-kind.ts';
import type { QuerySource } from './completion.ts';
import { type QueryDraft, queryDraftOf } from './draft.ts';

/** The queries that can be copied into an input: those of simple variables, each with the variable's name. */
export const querySources = computed((): readonly QuerySource[] =>
	[...(variables.rows.value?.values() ?? [])].flatMap((variable): QuerySource[] => {
		const [query] = Object.values(variable.varsTsdb);
		if (kindOf(variable) !== 'simple' || query === undefined) return [];
		// `unitFields` is empty: the field that the copy stores its unit in depends on the kind of the variable that it is saved in.
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

/** Returns a text that is the same for two queries exactly if they read the same. */
export function queryKey({ topic, field, lookback, lookbackUnit, period, periodUnit, aggregate }: QueryDraft): string {
	return JSON.stringify([topic, field, lookback, lookbackUnit, period, periodUnit, aggregate]);
}
