import { randomUUID } from 'node:crypto';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { DomainError } from '#domain/errors.ts';
import {
	type CommitOutcome,
	type IdempotencyRecord,
	maxRowsPerCommit,
	maxVariables,
	type RowCommit,
} from '#domain/ports/schema-store.ts';
import { redactError } from '../redact.ts';
import { changesRows, growthOf } from '../stored-row.ts';
import type { Dynamo } from './dynamo-client.ts';
import { idempotencyRecordUpdate } from './dynamo-idempotency.ts';
import { cancellationReasons, faultOf } from './fault.ts';
import { addressOf, itemOf, metadataAddress, type SchemaTables } from './items.ts';
import { RetriesExhaustedError, sendWithRetry, storeFailed } from './send.ts';

type CommitRefusal = Exclude<CommitOutcome, 'committed'>;

/** One action of the transaction, and the outcome of the commit when its condition fails. */
interface ConditionalAction {
	readonly action: NonNullable<TransactWriteCommandInput['TransactItems']>[number];
	readonly refusal: CommitRefusal;
}

/** Most bytes of text in one transaction. DynamoDB's limit is 4 MB, keys and attribute names included. */
const maxBytes = 4_000_000;
/** Most bytes of text in one item. DynamoDB's limit is 400 KiB, keys and attribute names included. */
const maxItemBytes = 400_000;

/**
 * `SchemaStore.commit` as one transaction. All attempts carry one ClientRequestToken, so DynamoDB applies it at most once.
 * A transaction that DynamoDB was too busy for is a conflict: nothing was written, and the caller starts again.
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
	const actions: ConditionalAction[] = rows.map((row) => rowAction(tables, schema, row));
	if (changesRows(rows)) actions.push(metadataAction(tables, schema, growthOf(rows)));
	if (record !== undefined)
		actions.push({ action: { Update: idempotencyRecordUpdate(tables.idempotency, record) }, refusal: 'claim_lost' });
	if (actions.length === 0) return 'committed';
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

/** Advances the revision and counts the variables. Only growth has a condition: the rows of a full schema can still change. */
const metadataAction = (tables: SchemaTables, schema: string, growth: number): ConditionalAction => ({
	action: {
		Update: {
			...metadataAddress(tables, schema),
			UpdateExpression: 'ADD #revision :one, #variables :growth',
			ExpressionAttributeNames: { '#revision': 'revision', '#variables': 'variables' },
			ExpressionAttributeValues: { ':one': 1, ':growth': growth, ...(growth > 0 ? { ':room': maxVariables - growth } : {}) },
			...(growth > 0 ? { ConditionExpression: 'attribute_not_exists(#variables) OR #variables <= :room' } : {}),
		},
	},
	refusal: 'full',
});

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
	return refusals.has('full') ? 'full' : refusals.has('claim_lost') ? 'claim_lost' : undefined;
}
