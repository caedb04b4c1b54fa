import { inParallel } from '../alarm/in-parallel.ts';
import type { Owners } from '../ports/owners.ts';

/** When a task runs, and how long it begins with further schemas, in milliseconds. */
export interface TaskTimes {
	readonly runMs: number;
	readonly startSchemasMs: number;
}

/** What a run over all schemas left. */
export interface LeftSchemas {
	/** The error of each schema whose work failed. */
	readonly failed: ReadonlyMap<string, unknown>;
	/** Number of schemas that were not started because time was up. */
	readonly notStarted: number;
}

/** Most schemas that are worked on at the same time. */
const maxConcurrentSchemas = 4;

/**
 * Does a task's work for every schema that has an owner. One schema that fails or is slow does not keep the others from it. Each run begins with
 * another schema, so that none waits for ever.
 * @throws DomainError the errors of the store, where the owners cannot be listed
 */
export async function inTurn(
	{ owners, now }: { readonly owners: Pick<Owners, 'list'>; readonly now: () => number },
	{ runMs, startSchemasMs }: TaskTimes,
	work: (schema: string) => Promise<void>,
): Promise<LeftSchemas> {
	const startedAt = now();
	const owned = await owners.list();
	const names = owned.flatMap(({ kind, name }) => (kind === 'schema' ? [name] : [])).sort();
	/** The position of the first schema. It moves on by one with each run. */
	const first = names.length === 0 ? 0 : Math.floor(startedAt / runMs) % names.length;
	const failed = new Map<string, unknown>();
	let notStarted = 0;
	await inParallel(maxConcurrentSchemas, [...names.slice(first), ...names.slice(0, first)], async (schema) => {
		if (now() - startedAt > startSchemasMs) {
			notStarted += 1;
			return;
		}
		try {
			await work(schema);
		} catch (error) {
			failed.set(schema, error);
		}
	});
	return { failed, notStarted };
}
