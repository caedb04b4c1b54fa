import { DeleteCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { normalizeEmail, type User, type Users } from '#domain/ports/users.ts';
import { readable } from '../invalid-row.ts';
import type { Dynamo } from './dynamo-client.ts';
import { getItem, readPages } from './read-items.ts';
import { sendOrFail } from './send.ts';

/** A stored user. The key `email` is normalized; `registered` is the e-mail as it was registered. */
const userSchema = v.pipe(
	v.object({ registered: v.string(), id: v.number(), firstName: v.string(), lastName: v.string(), clientId: v.number() }),
	v.transform(({ registered, ...user }): User => ({ ...user, email: registered })),
);

/** `Users` in DynamoDB. `remove` returns false when its first response was lost: the repeated request finds no user. */
export function createDynamoUsers(dynamo: Dynamo, table: string): Users {
	const addressOf = (email: string) => ({ TableName: table, Key: { email: normalizeEmail(email) } });
	return {
		find: async (email) => {
			const item = await getItem(dynamo, addressOf(email));
			return item === undefined ? null : (readUsers([item])[0] ?? null);
		},
		put: async ({ email, ...user }) => {
			const Item = { email: normalizeEmail(email), registered: email, ...user };
			await sendOrFail(dynamo, new PutCommand({ TableName: table, Item }));
		},
		remove: async (email) => {
			const { Attributes } = await sendOrFail(dynamo, new DeleteCommand({ ...addressOf(email), ReturnValues: 'ALL_OLD' }));
			return Attributes !== undefined;
		},
		list: async () => {
			const items = await readPages(dynamo, (page) => new ScanCommand({ TableName: table, ...page }));
			return readUsers(items).toSorted(byEmail);
		},
	};
}

/** Returns the users that can be read. Nobody signs in as another one, until `npm run user -- add` replaces the row. */
const readUsers = (items: readonly unknown[]): readonly User[] =>
	readable(
		null,
		items,
		(item) => v.parse(userSchema, item),
		() => 'user',
	);

/** Orders by code point, as SQLite and DynamoDB order text. */
const byEmail = (a: User, b: User): number =>
	Buffer.compare(Buffer.from(normalizeEmail(a.email)), Buffer.from(normalizeEmail(b.email)));
