import { DeleteCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { People, Person } from '#domain/ports/people.ts';
import { normalizeEmail } from '#domain/ports/users.ts';
import { storedRoleOf } from '../stored-role.ts';
import type { Dynamo } from './dynamo-client.ts';
import type { ItemAddress } from './items.ts';
import { getItem, readPages } from './read-items.ts';
import { sendOrFail } from './send.ts';

const textSchema = v.fallback(v.optional(v.string()), undefined);

/**
 * A stored person, of whom one field that cannot be read costs no other. The key `email` is normalized; `registered` is the e-mail as the person
 * signs in with it. Of a person of an OpenID provider the key is the id, and `registered` the name.
 */
const personSchema = v.object({
	schema: v.string(),
	email: v.string(),
	registered: textSchema,
	role: v.optional(v.unknown()),
	lastSignInAt: v.fallback(v.optional(v.number()), undefined),
	provider: textSchema,
	granted: v.optional(v.unknown()),
	rowVersion: v.fallback(v.number(), 0),
});

/** Parses the row of a person. `rowVersion` counts the roles that were set; 0: none was, since the row is from a sign-in. */
export function parseStoredPerson(item: unknown): { readonly person: Person; readonly rowVersion: number } {
	const stored = v.parse(personSchema, item);
	const { schema, email, registered = email, lastSignInAt = null, provider, granted, rowVersion } = stored;
	const role = storedRoleOf(schema, stored.role);
	if (provider === undefined || granted === undefined)
		return { person: { email: registered, role, lastSignInAt, openId: null }, rowVersion };
	const openId = { name: registered, provider, granted: storedRoleOf(schema, granted) };
	return { person: { email, role, lastSignInAt, openId }, rowVersion };
}

const personOf = (item: unknown): Person => parseStoredPerson(item).person;

/** `People` in DynamoDB without `setRole` (dynamo-roles.ts), one item for each person of a schema. */
export function createDynamoPeople(dynamo: Dynamo, table: string): Omit<People, 'setRole'> {
	const addressOf = (schema: string, email: string) => personAddress(table, schema, email);
	const find = async (schema: string, email: string): Promise<Person | null> => {
		const item = await getItem(dynamo, addressOf(schema, email));
		return item === undefined ? null : personOf(item);
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
			return items.map(personOf);
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
		noteOpenIdSignIn: async (schema, id, { name, provider, granted }, at) => {
			const command = new UpdateCommand({
				...addressOf(schema, id),
				UpdateExpression:
					'SET lastSignInAt = :at, #registered = :name, #provider = :provider, granted = :granted, #role = if_not_exists(#role, :role)',
				ExpressionAttributeNames: { ...personNames, '#provider': 'provider' },
				ExpressionAttributeValues: { ':at': at, ':name': name, ':provider': provider, ':granted': granted, ':role': 'viewer' },
			});
			await sendOrFail(dynamo, command);
		},
		remove: async (schema, email) => {
			const command = new DeleteCommand({ ...addressOf(schema, email), ReturnValues: 'ALL_OLD' });
			return (await sendOrFail(dynamo, command)).Attributes !== undefined;
		},
	};
}

/** The address of the row of a person. */
export function personAddress(table: string, schema: string, email: string): ItemAddress {
	return { TableName: table, Key: { schema, email: normalizeEmail(email) } };
}

/** Names of attributes that DynamoDB reserves. */
export const personNames = { '#registered': 'registered', '#role': 'role' };
