import { computed } from '@preact/signals';
import { useDefinitions, variables } from '#page/core/definitions.ts';
import { kindOf } from '#page/core/variable-kind.ts';
import type { QuerySource } from './completion.ts';
import { queryDraftOf } from './draft.ts';

/** Reads the variables of the plant, whose queries can be taken over as inputs. */
export function useKnownVariables(): void {
	useDefinitions('variables');
}

/** The simple variables with their queries, by name. Formulas cannot be inputs, and a byte is no number of the plant. */
export const querySources = computed((): readonly QuerySource[] =>
	[...(variables.rows.value?.values() ?? [])].flatMap((variable): QuerySource[] => {
		const [query] = Object.values(variable.varsTsdb);
		if (kindOf(variable) !== 'simple' || query === undefined) return [];
		// Where the unit of the lookback stands follows from the kind of variable that it is saved in.
		return [{ kind: 'variable', name: variable.name, id: variable.id, query: { ...queryDraftOf(query), unitFields: [] } }];
	}),
);

/** The processes that variables have, in the order of their first ids. */
export const knownProcesses = computed((): readonly string[] => [
	...new Set([...(variables.rows.value?.values() ?? [])].map(({ process }) => process)),
]);
