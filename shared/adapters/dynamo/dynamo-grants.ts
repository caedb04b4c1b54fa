import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { compareGrants, type Grant } from '#domain/identity/grants.ts';
import type { GrantLookup, Grants } from '#domain/ports/grants.ts';
import { readable } from '../invalid-row.ts';
import { parseStoredGrant } from '../stored-grant.ts';
import type { Dynamo } from './dynamo-client.ts';
import { getItem, readPages } from './read-items.ts';

const keySchema = v.object({ provider: v.string(), key: v.string() });

/** A stored grant. One that lost its number begins again: the journal knows how often it was stored. */
export const storedGrantSchema = v.object({ grant: v.fallback(v.string(), ''), rowVersion: v.fallback(v.number(), 0) });

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
			return grantsOf(items).toSorted(compareGrants);
		},
	};
}

/** `GrantLookup` in DynamoDB. */
export function createDynamoGrantLookup(dynamo: Dynamo, table: string): GrantLookup {
	return {
		find: async ({ provider, key }) => {
			const item = await getItem(dynamo, { TableName: table, Key: { provider, key } });
			const [grant] = grantsOf(item === undefined ? [] : [item]);
			return grant === undefined ? null : { grant, rowVersion: v.parse(storedGrantSchema, item).rowVersion };
		},
	};
}

/** Parses items of grants. One that cannot be read lets nobody in. */
export function grantsOf(items: readonly unknown[]): readonly Grant[] {
	const parse = (item: unknown): Grant => parseStoredGrant(v.parse(storedGrantSchema, item).grant);
	return readable(null, items, parse, (item) => {
		const { provider, key } = v.parse(keySchema, item);
		return `grant#${provider}#${key}`;
	});
}
