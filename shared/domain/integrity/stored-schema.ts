import { boardKinds } from '../board/board-kinds.ts';
import { DomainError } from '../errors.ts';
import type { BoardRow, PanelRow, SchemaMetadata, VariableRow } from '../ports/schema-store.ts';
import { panelKey } from '../transaction/read-set.ts';
import type { TransactionDeps } from '../transaction/run-transaction.ts';

const maxAttempts = 12;
const retryAfterMs = 1000;

/** All rows of a schema and its metadata, as they were together at one revision. */
export interface StoredSchema {
	/** By ascending id. */
	readonly variables: readonly VariableRow[];
	/** By kind, then by ascending id. */
	readonly boards: readonly BoardRow[];
	readonly panel: PanelRow | null;
	readonly metadata: SchemaMetadata;
}

/**
 * Reads all rows of a schema, and starts again when a write landed in between. The revision is compared in snapshots, because a
 * plain read can see half a commit (shared/adapters/dynamo/README.md#snapshots).
 * @throws DomainError `store_failed`; `write_contention` when the rows changed during every attempt
 */
export function readStoredSchema(
	{ store, pause }: Pick<TransactionDeps, 'store' | 'pause'>,
	schema: string,
): Promise<StoredSchema> {
	return retryAfterWrites(pause, async () => {
		const before = await store.snapshot(schema, []);
		const boards = (await Promise.all(boardKinds.map((kind) => store.list(schema, kind)))).flat();
		const [panel = null] = await store.get(schema, [panelKey]);
		const { revision, variables: byId } = await store.snapshot(schema, 'all');
		// Read last, so that the last id covers every row that was read.
		const metadata = await store.schemaMetadata(schema);
		if (before.revision !== revision || metadata.revision !== revision) return null;
		const variables = [...byId.values()].sort((a, b) => a.variable.id - b.variable.id);
		return { variables, boards, panel, metadata };
	});
}

/**
 * Repeats `attempt` while it returns null (the schema changed during the read).
 * @throws DomainError `write_contention` after 12 attempts
 */
export async function retryAfterWrites<Result>(
	pause: TransactionDeps['pause'],
	attempt: () => Promise<Result | null>,
): Promise<Result> {
	for (let number = 1; number <= maxAttempts; number += 1) {
		const result = await attempt();
		if (result !== null) return result;
		await pause(number);
	}
	throw new DomainError('write_contention', { retryAfterMs });
}
