import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { OpenIdSessionTokens } from '#domain/ports/openid-sessions.ts';
import { openTokens, sealTokens } from '../session-cipher.ts';
import { sessionIds } from '../session-ids.ts';
import type { Dynamo } from './dynamo-client.ts';
import { expiryOf } from './expiry.ts';
import { getItem } from './read-items.ts';
import { sendOrFail } from './send.ts';

const storedSchema = v.object({ sealed: v.fallback(v.string(), '') });

/** `OpenIdSessionTokens` in DynamoDB, one item for each session. */
export function createDynamoOpenIdSessionTokens(dynamo: Dynamo, table: string): OpenIdSessionTokens {
	return {
		find: async (sid) => {
			const id = sessionIds.idOf(sid);
			const item = await getItem(dynamo, { TableName: table, Key: { id } });
			return item === undefined ? null : openTokens(sid, id, v.parse(storedSchema, item).sealed);
		},
		put: async (sid, tokens, endsAt) => {
			const id = sessionIds.idOf(sid);
			const Item = { id, sealed: sealTokens(sid, id, tokens), expiresAt: expiryOf(endsAt) };
			await sendOrFail(dynamo, new PutCommand({ TableName: table, Item }));
		},
		remove: async (id) => {
			await sendOrFail(dynamo, new DeleteCommand({ TableName: table, Key: { id } }));
		},
	};
}
