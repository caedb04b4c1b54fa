import { QueryCommand, TransactGetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { chunksOf } from '#domain/chunks-of.ts';
import { DomainError } from '#domain/errors.ts';
import type { Snapshot, VariableRow } from '#domain/ports/schema-store.ts';
import { variableKey } from '#domain/transaction/read-set.ts';
import { jitteredPause } from '../jittered-pause.ts';
import { rowOfKind } from '../stored-row.ts';
import type { Dynamo } from './dynamo-client.ts';
import { isInvalid } from './fault.ts';
import { addressOf, type MetadataItem, metadataAddress, metadataOf, type SchemaTables, storedTextOf } from './items.ts';
import { mapConcurrently } from './map-concurrently.ts';
import { readPages } from './read-items.ts';
import { queryOfKind } from './read-rows.ts';
import { callDeadline, RetriesExhaustedError, sendWithRetry, storeFailed } from './send.ts';

/** Most variables of one TransactGetItems: it takes 100 items, and the metadata item is one of them. */
const maxVariablesPerRead = 99;
/**
 * Most rounds of `readConsistently` and of `readAll`. `readConsistently` starts the next round immediately, because waiting would make
 * another write more likely. `readAll` waits until the items of a commit are visible.
 */
const maxRounds = 40;
/** After this many equal results in a row, the stored count of variables is taken to be wrong. */
const enoughEqualRounds = 4;
/** `readAll` skips the shortest pauses: equal results in quick succession would not show that the count is wrong. */
const skippedPauses = 4;
/** When a client should repeat a request after too many rounds. */
const retryAfterMs = 1000;

const idSchema = v.object({ id: v.number() });

/** Variables and the schema's metadata, all of one revision. */
interface ConsistentRead {
	readonly metadata: MetadataItem;
	readonly rows: readonly VariableRow[];
}

/** The result of one transaction: the rows of `ids` that exist. */
interface TransactionRead extends ConsistentRead {
	readonly ids: readonly number[];
}

/** The store, schema and deadline of a snapshot. */
interface SnapshotContext {
	readonly dynamo: Dynamo;
	readonly tables: SchemaTables;
	readonly schema: string;
	readonly deadline: AbortSignal;
}

/**
 * `SchemaStore.snapshot`, by TransactGetItems: every transaction also reads the schema's metadata, and all must show the same
 * revision. Plain reads could see the new revision with an old row (shared/adapters/dynamo/README.md#snapshots).
 * @throws DomainError `write_contention` when writes keep landing between the reads
 */
export async function readSnapshot(
	dynamo: Dynamo,
	tables: SchemaTables,
	schema: string,
	ids: readonly number[] | 'all',
): Promise<Snapshot> {
	const context = { dynamo, tables, schema, deadline: callDeadline(dynamo) };
	if (ids === 'all') return readAll(context);
	// Ids below 1 are not variables but the metadata and the counter. A transaction refuses an item that is named twice.
	const wanted = [...new Set(ids)].filter((id) => id > 0);
	return snapshotOf(await readConsistently(context, wanted), wanted);
}

/** Reads the revision of a schema in a transaction, so that every row of that revision is stored. */
export async function readRevision(dynamo: Dynamo, tables: SchemaTables, schema: string): Promise<number> {
	return (await readSnapshot(dynamo, tables, schema, [])).revision;
}

/**
 * Reads every variable of the schema. A query finds the ids. It can miss a row of a commit that the metadata already count, because the
 * items of a commit become visible to plain reads one by one. So the number of rows must equal the count in the metadata. When the rows
 * stay the same and the count keeps differing, the count is wrong: a backup can restore half a transaction.
 */
async function readAll(context: SnapshotContext): Promise<Snapshot> {
	const { dynamo, tables, schema, deadline } = context;
	const query = { ...queryOfKind(tables, schema, 'variable'), ProjectionExpression: '#id' };
	let equalRounds = 0;
	let previous = '';
	for (let round = 1; round <= maxRounds && !deadline.aborted; round += 1) {
		const items = await readPages(dynamo, (page) => new QueryCommand({ ...query, ...page }), { deadline });
		const ids = items.map((item) => v.parse(idSchema, item).id);
		const read = await readConsistently(context, ids);
		if (read.rows.length === read.metadata.variables) return snapshotOf(read, ids);
		const current = JSON.stringify([read.metadata.revision, read.rows.map(({ variable }) => variable.id)]);
		equalRounds = current === previous ? equalRounds + 1 : 1;
		if (equalRounds >= enoughEqualRounds) return snapshotOf(read, ids);
		previous = current;
		await jitteredPause(round + skippedPauses);
	}
	throw contention();
}

/** Builds the snapshot with its variables in the order of `ids`. */
function snapshotOf({ metadata, rows }: ConsistentRead, ids: readonly number[]): Snapshot {
	const byId = new Map(rows.map((row) => [row.variable.id, row]));
	const variables = new Map<number, VariableRow>();
	for (const id of ids) {
		const row = byId.get(id);
		if (row !== undefined) variables.set(id, row);
	}
	const { revision, listed, changes, marks } = metadata;
	return { revision, listed, changes, marks, variables };
}

/** Returns the metadata of the newest revision among reads; those of an empty schema where there are none. */
function newestOf(reads: readonly TransactionRead[]): TransactionRead['metadata'] {
	const [newest] = reads.map(({ metadata }) => metadata).toSorted((a, b) => b.revision - a.revision);
	return newest ?? metadataOf({});
}

/** Reads variables in several transactions, and repeats those of an older revision until all show the same one. */
async function readConsistently(context: SnapshotContext, ids: readonly number[]): Promise<ConsistentRead> {
	let reads: readonly TransactionRead[] = [];
	// Without ids, one transaction reads the metadata alone.
	let chunks = ids.length === 0 ? [ids] : chunksOf(maxVariablesPerRead, ids);
	for (let round = 1; round <= maxRounds && !context.deadline.aborted; round += 1) {
		reads = [...reads, ...(await mapConcurrently(chunks, (chunk) => readInTransactions(context, chunk))).flat()];
		const newest = newestOf(reads);
		chunks = reads.filter(({ metadata }) => metadata.revision !== newest.revision).map((read) => read.ids);
		reads = reads.filter(({ metadata }) => metadata.revision === newest.revision);
		if (chunks.length === 0) return { metadata: newest, rows: reads.flatMap(({ rows }) => rows) };
	}
	throw contention();
}

const contention = () => new DomainError('write_contention', { retryAfterMs });

/** Reads variables in as few transactions as possible. DynamoDB rejects more than 4 MB in one; those are halved. */
async function readInTransactions(context: SnapshotContext, ids: readonly number[]): Promise<readonly TransactionRead[]> {
	const { dynamo, tables, schema, deadline } = context;
	const addresses = [metadataAddress(tables, schema), ...ids.map((id) => addressOf(tables, schema, variableKey(id)))];
	const command = new TransactGetCommand({ TransactItems: addresses.map((address) => ({ Get: address })) });
	try {
		const { Responses: [first, ...others] = [] } = await sendWithRetry(
			dynamo,
			(options) => dynamo.client.send(command, options),
			deadline,
		);
		const rows = others.flatMap(({ Item: item }) => {
			const stored = item === undefined ? undefined : storedTextOf(schema, item);
			return stored === undefined ? [] : [rowOfKind('variable', stored, stored.body)];
		});
		return [{ ids, metadata: metadataOf(first?.Item), rows }];
	} catch (error) {
		if (!(error instanceof RetriesExhaustedError)) throw error;
		if (ids.length < 2 || !isInvalid(error.cause)) throw storeFailed(error);
		const half = Math.ceil(ids.length / 2);
		return [...(await readInTransactions(context, ids.slice(0, half))), ...(await readInTransactions(context, ids.slice(half)))];
	}
}
