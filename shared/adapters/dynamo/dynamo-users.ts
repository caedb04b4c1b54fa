import { DeleteCommand, GetCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { User, Users } from '#domain/ports/users.ts';
import { normalizeEmail } from '#domain/use-cases/sign-in.ts';
import type { Dynamo } from './dynamo-client.ts';
import { allPages } from './pages.ts';
import { callDeadline, sendOrFail } from './send.ts';

/** The key, `email`, is the folded one; `registered` is the e-mail as it was given. */
const storedSchema = v.pipe(
	v.object({ registered: v.string(), id: v.number(), firstName: v.string(), lastName: v.string(), clientId: v.number() }),
	v.transform(({ registered, ...user }): User => ({ ...user, email: registered })),
);

/** `Users` in DynamoDB. A removal whose answer was lost, and which is repeated, finds none to remove. */
export function createDynamoUsers(dynamo: Dynamo, table: string): Users {
	const { client } = dynamo;
	const keyOf = (email: string) => ({ TableName: table, Key: { email: normalizeEmail(email) } });
	return {
		find: async (email) => {
			const { Item: stored } = await sendOrFail(dynamo, (options) =>
				client.send(new GetCommand({ ...keyOf(email), ConsistentRead: true }), options),
			);
			return stored === undefined ? null : v.parse(storedSchema, stored);
		},
		put: async ({ email, ...user }) => {
			const Item = { email: normalizeEmail(email), registered: email, ...user };
			await sendOrFail(dynamo, (options) => client.send(new PutCommand({ TableName: table, Item }), options));
		},
		remove: async (email) => {
			const { Attributes: removed } = await sendOrFail(dynamo, (options) =>
				client.send(new DeleteCommand({ ...keyOf(email), ReturnValues: 'ALL_OLD' }), options),
			);
			return removed !== undefined;
		},
		list: async () => {
			const budget = callDeadline(dynamo);
			const input = { TableName: table, ConsistentRead: true };
			const items = await allPages((start) =>
				sendOrFail(dynamo, (options) => client.send(new ScanCommand({ ...input, ...start }), options), budget),
			);
			return items.map((stored) => v.parse(storedSchema, stored)).sort(byFoldedEmail);
		},
	};
}

/** By code point, as SQLite and DynamoDB order text. */
const byFoldedEmail = (a: User, b: User): number =>
	Buffer.compare(Buffer.from(normalizeEmail(a.email)), Buffer.from(normalizeEmail(b.email)));
