import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { compareGrants, type Grant } from '#domain/identity/grants.ts';
import type { GrantLookup, Grants } from '#domain/ports/grants.ts';
import { parseStoredGrant } from '../stored-grant.ts';
import type { Dynamo } from './dynamo-client.ts';
import { getItem, readPages } from './read-items.ts';

const storedSchema = v.object({ grant: v.string(), rowVersion: v.number() });

/** `Grants` in DynamoDB, for functions that change none. */
export function createDynamoGrants(dynamo: Dynamo, table: string): Grants {
	return {
		list: async (provider) => {
			const query = {
				TableName: table,
				KeyConditionExpression: '#provider = :provider',
				ExpressionAttributeNames: { '#provider': 'provider' },
				ExpressionAttributeValues: { ':provider': provider },
			};
			const items = await readPages(dynamo, (page) => new QueryCommand({ ...query, ...page }));
			return items.map(parseGrantItem).sort(compareGrants);
		},
	};
}

/** `GrantLookup` in DynamoDB. */
export function createDynamoGrantLookup(dynamo: Dynamo, table: string): GrantLookup {
	return {
		find: async ({ provider, key }) => {
			const item = await getItem(dynamo, { TableName: table, Key: { provider, key } });
			if (item === undefined) return null;
			const { grant, rowVersion } = v.parse(storedSchema, item);
			return { grant: parseStoredGrant(grant), rowVersion };
		},
	};
}

/** Parses the item of a grant. Throws an Error that is no DomainError: an invalid row is never the client's fault. */
export function parseGrantItem(item: unknown): Grant {
	return parseStoredGrant(v.parse(storedSchema, item).grant);
}
