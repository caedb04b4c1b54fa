import type { Panel, Variable } from '#page/core/definitions.ts';
import { tileKindOf } from '#page/parts/tile-kind.ts';

/** The most values beside a panel. */
const maxBeside = 12;

/**
 * Returns the variables to show beside a panel: the numbers of its processes, in the order of their ids. Histories and
 * calculated variables are left out.
 */
export function valuesBeside({ pumps, states }: Panel, variables: ReadonlyMap<number, Variable>): readonly Variable[] {
	const shown = new Set([...pumps, ...states].map(({ varId }) => varId));
	const processes = new Set([...shown].map((id) => variables.get(id)?.process));
	return [...variables.values()]
		.filter((variable) => processes.has(variable.process) && !shown.has(variable.id))
		.filter((variable) => tileKindOf(variable) === 'number' && variable.type === 'last' && !variable.calc)
		.slice(0, maxBeside);
}
