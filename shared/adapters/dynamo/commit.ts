import { randomUUID } from 'node:crypto';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { BoardKind } from '#domain/board/board.ts';
import { DomainError } from '#domain/errors.ts';
import { type CommitOutcome, type IdempotencyRecord, maxRowsPerCommit, type RowCommit } from '#domain/ports/schema-store.ts';
import { changedDefinitions, growthOf } from '#domain/transaction/growth.ts';
import { redactError } from '../redact.ts';
import { changesRows } from '../stored-row.ts';
import type { Dynamo } from './dynamo-client.ts';
import { idempotencyRecordUpdate } from './dynamo-idempotency.ts';
import { cancellationReasons, faultOf } from './fault.ts';
import { addressOf, itemOf, type SchemaTables } from './items.ts';
import { makeRoom, metadataUpdate } from './metadata.ts';
import { RetriesExhaustedError, sendWithRetry, storeFailed } from './send.ts';

/** `metadata`: the condition of the metadata item failed. Why is found out by `makeRoom`. */
type CommitRefusal = 'conflict' | 'metadata' | 'claim_lost';

/** One action of the transaction, and the outcome of the commit when its condition fails. */
interface ConditionalAction {
	readonly action: NonNullable<TransactWriteCommandInput['TransactItems']>[number];
	readonly refusal: CommitRefusal;
}

/** Attempts of one commit, each after its metadata item was prepared for it. */
const maxPreparations = 5;
/** Most bytes of text in one transaction. DynamoDB's limit is 4 MB, keys and attribute names included. */
const maxBytes = 4_000_000;
/** Most bytes of text in one item. DynamoDB's limit is 400 KiB, keys and attribute names included. */
const maxItemBytes = 400_000;

/**
 * `SchemaStore.commit` as one transaction. All attempts carry one ClientRequestToken, so DynamoDB applies it at most once.
 * A transaction that DynamoDB was too busy for is a conflict: nothing was written, and the caller starts again.
 * A transaction that its metadata item refused is sent again, as a new one, once that item was prepared for it.
 * @throws DomainError `store_failed`; `outcome_unknown`; `too_large` when one transaction cannot hold the rows
 */
export async function commitRows(
	dynamo: Dynamo,
	tables: SchemaTables,
	schema: string,
	rows: readonly RowCommit[],
	record: IdempotencyRecord | undefined,
): Promise<CommitOutcome> {
	if (rows.length > maxRowsPerCommit) throw new RangeError(`A commit takes ${maxRowsPerCommit} rows; this has ${rows.length}.`);
	checkSize(rows, record);
	const growth = growthOf(rows);
	let uncounted: readonly BoardKind[] = [];
	for (let attempt = 1; attempt <= maxPreparations; attempt += 1) {
		const actions: ConditionalAction[] = rows.map((row) => rowAction(tables, schema, row));
		if (changesRows(rows)) {
			const update = metadataUpdate(tables, schema, growth, changedDefinitions(rows), uncounted);
			actions.push({ action: { Update: update }, refusal: 'metadata' });
		}
		if (record !== undefined)
			actions.push({ action: { Update: idempotencyRecordUpdate(tables.idempotency, record) }, refusal: 'claim_lost' });
		if (actions.length === 0) return 'committed';
		const outcome = await sendTransaction(dynamo, actions);
		if (outcome !== 'metadata') return outcome;
		const room = await makeRoom(dynamo, tables, schema, growth);
		if (room === 'full') return 'full';
		uncounted = room;
	}
	return 'conflict';
}

async function sendTransaction(dynamo: Dynamo, actions: readonly ConditionalAction[]): Promise<CommitRefusal | 'committed'> {
	const command = new TransactWriteCommand({
		TransactItems: actions.map(({ action }) => action),
		ClientRequestToken: randomUUID(),
	});
	try {
		return await sendWithRetry(dynamo, async (options) => {
			try {
				await dynamo.client.send(command, options);
				return 'committed';
			} catch (error) {
				const refusal = refusalOf(actions, error);
				if (refusal === undefined) throw error;
				return refusal;
			}
		});
	} catch (error) {
		if (!(error instanceof RetriesExhaustedError)) throw error;
		if (error.uncertain) throw new DomainError('outcome_unknown', { cause: redactError(error.cause) }, { cause: error });
		if (error.fault === 'busy') return 'conflict';
		throw storeFailed(error);
	}
}

function checkSize(rows: readonly RowCommit[], record: IdempotencyRecord | undefined): void {
	const texts = [...rows.flatMap(({ put }) => (put ? [itemOf(put).body] : [])), ...(record ? [record.response] : [])];
	let bytes = 0;
	for (const text of texts) {
		const actual = Buffer.byteLength(text);
		if (actual > maxItemBytes)
			throw new DomainError('too_large', { field: 'request', counted: 'bytes to store in one row', actual, limit: maxItemBytes });
		bytes += actual;
	}
	if (bytes > maxBytes)
		throw new DomainError('too_large', { field: 'request', counted: 'bytes to store at once', actual: bytes, limit: maxBytes });
}

function rowAction(tables: SchemaTables, schema: string, { key, expected, put }: RowCommit): ConditionalAction {
	const address = addressOf(tables, schema, key);
	const condition = {
		ConditionExpression: expected === null ? 'attribute_not_exists(#stamp)' : '#stamp = :expected',
		ExpressionAttributeNames: { '#stamp': 'stamp' },
		...(expected === null ? {} : { ExpressionAttributeValues: { ':expected': expected } }),
	};
	if (put === undefined) return { action: { ConditionCheck: { ...address, ...condition } }, refusal: 'conflict' };
	if (put === null) return { action: { Delete: { ...address, ...condition } }, refusal: 'conflict' };
	const { TableName, Key } = address;
	return { action: { Put: { TableName, Item: { ...Key, ...itemOf(put) }, ...condition } }, refusal: 'conflict' };
}

/**
 * Returns why a transaction was cancelled; undefined if it should be retried or failed otherwise. Priority: row conflict,
 * throttling, full, lost claim. SQLite's commit has the same order.
 */
function refusalOf(actions: readonly ConditionalAction[], error: unknown): CommitRefusal | undefined {
	const reasons = cancellationReasons(error);
	const refusals = new Set(
		actions.flatMap(({ refusal }, index) => (reasons[index] === 'ConditionalCheckFailed' ? [refusal] : [])),
	);
	if (refusals.has('conflict')) return 'conflict';
	if (faultOf(error) === 'busy') return undefined;
	return refusals.has('metadata') ? 'metadata' : refusals.has('claim_lost') ? 'claim_lost' : undefined;
}
