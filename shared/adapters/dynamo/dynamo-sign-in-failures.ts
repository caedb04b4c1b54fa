import { randomUUID } from 'node:crypto';
import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { SignInFailures } from '#domain/ports/sign-in-failures.ts';
import { normalizeEmail } from '#domain/use-cases/sign-in.ts';
import { failureWindowMs } from '#domain/use-cases/sign-in-limit.ts';
import type { Dynamo } from './dynamo-client.ts';
import { expiryOf } from './idempotency-record.ts';
import { allPages } from './pages.ts';
import { callDeadline, sendOrFail } from './send.ts';

const storedSchema = v.object({ at: v.number(), source: v.string() });

/** Digits of the largest time that a number holds exactly: text sorts as its times do. */
const timeDigits = 16;

/** `SignInFailures` in DynamoDB, an item each. What has left the window is deleted by DynamoDB, in its own time. */
export function createDynamoSignInFailures(dynamo: Dynamo, table: string): SignInFailures {
	return {
		record: async (email, { at, source }) => {
			const Item = {
				email: normalizeEmail(email),
				key: `${timeText(at)}#${randomUUID()}`,
				at,
				source,
				expiresAt: expiryOf(at + failureWindowMs),
			};
			await sendOrFail(dynamo, (options) => dynamo.client.send(new PutCommand({ TableName: table, Item }), options));
		},
		recent: async (email, since, limit) => {
			if (limit < 1) return [];
			const budget = callDeadline(dynamo);
			const input = {
				TableName: table,
				KeyConditionExpression: '#email = :email AND #key >= :since',
				ExpressionAttributeNames: { '#email': 'email', '#key': 'key' },
				ExpressionAttributeValues: { ':email': normalizeEmail(email), ':since': timeText(Math.max(0, since)) },
				ScanIndexForward: false,
				ConsistentRead: true,
				Limit: limit,
			};
			const items = await allPages(
				(start) => sendOrFail(dynamo, (options) => dynamo.client.send(new QueryCommand({ ...input, ...start }), options), budget),
				limit,
			);
			return items.map((stored) => v.parse(storedSchema, stored));
		},
	};
}

const timeText = (at: number): string => String(at).padStart(timeDigits, '0');
