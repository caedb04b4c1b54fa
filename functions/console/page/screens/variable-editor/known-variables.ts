import { computed } from '@preact/signals';
import { referenceTo } from '#domain/equation/format-formula.ts';
import { variables } from '#page/core/definitions.ts';
import { kindOf } from '#page/core/variable-kind.ts';
import type { QuerySource } from './completion.ts';
import { type QueryDraft, queryDraftOf } from './draft.ts';

/** The queries that can be copied into an input: those of simple variables, each with the variable's name. */
export const querySources = computed((): readonly QuerySource[] =>
	[...(variables.rows.value?.values() ?? [])].flatMap((variable): QuerySource[] => {
		const [query] = Object.values(variable.varsTsdb);
		if (kindOf(variable) !== 'simple' || query === undefined) return [];
		// `unitFields` is empty, so that the kind of the new variable decides in which field the unit is stored.
		return [{ kind: 'variable', name: variable.name, id: variable.id, query: { ...queryDraftOf(query), unitFields: [] } }];
	}),
);

/** The ids of the simple variables by the keys of their queries (see `queryKey`). */
export const idsByQuery = computed(
	(): ReadonlyMap<string, number> => new Map(querySources.value.map(({ id, query }) => [queryKey(query), id])),
);

/** The references to the variables with a formula, such as `{Level}`. Formulas cannot use these variables. */
export const formulaNames = computed(
	() =>
		new Set(
			[...(variables.rows.value?.values() ?? [])].flatMap((variable) =>
				kindOf(variable) === 'formula' ? referenceTo(variable.name) : [],
			),
		),
);

/** The processes of the stored variables, in the order of the variables' ids. */
export const knownProcesses = computed((): readonly string[] => [
	...new Set([...(variables.rows.value?.values() ?? [])].map(({ process }) => process)),
]);

/**
 * Returns a text that is equal for two queries if, and only if, all of these fields are equal. Lengths of time are compared as they are
 * written: 60 min and 1 h differ.
 */
export function queryKey({ topic, field, tags, lookback, lookbackUnit, period, periodUnit, aggregate }: QueryDraft): string {
	return JSON.stringify([topic, field, tags, lookback, lookbackUnit, period, periodUnit, aggregate]);
}
