import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { WrittenSchemas } from '#domain/ports/owners.ts';
import type { Dynamo } from './dynamo-client.ts';
import { metadataAddress, metadataOf } from './items.ts';
import { getItem, readPages } from './read-items.ts';

const namedSchema = v.object({ schema: v.string() });

/** `WrittenSchemas` in DynamoDB, from the metadata items in the table of variables. */
export function createDynamoWrittenSchemas(dynamo: Dynamo, variables: string): WrittenSchemas {
	return {
		has: async (schema) => metadataOf(await getItem(dynamo, metadataAddress({ variables }, schema))).revision > 0,
		list: async () => {
			// The metadata item has the same id in every schema.
			const scan = {
				TableName: variables,
				FilterExpression: '#id = :id AND #revision > :none',
				ProjectionExpression: '#schema',
				ExpressionAttributeNames: { '#id': 'id', '#revision': 'revision', '#schema': 'schema' },
				ExpressionAttributeValues: { ':id': metadataAddress({ variables }, '').Key['id'], ':none': 0 },
			};
			const items = await readPages(dynamo, (page) => new ScanCommand({ ...scan, ...page }));
			return items.map((item) => v.parse(namedSchema, item).schema).sort();
		},
	};
}
