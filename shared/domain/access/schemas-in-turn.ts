import type { Ownership } from '../ports/owners.ts';

/**
 * Returns every schema that has an owner, in the order in which a run of a task takes them. Each run begins with another one, so that none waits
 * for ever.
 * @param run the number of the run; a fraction is cut off
 */
export function schemasInTurn(owned: readonly Ownership[], run: number): readonly string[] {
	const names = owned.flatMap(({ kind, name }) => (kind === 'schema' ? [name] : [])).sort();
	const first = names.length === 0 ? 0 : Math.floor(run) % names.length;
	return [...names.slice(first), ...names.slice(0, first)];
}
