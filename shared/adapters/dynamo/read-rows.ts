import {
	BatchGetCommand,
	type BatchGetCommandInput,
	GetCommand,
	QueryCommand,
	type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { DomainError } from '#domain/errors.ts';
import type { ListedKind, RowKey, RowKinds, RowOf } from '#domain/ports/schema-store.ts';
import { keyText } from '#domain/transaction/read-set.ts';
import { jitteredPause } from '../jittered-pause.ts';
import { rowOfKind } from '../stored-row.ts';
import type { Dynamo } from './dynamo-client.ts';
import { addressOf, type SchemaTables, storedRowSchema } from './items.ts';
import { chunksOf, mapConcurrently } from './map-concurrently.ts';
import { allPages } from './pages.ts';
import { callDeadline, sendOrFail } from './send.ts';

/** Most items of one BatchGetItem. */
const maxBatch = 100;

const maxRequestsAtOnce = 8;

type Asked = NonNullable<BatchGetCommandInput['RequestItems']>;

/** A query without its page. */
type Query = Omit<QueryCommandInput, 'ExclusiveStartKey'>;

type StoredRow = v.InferOutput<typeof storedRowSchema>;

/** `SchemaStore.get`: one small request for one row, a hundred rows a request for more. */
export async function getRows<Key extends RowKey>(
	dynamo: Dynamo,
	tables: SchemaTables,
	schema: string,
	keys: readonly Key[],
): Promise<readonly (RowOf<Key> | null)[]> {
	// A batch names each item once.
	const places = new Map(keys.map((key) => [keyText(key), addressOf(tables, schema, key)]));
	const found = new Map<string, StoredRow>();
	const [only] = places.values();
	if (only === undefined) return [];
	if (places.size === 1) {
		const row = await getOne(dynamo, only);
		if (row !== undefined) found.set(nameOf(only.TableName, row.id ?? row.key), row);
	} else {
		const budget = callDeadline(dynamo);
		const batches = await mapConcurrently(maxRequestsAtOnce, chunksOf(maxBatch, [...places.values()]), (chunk) => {
			const byTable = Map.groupBy(chunk, ({ TableName }) => TableName);
			const asked = [...byTable].map(([table, each]) => [table, { Keys: each.map(({ Key }) => Key), ConsistentRead: true }]);
			return batchGet(dynamo, Object.fromEntries(asked), budget);
		});
		for (const batch of batches) for (const [name, row] of batch) found.set(name, row);
	}
	return keys.map((key) => {
		const kind: Key['kind'] = key.kind;
		const { TableName, Key } = addressOf(tables, schema, key);
		const row = found.get(nameOf(TableName, Key['id'] ?? Key['key']));
		return row === undefined ? null : rowOfKind(kind, row.body);
	});
}

/** The part of a schema's items that are rows of a kind. */
export function itemsOfKind(tables: SchemaTables, schema: string, kind: ListedKind): Query {
	return kind === 'variable'
		? {
				TableName: tables.variables,
				// Ids below 1 are the head and the counter.
				KeyConditionExpression: '#schema = :schema AND #id >= :first',
				ExpressionAttributeNames: { '#schema': 'schema', '#id': 'id' },
				ExpressionAttributeValues: { ':schema': schema, ':first': 1 },
			}
		: {
				TableName: tables.boards,
				KeyConditionExpression: '#schema = :schema AND begins_with(#key, :prefix)',
				ExpressionAttributeNames: { '#schema': 'schema', '#key': 'key' },
				ExpressionAttributeValues: { ':schema': schema, ':prefix': `${kind}#` },
			};
}

/** All items of a strongly consistent query. */
export function queryAll(dynamo: Dynamo, input: Query, budget: AbortSignal): Promise<readonly unknown[]> {
	return allPages((start) =>
		sendOrFail(
			dynamo,
			(options) => dynamo.client.send(new QueryCommand({ ...input, ConsistentRead: true, ...start }), options),
			budget,
		),
	);
}

/** `SchemaStore.list`. */
export async function listRows<Kind extends ListedKind>(
	dynamo: Dynamo,
	tables: SchemaTables,
	schema: string,
	kind: Kind,
): Promise<readonly RowKinds[Kind][]> {
	const items = await queryAll(dynamo, itemsOfKind(tables, schema, kind), callDeadline(dynamo));
	const rows = items.map((item) => rowOfKind(kind, v.parse(storedRowSchema, item).body));
	// Keys of boards are text, of which `chart#10` comes before `chart#9`.
	return rows.sort((a, b) => idOf(a) - idOf(b));
}

async function getOne(dynamo: Dynamo, place: ReturnType<typeof addressOf>): Promise<StoredRow | undefined> {
	const { Item: stored } = await sendOrFail(dynamo, (options) =>
		dynamo.client.send(new GetCommand({ ...place, ConsistentRead: true }), options),
	);
	return stored === undefined ? undefined : v.parse(storedRowSchema, stored);
}

/** Tells rows of several tables apart: by table and sort key; the schema is one. */
const nameOf = (table: string, sortKey: string | number | undefined): string => JSON.stringify([table, sortKey ?? null]);

/** The items of up to 100 keys. DynamoDB answers what fits, or what it has capacity for, and is asked again for the rest. */
async function batchGet(dynamo: Dynamo, asked: Asked, budget: AbortSignal): Promise<ReadonlyMap<string, StoredRow>> {
	const found = new Map<string, StoredRow>();
	let rest = asked;
	let fruitless = 0;
	while (Object.keys(rest).length > 0) {
		const request = { RequestItems: rest };
		const { Responses = {}, UnprocessedKeys = {} } = await sendOrFail(
			dynamo,
			(options) => dynamo.client.send(new BatchGetCommand(request), options),
			budget,
		);
		const answered = Object.entries(Responses).flatMap(([table, items]) => items.map((item) => ({ table, item })));
		for (const { table, item } of answered) {
			const row = v.parse(storedRowSchema, item);
			found.set(nameOf(table, row.id ?? row.key), row);
		}
		rest = UnprocessedKeys;
		fruitless = answered.length > 0 ? 0 : fruitless + 1;
		if (Object.keys(rest).length === 0) break;
		if (fruitless >= dynamo.limits.maxAttempts || budget.aborted)
			throw new DomainError('store_failed', { cause: 'DynamoDB leaves keys unprocessed.' });
		if (fruitless > 0) await jitteredPause(fruitless);
	}
	return found;
}

const idOf = (row: RowKinds[ListedKind]): number => (row.kind === 'variable' ? row.variable.id : row.board.content.id);
