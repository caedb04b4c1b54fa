import { randomUUID } from 'node:crypto';
import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { failureWindowMs, type SignInFailures } from '#domain/ports/sign-in-failures.ts';
import { normalizeEmail } from '#domain/ports/users.ts';
import type { Dynamo } from './dynamo-client.ts';
import { expiryOf } from './items.ts';
import { readPages } from './read-items.ts';
import { sendOrFail } from './send.ts';

const failureSchema = v.object({ at: v.number(), source: v.string() });

/** `SignInFailures` in DynamoDB, one item per failure. DynamoDB deletes failures some time after they left the window. */
export function createDynamoSignInFailures(dynamo: Dynamo, table: string): SignInFailures {
	return {
		record: async (email, { at, source }) => {
			const Item = {
				email: normalizeEmail(email),
				key: `${sortableTime(at)}#${randomUUID()}`,
				at,
				source,
				expiresAt: expiryOf(at + failureWindowMs),
			};
			await sendOrFail(dynamo, new PutCommand({ TableName: table, Item }));
		},
		recent: async (email, since, limit) => {
			if (limit < 1) return [];
			const query = {
				TableName: table,
				KeyConditionExpression: '#email = :email AND #key >= :since',
				ExpressionAttributeNames: { '#email': 'email', '#key': 'key' },
				ExpressionAttributeValues: { ':email': normalizeEmail(email), ':since': sortableTime(Math.max(0, since)) },
				ScanIndexForward: false,
				Limit: limit,
			};
			const items = await readPages(dynamo, (page) => new QueryCommand({ ...query, ...page }), { limit });
			return items.map((item) => v.parse(failureSchema, item));
		},
	};
}

/** Returns epoch milliseconds as text that sorts by time: padded to the 16 digits of the largest safe integer. */
const sortableTime = (at: number): string => String(at).padStart(16, '0');
