import { BatchGetCommand, type BatchGetCommandInput } from '@aws-sdk/lib-dynamodb';
import { chunksOf } from '#domain/chunks-of.ts';
import { DomainError } from '#domain/errors.ts';
import { jitteredPause } from '../jittered-pause.ts';
import type { Dynamo } from './dynamo-client.ts';
import type { ItemAddress } from './items.ts';
import { mapConcurrently } from './map-concurrently.ts';
import { callDeadline, sendOrFail } from './send.ts';

/** Most items of one BatchGetItem. */
const maxBatch = 100;

/** How items are read. Reads that are not strongly consistent cost half, and may lack the changes of the last moment. */
export interface ItemReading {
	readonly consistent: boolean;
}

/** Reads items by key, in no order. Each address must be named once. */
export async function getItems(
	dynamo: Dynamo,
	addresses: readonly ItemAddress[],
	reading: ItemReading = { consistent: true },
): Promise<readonly unknown[]> {
	const deadline = callDeadline(dynamo);
	const batches = await mapConcurrently(chunksOf(maxBatch, addresses), (chunk) => getBatch(dynamo, chunk, reading, deadline));
	return batches.flat();
}

/** Reads up to 100 items. DynamoDB returns as many as fit or as it has capacity for; the rest is requested again. */
async function getBatch(
	dynamo: Dynamo,
	addresses: readonly ItemAddress[],
	{ consistent }: ItemReading,
	deadline: AbortSignal,
): Promise<readonly unknown[]> {
	const items: unknown[] = [];
	const byTable = Map.groupBy(addresses, ({ TableName }) => TableName);
	let pending: NonNullable<BatchGetCommandInput['RequestItems']> = Object.fromEntries(
		[...byTable].map(([table, each]) => [table, { Keys: each.map(({ Key }) => Key), ConsistentRead: consistent }]),
	);
	let emptyResponses = 0;
	while (Object.keys(pending).length > 0) {
		if (emptyResponses >= dynamo.limits.maxAttempts || deadline.aborted)
			throw new DomainError('store_failed', { cause: 'DynamoDB leaves keys unprocessed.' });
		if (emptyResponses > 0) await jitteredPause(emptyResponses);
		const command = new BatchGetCommand({ RequestItems: pending });
		const { Responses = {}, UnprocessedKeys = {} } = await sendOrFail(dynamo, command, deadline);
		const received = Object.values(Responses).flat();
		items.push(...received);
		emptyResponses = received.length > 0 ? 0 : emptyResponses + 1;
		pending = UnprocessedKeys;
	}
	return items;
}
