import { randomUUID } from 'node:crypto';
import { QueryCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type Role, roles } from '#domain/access/role.ts';
import type { People, Person } from '#domain/ports/people.ts';
import { normalizeEmail } from '#domain/ports/users.ts';
import type { Dynamo } from './dynamo-client.ts';
import { cancellationReasons } from './fault.ts';
import { getItem, readPages } from './read-items.ts';
import { sendConditional, sendOrFail, storeFailed } from './send.ts';

/** A stored person. The key `email` is normalized; `registered` is the e-mail as the person signs in with it. */
const personSchema = v.pipe(
	v.object({ registered: v.string(), role: v.picklist(roles), lastSignInAt: v.optional(v.number()) }),
	v.transform(({ registered, role, lastSignInAt = null }): Person => ({ email: registered, role, lastSignInAt })),
);

/** `People` in DynamoDB, one item for each person of a schema. */
export function createDynamoPeople(dynamo: Dynamo, table: string): People {
	const addressOf = (schema: string, email: string) => ({ TableName: table, Key: { schema, email: normalizeEmail(email) } });
	const find = async (schema: string, email: string): Promise<Person | null> => {
		const item = await getItem(dynamo, addressOf(schema, email));
		return item === undefined ? null : v.parse(personSchema, item);
	};
	return {
		find,
		list: async (schema) => {
			const query = {
				TableName: table,
				KeyConditionExpression: '#schema = :schema',
				ExpressionAttributeNames: { '#schema': 'schema' },
				ExpressionAttributeValues: { ':schema': schema },
			};
			const items = await readPages(dynamo, (page) => new QueryCommand({ ...query, ...page }));
			return items.map((item) => v.parse(personSchema, item));
		},
		noteSignIn: async (schema, email, role, at) => {
			const command = new UpdateCommand({
				...addressOf(schema, email),
				UpdateExpression:
					'SET lastSignInAt = :at, #registered = if_not_exists(#registered, :email), #role = if_not_exists(#role, :role)',
				ExpressionAttributeNames: personNames,
				ExpressionAttributeValues: { ':at': at, ':email': email, ':role': role },
			});
			await sendOrFail(dynamo, command);
		},
		setRole: async (schema, email, role, by) => {
			const setting = { Update: { ...addressOf(schema, email), ...settingRole(email, role) } };
			const check = {
				ConditionExpression: '#role = :role',
				ExpressionAttributeNames: { '#role': 'role' },
				ExpressionAttributeValues: { ':role': 'administrator' },
			};
			const command = new TransactWriteCommand({
				TransactItems: [setting, ...(by === null ? [] : [{ ConditionCheck: { ...addressOf(schema, by), ...check } }])],
				ClientRequestToken: randomUUID(),
			});
			const refusal = await sendConditional(dynamo, command, 'TransactionCanceledException');
			if (refusal === undefined) return (await find(schema, email)) ?? { email, role, lastSignInAt: null };
			if (cancellationReasons(refusal).includes('ConditionalCheckFailed')) return 'not_administrator';
			throw storeFailed(refusal);
		},
	};
}

const personNames = { '#registered': 'registered', '#role': 'role' };

const settingRole = (email: string, role: Role) => ({
	UpdateExpression: 'SET #role = :role, #registered = if_not_exists(#registered, :email)',
	ExpressionAttributeNames: personNames,
	ExpressionAttributeValues: { ':role': role, ':email': email },
});
