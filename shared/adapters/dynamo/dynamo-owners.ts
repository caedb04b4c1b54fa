import { PutCommand, ScanCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Owners } from '#domain/ports/owners.ts';
import { clientIdOf, ownerKey, ownershipsOf } from '../owner-key.ts';
import type { Dynamo } from './dynamo-client.ts';
import { cancellationReasons, transactionCancelled } from './fault.ts';
import { getItem, readPages } from './read-items.ts';
import { sendConditional, sendOrFail, storeFailed } from './send.ts';

const storedSchema = v.object({ clientId: v.optional(v.unknown()) });

/** `Owners` in DynamoDB, one item for each schema and each database. */
export function createDynamoOwners(dynamo: Dynamo, table: string): Owners {
	return {
		find: async (owned) => {
			const item = await getItem(dynamo, { TableName: table, Key: { key: ownerKey(owned) } });
			return item === undefined ? null : clientIdOf(ownerKey(owned), v.parse(storedSchema, item).clientId);
		},
		claim: async (names, clientId) => {
			// The condition also holds for a repeated request, whose first response was lost.
			const condition = {
				ConditionExpression: 'attribute_not_exists(#key) OR #clientId = :clientId',
				ExpressionAttributeNames: { '#key': 'key', '#clientId': 'clientId' },
				ExpressionAttributeValues: { ':clientId': clientId },
			};
			const TransactItems = names.map((owned) => ({
				Put: { TableName: table, Item: { key: ownerKey(owned), clientId }, ...condition },
			}));
			const refusal = await sendConditional(dynamo, new TransactWriteCommand({ TransactItems }), transactionCancelled);
			if (refusal === undefined) return true;
			if (cancellationReasons(refusal).includes('ConditionalCheckFailed')) return false;
			throw storeFailed(refusal);
		},
		set: async ({ clientId, ...owned }) => {
			await sendOrFail(dynamo, new PutCommand({ TableName: table, Item: { key: ownerKey(owned), clientId } }));
		},
		list: async () => ownershipsOf(await readPages(dynamo, (page) => new ScanCommand({ TableName: table, ...page }))),
	};
}
