import { randomUUID } from 'node:crypto';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Role } from '#domain/access/role.ts';
import { administratorOf, type RoleSetter, roleChange } from '#domain/access/role-change.ts';
import { DomainError } from '#domain/errors.ts';
import type { People, Person, RoleRefusal } from '#domain/ports/people.ts';
import { jitteredPause } from '../jittered-pause.ts';
import { changeAction } from './change-action.ts';
import type { Dynamo } from './dynamo-client.ts';
import { personAddress, personNames, personSchema } from './dynamo-people.ts';
import { cancellationReasons, transactionCancelled } from './fault.ts';
import type { SchemaTables } from './items.ts';
import { getItem } from './read-items.ts';
import { sendConditional, storeFailed } from './send.ts';

/** Most attempts to set a role. Each further attempt follows a conflicting change of the same rows. */
const maxAttempts = 12;
/** When a client should repeat a request after too many attempts. */
const retryAfterMs = 1000;

const storedSchema = v.object({ ...personSchema.entries, rowVersion: v.optional(v.number(), 0) });

/** `People.setRole` in DynamoDB. `days`: how many days its entries stay in the journal of changes; 0: for ever. */
export function createDynamoRoles(
	dynamo: Dynamo,
	tables: Pick<SchemaTables, 'changes'> & { readonly people: string },
	days: number,
): Pick<People, 'setRole'> {
	return {
		setRole: async (schema, email, role, setter) => {
			for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
				const outcome = await trySetRole(dynamo, tables, schema, { email, role, setter, days });
				if (outcome !== 'conflict') return outcome;
				await jitteredPause(attempt);
			}
			throw new DomainError('write_contention', { retryAfterMs });
		},
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
	tables: Pick<SchemaTables, 'changes'> & { readonly people: string },
	schema: string,
	{ email, role, setter, days }: RoleToSet,
): Promise<Person | RoleRefusal | 'conflict'> {
	const find = async (personEmail: string) => {
		const item = await getItem(dynamo, personAddress(tables.people, schema, personEmail));
		return item === undefined ? null : v.parse(storedSchema, item);
	};
	const administrator = administratorOf(setter);
	if (administrator !== null && (await find(administrator))?.role !== 'administrator') return 'not_administrator';
	const stored = await find(email);
	if (stored?.role === role) return { email: stored.registered, role, lastSignInAt: stored.lastSignInAt ?? null };
	const change = roleChange(stored?.registered ?? email, stored, setter);
	const actions = [
		{ Update: { ...personAddress(tables.people, schema, email), ...settingRole(email, role, stored, change.entry.rowVersion) } },
		...(administrator === null
			? []
			: [{ ConditionCheck: { ...personAddress(tables.people, schema, administrator), ...isAdministrator } }]),
		changeAction(tables, schema, change, days).action,
	];
	const command = new TransactWriteCommand({ TransactItems: actions, ClientRequestToken: randomUUID() });
	const refusal = await sendConditional(dynamo, command, transactionCancelled);
	if (refusal === undefined) return { email: stored?.registered ?? email, role, lastSignInAt: stored?.lastSignInAt ?? null };
	if (cancellationReasons(refusal).includes('ConditionalCheckFailed')) return 'conflict';
	throw storeFailed(refusal);
}

/** The condition that a person is an administrator. */
const isAdministrator = {
	ConditionExpression: '#role = :role',
	ExpressionAttributeNames: { '#role': 'role' },
	ExpressionAttributeValues: { ':role': 'administrator' },
};

/** Returns the update that sets a role, on condition that the row is as it was read (`stored`; null: there was none). */
function settingRole(
	email: string,
	role: Role,
	stored: { readonly role: Role; readonly rowVersion: number } | null,
	rowVersion: number,
) {
	// A row from a sign-in has no rowVersion yet.
	const hasVersion = stored !== null && stored.rowVersion > 0;
	return {
		UpdateExpression: 'SET #role = :role, rowVersion = :next, #registered = if_not_exists(#registered, :email)',
		ConditionExpression: hasVersion ? 'rowVersion = :stored' : 'attribute_not_exists(rowVersion)',
		ExpressionAttributeNames: personNames,
		ExpressionAttributeValues: {
			':role': role,
			':email': email,
			':next': rowVersion,
			...(hasVersion ? { ':stored': stored.rowVersion } : {}),
		},
	};
}
