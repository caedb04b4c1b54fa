import { DeleteCommand, GetCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { User, Users } from '#domain/ports/users.ts';
import { foldEmail } from '#domain/use-cases/sign-in.ts';
import type { Dynamo } from './dynamo-client.ts';
import { allPages } from './pages.ts';
import { ask, budgetOf } from './send.ts';

/** The key, `email`, is the folded one; `registered` is the e-mail as it was given. */
const storedSchema = v.pipe(
	v.object({ registered: v.string(), id: v.number(), firstName: v.string(), lastName: v.string(), clientId: v.number() }),
	v.transform(({ registered, ...user }): User => ({ ...user, email: registered })),
);

/** By code point, as SQLite and DynamoDB order text. */
const byFoldedEmail = (a: User, b: User): number =>
	Buffer.compare(Buffer.from(foldEmail(a.email)), Buffer.from(foldEmail(b.email)));

/** `Users` in DynamoDB. A removal whose answer was lost, and which is repeated, finds none to remove. */
export const createDynamoUsers = (dynamo: Dynamo, table: string): Users => {
	const { client } = dynamo;
	const keyOf = (email: string) => ({ TableName: table, Key: { email: foldEmail(email) } });
	return {
		find: async (email) => {
			const { Item: stored } = await ask(dynamo, (options) =>
				client.send(new GetCommand({ ...keyOf(email), ConsistentRead: true }), options),
			);
			return stored === undefined ? null : v.parse(storedSchema, stored);
		},
		put: async ({ email, ...user }) => {
			const Item = { email: foldEmail(email), registered: email, ...user };
			await ask(dynamo, (options) => client.send(new PutCommand({ TableName: table, Item }), options));
		},
		remove: async (email) => {
			const { Attributes: removed } = await ask(dynamo, (options) =>
				client.send(new DeleteCommand({ ...keyOf(email), ReturnValues: 'ALL_OLD' }), options),
			);
			return removed !== undefined;
		},
		list: async () => {
			const budget = budgetOf(dynamo);
			const input = { TableName: table, ConsistentRead: true };
			const items = await allPages((start) =>
				ask(dynamo, (options) => client.send(new ScanCommand({ ...input, ...start }), options), budget),
			);
			return items.map((stored) => v.parse(storedSchema, stored)).sort(byFoldedEmail);
		},
	};
};
