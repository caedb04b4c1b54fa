import { inParallel } from '../alarm/in-parallel.ts';
import { chunksOf } from '../chunks-of.ts';
import type { SchemaWorkers } from '../ports/schema-workers.ts';

/** Number of schemas of one worker. */
const schemasPerWorker = 50;
/** Most workers that have one schema only. When more schemas are stuck, no single one is the cause, so they share workers. */
const maxAlone = 10;
const maxConcurrentStarts = 8;

/** Divides schemas among workers, in order. */
export function workerGroups(schemas: readonly string[]): readonly (readonly string[])[] {
	return chunksOf(schemasPerWorker, schemas);
}

/**
 * Divides schemas among workers whose work may hang, or end its worker: the first ten have workers of their own, and the others share workers with each
 * other, so that they delay no schema that is well.
 */
export function stuckGroups(schemas: readonly string[]): readonly (readonly string[])[] {
	return [...schemas.slice(0, maxAlone).map((schema) => [schema]), ...workerGroups(schemas.slice(maxAlone))];
}

/** Starts a worker for each group, in order. Returns the errors of those that could not be started. */
export async function startWorkers(workers: SchemaWorkers, groups: readonly (readonly string[])[]): Promise<readonly unknown[]> {
	const errors: unknown[] = [];
	await inParallel(maxConcurrentStarts, groups, async (group) => {
		await workers.start(group).catch((error: unknown) => errors.push(error));
	});
	return errors;
}
