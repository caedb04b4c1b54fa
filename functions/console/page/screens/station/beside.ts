import type { Panel, Variable } from '#page/core/definitions.ts';
import { tileKindOf } from '#page/parts/tile-kind.ts';

/** The most values beside a panel. */
const maxBeside = 12;

/** Returns the numbers that are measured in the processes of the panel, in the order of their ids. Means of the past stay out. */
export function valuesBeside({ pumps, states }: Panel, known: ReadonlyMap<number, Variable>): readonly Variable[] {
	const shown = new Set([...pumps, ...states].map(({ varId }) => varId));
	const processes = new Set([...shown].map((id) => known.get(id)?.process));
	return [...known.values()]
		.filter((variable) => processes.has(variable.process) && !shown.has(variable.id))
		.filter((variable) => tileKindOf(variable) === 'number' && variable.type === 'last' && !variable.calc)
		.slice(0, maxBeside);
}
