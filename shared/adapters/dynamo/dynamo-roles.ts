import { randomUUID } from 'node:crypto';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Role } from '#domain/access/role.ts';
import {
	administratorOf,
	isAdministrating,
	type RoleSetter,
	roleChange,
	roleRefusal,
	type StoredRole,
} from '#domain/access/role-change.ts';
import type { People, Person, RoleRefusal } from '#domain/ports/people.ts';
import { parseStoredSession } from '../stored-session.ts';
import { changeAction } from './change-action.ts';
import { repeatOnConflict } from './conditional-write.ts';
import type { Dynamo } from './dynamo-client.ts';
import { sessionAddress } from './dynamo-openid-sessions.ts';
import { parseStoredPerson, personAddress, personNames } from './dynamo-people.ts';
import { cancellationReasons, transactionCancelled } from './fault.ts';
import type { SchemaTables } from './items.ts';
import { getItem } from './read-items.ts';
import { sendConditional, storeFailed } from './send.ts';

/** The tables of people and sessions, and the table of the journal that records changed roles. */
type RoleTables = Pick<SchemaTables, 'changes'> & { readonly people: string; readonly sessions: string };

/** `People.setRole` in DynamoDB. `days`: how many days its entries stay in the journal of changes; 0: for ever. */
export function createDynamoRoles(dynamo: Dynamo, tables: RoleTables, days: number): Pick<People, 'setRole'> {
	return {
		setRole: (schema, email, role, setter) =>
			repeatOnConflict(() => trySetRole(dynamo, tables, schema, { email, role, setter, days })),
	};
}

/** A role to set. `days`: as in `createDynamoRoles`. */
interface RoleToSet {
	readonly email: string;
	readonly role: Role;
	readonly setter: RoleSetter;
	readonly days: number;
}

/** Sets the role on condition that the row of the person is as it was read, and that the person who sets it is still an administrator. */
async function trySetRole(
	dynamo: Dynamo,
	tables: RoleTables,
	schema: string,
	{ email, role, setter, days }: RoleToSet,
): Promise<Person | RoleRefusal | 'conflict'> {
	const authorChecks = await authorConditions(dynamo, tables, schema, setter);
	if (authorChecks === null) return 'not_administrator';
	const stored = await findPerson(dynamo, tables.people, schema, email);
	const before = stored && { role: stored.person.role, rowVersion: stored.rowVersion, openId: stored.person.openId };
	const impossible = roleRefusal(email, role, before);
	if (impossible !== null) return impossible;
	if (stored?.person.role === role) return stored.person;
	const change = roleChange(stored?.person.email ?? email, before, setter);
	const actions = [
		{ Update: { ...personAddress(tables.people, schema, email), ...settingRole(email, role, before, change.entry.rowVersion) } },
		...authorChecks,
		changeAction(tables, schema, change, days).action,
	];
	const command = new TransactWriteCommand({ TransactItems: actions, ClientRequestToken: randomUUID() });
	const refusal = await sendConditional(dynamo, command, transactionCancelled);
	if (refusal === undefined) return { ...(stored?.person ?? { email, lastSignInAt: null, openId: null }), role };
	if (cancellationReasons(refusal).includes('ConditionalCheckFailed')) return 'conflict';
	throw storeFailed(refusal);
}

async function findPerson(dynamo: Dynamo, table: string, schema: string, email: string) {
	const item = await getItem(dynamo, personAddress(table, schema, email));
	return item === undefined ? null : parseStoredPerson(item);
}

/**
 * Returns the condition on the row that makes the person who sets a role an administrator: the person's, otherwise that of the session. No
 * condition for a command of an operator; null: the person is no administrator.
 */
async function authorConditions(dynamo: Dynamo, tables: RoleTables, schema: string, setter: RoleSetter) {
	const administrator = administratorOf(setter);
	if (administrator === null) return [];
	const author = await findPerson(dynamo, tables.people, schema, administrator);
	if (author?.person.role === 'administrator')
		return [{ ConditionCheck: { ...personAddress(tables.people, schema, administrator), ...isAdministrator } }];
	if (setter.session === null) return null;
	const address = sessionAddress(tables.sessions, setter.session);
	const item = await getItem(dynamo, address);
	const session = item === undefined ? null : parseStoredSession(item);
	if (session === null || !isAdministrating(session, schema, setter)) return null;
	return [{ ConditionCheck: { ...address, ...hasVersion(session.version) } }];
}

/** The condition that a person is an administrator. */
const isAdministrator = {
	ConditionExpression: '#role = :role',
	ExpressionAttributeNames: { '#role': 'role' },
	ExpressionAttributeValues: { ':role': 'administrator' },
};

/** The condition that a session is as it was read: a renewal may take the role away. */
const hasVersion = (version: number) => ({
	ConditionExpression: '#version = :version',
	ExpressionAttributeNames: { '#version': 'version' },
	ExpressionAttributeValues: { ':version': version },
});

/** Returns the update that sets a role, on condition that the row is as it was read (`stored`; null: there was none). */
function settingRole(email: string, role: Role, stored: Pick<StoredRole, 'rowVersion'> | null, rowVersion: number) {
	// A row from a sign-in has no rowVersion yet, and a damaged one none that is a number.
	const wasSet = stored !== null && stored.rowVersion > 0;
	return {
		UpdateExpression: 'SET #role = :role, rowVersion = :next, #registered = if_not_exists(#registered, :email)',
		ConditionExpression: wasSet ? 'rowVersion = :stored' : 'NOT attribute_type(rowVersion, :number)',
		ExpressionAttributeNames: personNames,
		ExpressionAttributeValues: {
			':role': role,
			':email': email,
			':next': rowVersion,
			...(wasSet ? { ':stored': stored.rowVersion } : { ':number': 'N' }),
		},
	};
}
