import { TransactGetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { DomainError } from '#domain/errors.ts';
import type { Snapshot, VariableRow } from '#domain/ports/schema-store.ts';
import { variableKey } from '#domain/transaction/read-set.ts';
import { jitteredPause } from '../jittered-pause.ts';
import { rowOfKind } from '../stored-row.ts';
import type { Dynamo } from './dynamo-client.ts';
import { isInvalid } from './fault.ts';
import { addressOf, type Metadata, metadataAddress, metadataOf, type SchemaTables, storedRowSchema } from './items.ts';
import { chunksOf, mapConcurrently } from './map-concurrently.ts';
import { itemsOfKind, queryAll } from './read-rows.ts';
import { callDeadline, RetriesExhaustedError, sendWithRetry, storeFailed } from './send.ts';

/** Most variables of one TransactGetItems: it takes 100 items, and the head is one of them. */
const maxTogether = 99;

const maxRequestsAtOnce = 8;

/** How often what a write came between is read again, at once: with every moment the next write is nearer. */
const maxRounds = 40;

/** So many readings that agree with each other are believed against the head's count. */
const enoughReadings = 4;

const retryAfterMs = 1000;

const idSchema = v.object({ id: v.number() });

/** Variables that were read in one transaction, with the head beside them. */
interface Part {
	readonly ids: readonly number[];
	readonly head: Metadata;
	readonly rows: readonly VariableRow[];
}

/** What the parts of a snapshot need. */
interface Reading {
	readonly dynamo: Dynamo;
	readonly tables: SchemaTables;
	readonly schema: string;
	readonly budget: AbortSignal;
}

/**
 * `SchemaStore.snapshot`, by TransactGetItems: at one revision, every call has the head item, and all their revisions are equal.
 * Plain reads would not do: they can see the new revision beside an old row (design section 6).
 * Throws `write_contention` where writes keep coming between.
 */
export async function readSnapshot(
	dynamo: Dynamo,
	tables: SchemaTables,
	schema: string,
	ids: readonly number[] | 'all',
): Promise<Snapshot> {
	const reading = { dynamo, tables, schema, budget: callDeadline(dynamo) };
	if (ids === 'all') return readAll(reading);
	// Ids below 1 are the head and the counter: no variables, and a transaction names each item once.
	const wanted = [...new Set(ids)].filter((id) => id > 0);
	return snapshotOf(await readTogether(reading, wanted), wanted);
}

/**
 * Every variable of the schema. A query finds the ids, and may miss a row of a commit that the head tells of already: its items
 * become visible to plain reads one by one. So the rows read in transactions must be as many as the head, read with them, counts.
 * Where the count stays wrong beside rows that stay the same it is the count that is wrong: half a transaction, restored from a backup.
 */
async function readAll(reading: Reading): Promise<Snapshot> {
	const query = {
		...itemsOfKind(reading.tables, reading.schema, 'variable'),
		ProjectionExpression: '#id',
	};
	let agreeing = 0;
	let before = '';
	for (let round = 1; round <= maxRounds && !reading.budget.aborted; round += 1) {
		const ids = (await queryAll(reading.dynamo, query, reading.budget)).map((item) => v.parse(idSchema, item).id);
		const read = await readTogether(reading, ids);
		if (read.rows.length === read.head.variables) return snapshotOf(read, ids);
		const seen = JSON.stringify([read.head.revision, read.rows.map(({ variable }) => variable.id)]);
		agreeing = seen === before ? agreeing + 1 : 1;
		if (agreeing >= enoughReadings) return snapshotOf(read, ids);
		before = seen;
		await jitteredPause(round + enoughReadings);
	}
	throw contention();
}

/** The rows in the order of `ids`. */
function snapshotOf({ head, rows }: Pick<Part, 'head' | 'rows'>, ids: readonly number[]): Snapshot {
	const byId = new Map(rows.map((row) => [row.variable.id, row]));
	const variables = new Map<number, VariableRow>();
	for (const id of ids) {
		const row = byId.get(id);
		if (row !== undefined) variables.set(id, row);
	}
	return { revision: head.revision, variables };
}

/** Variables that stood beside each other, and the head beside them: parts of an older revision are read again until all are one. */
async function readTogether(reading: Reading, ids: readonly number[]): Promise<Pick<Part, 'head' | 'rows'>> {
	let parts: readonly Part[] = [];
	// Without ids the head alone.
	let wanted = ids.length === 0 ? [ids] : chunksOf(maxTogether, ids);
	for (let round = 1; round <= maxRounds && !reading.budget.aborted; round += 1) {
		parts = [...parts, ...(await mapConcurrently(maxRequestsAtOnce, wanted, (each) => readParts(reading, each))).flat()];
		const newest = parts.reduce((a, b) => (b.head.revision > a.head.revision ? b : a), parts[0] ?? { head: metadataOf({}) });
		const { revision } = newest.head;
		wanted = parts.filter(({ head }) => head.revision !== revision).map((part) => part.ids);
		parts = parts.filter(({ head }) => head.revision === revision);
		if (wanted.length === 0) return { head: newest.head, rows: parts.flatMap(({ rows }) => rows) };
	}
	throw contention();
}

const contention = () => new DomainError('write_contention', { retryAfterMs });

/** The variables in as few transactions as take them: those larger than 4 MB together are halved. */
async function readParts(reading: Reading, ids: readonly number[]): Promise<readonly Part[]> {
	const { dynamo, tables, schema, budget } = reading;
	const places = [metadataAddress(tables, schema), ...ids.map((id) => addressOf(tables, schema, variableKey(id)))];
	const input = { TransactItems: places.map((place) => ({ Get: place })) };
	try {
		const { Responses: [head, ...found] = [] } = await sendWithRetry(
			dynamo,
			(options) => dynamo.client.send(new TransactGetCommand(input), options),
			budget,
		);
		const rows = found.flatMap(({ Item: item }) =>
			item === undefined ? [] : [rowOfKind('variable', v.parse(storedRowSchema, item).body)],
		);
		return [{ ids, head: metadataOf(head?.Item), rows }];
	} catch (error) {
		if (!(error instanceof RetriesExhaustedError)) throw error;
		if (ids.length < 2 || !isInvalid(error.cause)) throw storeFailed(error);
		const half = Math.ceil(ids.length / 2);
		return [...(await readParts(reading, ids.slice(0, half))), ...(await readParts(reading, ids.slice(half)))];
	}
}
