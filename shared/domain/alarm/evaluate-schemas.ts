import { inParallel } from './in-parallel.ts';
import { type TickDeps, type TickResult, tick } from './tick.ts';

const maxConcurrentTicks = 10;

/** A worker starts no tick after `startTicksMs`, and no piece after `startPiecesMs`. Its function ends after 58 s. */
const startTicksMs = 40_000;
const startPiecesMs = 45_000;

/** The result of a worker. */
export interface EvaluatedSchemas {
	readonly results: readonly TickResult[];
	/** The errors of ticks that failed as a whole, by schema. */
	readonly failed: ReadonlyMap<string, unknown>;
	/** The schemas whose ticks were not started, because time was up. The next run starts with them, because their lag is the largest. */
	readonly notStarted: readonly string[];
}

/** Runs a tick of each schema, 10 at a time, in order. A tick that fails or is slow does not keep the others from running. */
export async function evaluateSchemas(deps: TickDeps, schemas: readonly string[]): Promise<EvaluatedSchemas> {
	const startedAt = deps.now();
	const results: TickResult[] = [];
	const failed = new Map<string, unknown>();
	const notStarted: string[] = [];
	await inParallel(maxConcurrentTicks, schemas, async (schema) => {
		if (deps.now() - startedAt > startTicksMs) {
			notStarted.push(schema);
			return;
		}
		try {
			results.push(await tick(deps, schema, startedAt + startPiecesMs));
		} catch (error) {
			failed.set(schema, error);
		}
	});
	return { results, failed, notStarted };
}
