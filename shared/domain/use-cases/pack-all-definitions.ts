import { inTurn, type LeftSchemas } from '../access/schemas-in-turn.ts';
import { minuteMs } from '../milliseconds.ts';
import type { Owners } from '../ports/owners.ts';
import { type PackDeps, packDefinitions } from '../reading/pack-definitions.ts';

/** The dependencies of a run over all schemas. */
export interface PackAllDeps extends PackDeps {
	readonly owners: Pick<Owners, 'list'>;
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/** What a run did. */
export interface PackedSchemas extends LeftSchemas {
	/** Number of schemas that were looked at, and of those whose pack was written. */
	readonly schemas: number;
	readonly packed: number;
}

/** How often the task runs, in milliseconds. */
const runMs = 5 * minuteMs;

/** A run starts no schema after this time, in milliseconds. Its function ends after 300 s. */
const startSchemasMs = 240_000;

/**
 * Packs the definitions of every schema that has an owner. One that fails does not keep the others from being packed. Each run begins with
 * another schema, so that none waits for ever.
 * @throws DomainError the errors of the store, where the owners cannot be listed
 */
export async function packAllDefinitions(deps: PackAllDeps): Promise<PackedSchemas> {
	const done = { schemas: 0, packed: 0 };
	const left = await inTurn(deps, { runMs, startSchemasMs }, async (schema) => {
		done.packed += (await packDefinitions(deps, schema)) ? 1 : 0;
		done.schemas += 1;
	});
	return { ...done, ...left };
}
