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
import { reasonOf } from '../redact.ts';
import { changesRows, growthOf } from '../stored-row.ts';
import type { Dynamo } from './dynamo-client.ts';
import { cancellationReasons, faultOf } from './fault.ts';
import { idempotencyRecordUpdate } from './idempotency-record.ts';
import { addressOf, itemOf, metadataAddress, type SchemaTables } from './items.ts';
import { RetriesExhaustedError, sendWithRetry, storeFailed } from './send.ts';

type Action = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

type Refusal = Exclude<CommitOutcome, 'committed'>;

/** One action of the transaction, and what it means when its condition does not hold. */
interface Step {
	readonly action: Action;
	readonly refusal: Refusal;
}

/** Most text that one transaction carries: DynamoDB takes 4 MB, keys and names of attributes included. */
const maxBytes = 4_000_000;

/** Most text of one item: DynamoDB takes 400 KiB, likewise. */
const maxItemBytes = 400_000;

/**
 * `SchemaStore.commit` as one transaction. Its attempts carry one ClientRequestToken, so that it is applied once whichever of
 * them arrive. What DynamoDB was too busy for becomes a conflict: nothing was written, and the caller starts again.
 * Throws `store_failed`, `outcome_unknown`, and `too_large` for more than one transaction carries.
 */
export async function commitRows(
	dynamo: Dynamo,
	tables: SchemaTables,
	schema: string,
	rows: readonly RowCommit[],
	receipt: IdempotencyRecord | undefined,
): Promise<CommitOutcome> {
	if (rows.length > maxRowsPerCommit) throw new RangeError(`A commit takes ${maxRowsPerCommit} rows; this has ${rows.length}.`);
	checkSize(rows, receipt);
	const steps: readonly Step[] = [
		...rows.map((row) => rowStep(tables, schema, row)),
		...(changesRows(rows) ? [headStep(tables, schema, growthOf(rows))] : []),
		...(receipt === undefined
			? []
			: [{ action: { Update: idempotencyRecordUpdate(tables.idempotency, receipt) }, refusal: 'claim_lost' } as const]),
	];
	if (steps.length === 0) return 'committed';
	const input = { TransactItems: steps.map(({ action }) => action), ClientRequestToken: randomUUID() };
	try {
		return await sendWithRetry(dynamo, async (options) => {
			try {
				await dynamo.client.send(new TransactWriteCommand(input), options);
				return 'committed';
			} catch (error) {
				const refusal = refusalOf(steps, error);
				if (refusal === undefined) throw error;
				return refusal;
			}
		});
	} catch (error) {
		if (!(error instanceof RetriesExhaustedError)) throw error;
		if (error.uncertain) throw new DomainError('outcome_unknown', { cause: reasonOf(error.cause) }, { cause: error });
		if (error.fault === 'busy') return 'conflict';
		throw storeFailed(error);
	}
}

function checkSize(rows: readonly RowCommit[], receipt: IdempotencyRecord | undefined): void {
	const texts = [...rows.flatMap(({ put }) => (put ? [itemOf(put).body] : [])), ...(receipt ? [receipt.response] : [])];
	let bytes = 0;
	for (const text of texts) {
		const actual = Buffer.byteLength(text);
		if (actual > maxItemBytes)
			throw new DomainError('too_large', { field: 'request', what: 'bytes to store in one row', actual, limit: maxItemBytes });
		bytes += actual;
	}
	if (bytes > maxBytes)
		throw new DomainError('too_large', { field: 'request', what: 'bytes to store at once', actual: bytes, limit: maxBytes });
}

function rowStep(tables: SchemaTables, schema: string, { key, expected, put }: RowCommit): Step {
	const place = addressOf(tables, schema, key);
	const condition =
		expected === null
			? { ConditionExpression: 'attribute_not_exists(#stamp)', ExpressionAttributeNames: { '#stamp': 'stamp' } }
			: {
					ConditionExpression: '#stamp = :expected',
					ExpressionAttributeNames: { '#stamp': 'stamp' },
					ExpressionAttributeValues: { ':expected': expected },
				};
	if (put === undefined) return { action: { ConditionCheck: { ...place, ...condition } }, refusal: 'conflict' };
	if (put === null) return { action: { Delete: { ...place, ...condition } }, refusal: 'conflict' };
	const { TableName, Key } = place;
	return { action: { Put: { TableName, Item: { ...Key, ...itemOf(put) }, ...condition } }, refusal: 'conflict' };
}

/** Advances the revision and counts the variables. Only growth is conditioned: a schema that is full can still be changed. */
const headStep = (tables: SchemaTables, schema: string, growth: number): Step => ({
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

/** A conflict on a row decides, then what is being waited for (undefined), then the rest: as SQLite's commit looks at them. */
function refusalOf(steps: readonly Step[], error: unknown): Refusal | undefined {
	const reasons = cancellationReasons(error);
	const failed = new Set(steps.flatMap(({ refusal }, index) => (reasons[index] === 'ConditionalCheckFailed' ? [refusal] : [])));
	if (failed.has('conflict')) return 'conflict';
	if (faultOf(error) === 'busy') return undefined;
	return failed.has('full') ? 'full' : failed.has('claim_lost') ? 'claim_lost' : undefined;
}
