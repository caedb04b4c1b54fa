import { DeleteCommand, PutCommand, QueryCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { logoutKey, logoutKeysOf } from '#domain/identity/provider-logout.ts';
import type { OpenIdSessions } from '#domain/ports/openid-sessions.ts';
import { digest } from '../session-ids.ts';
import { parseStoredSession, storedFoundOf, storedSessionOf, unended } from '../stored-session.ts';
import type { Dynamo } from './dynamo-client.ts';
import { expiryOf } from './expiry.ts';
import { getItems } from './get-items.ts';
import type { ItemAddress } from './items.ts';
import { getItem, readIndex, readPages } from './read-items.ts';
import { sendConditional, sendOrFail, sendOrRefused } from './send.ts';

/** The index by person (shared/tables.ts). */
const personIndex = 'byPerson';

/** A kept logout. One that lost its time is of all sessions. */
const logoutSchema = v.object({ issuedAt: v.fallback(v.number(), Number.POSITIVE_INFINITY) });

const indexedSchema = v.object({ id: v.string() });

/** The stored item of a write that was refused, in DynamoDB's own notation; undefined: there was none. */
const refusalSchema = v.object({
	Item: v.optional(
		v.object({ endsAt: v.optional(v.object({ N: v.string() })), renewedBy: v.optional(v.object({ S: v.string() })) }),
	),
});

/**
 * `OpenIdSessions` in DynamoDB. `leaseBy` and `leaseUntil` are there while somebody has the lease. `renewedBy` is the lease of the last
 * renewal, by which a repeated request knows that its first one was applied.
 */
export function createDynamoOpenIdSessions(dynamo: Dynamo, table: string): OpenIdSessions {
	return {
		...createDynamoOpenIdSessionLookup(dynamo, table),
		create: async (session) => {
			const Item = { ...storedSessionOf(session), expiresAt: expiryOf(session.endsAt) };
			await sendOrFail(dynamo, new PutCommand({ TableName: table, Item }));
		},
		lease: async (id, { by, until }, now) => {
			const command = new UpdateCommand({
				...sessionAddress(table, id),
				UpdateExpression: 'SET leaseBy = :by, leaseUntil = :until',
				ConditionExpression: 'endsAt > :now AND (attribute_not_exists(leaseBy) OR leaseUntil <= :now OR leaseBy = :by)',
				ExpressionAttributeValues: { ':by': by, ':until': until, ':now': now },
				ReturnValues: 'ALL_NEW',
				ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
			});
			const answer = await sendOrRefused(dynamo, command);
			if ('output' in answer) return unended(parseStoredSession(answer.output.Attributes), now);
			const endsAt = v.parse(refusalSchema, answer.refusal).Item?.endsAt;
			return endsAt !== undefined && Number(endsAt.N) > now ? 'held' : null;
		},
		release: async (id, by) => {
			const command = new UpdateCommand({
				...sessionAddress(table, id),
				UpdateExpression: 'REMOVE leaseBy, leaseUntil',
				ConditionExpression: 'leaseBy = :by',
				ExpressionAttributeValues: { ':by': by },
			});
			await sendConditional(dynamo, command);
		},
		update: async (id, by, found) => {
			const command = new UpdateCommand({
				...sessionAddress(table, id),
				UpdateExpression: 'SET #found = :found, renewedBy = :by ADD #version :one REMOVE leaseBy, leaseUntil',
				// It does not hold for a row that was deleted, so the update creates none.
				ConditionExpression: 'leaseBy = :by',
				ExpressionAttributeNames: { '#found': 'found', '#version': 'version' },
				ExpressionAttributeValues: { ':by': by, ':found': storedFoundOf(found), ':one': 1 },
				ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
			});
			const refusal = await sendConditional(dynamo, command);
			// A repeated request whose first response was lost finds its own renewal.
			return refusal === undefined || v.parse(refusalSchema, refusal).Item?.renewedBy?.S === by;
		},
		remove: async (id) => {
			await sendOrFail(dynamo, new DeleteCommand(sessionAddress(table, id)));
		},
		noteLogout: async (logout, until) => {
			const command = new UpdateCommand({
				...logoutAddress(table, logoutKey(logout)),
				UpdateExpression: 'SET issuedAt = :issuedAt, expiresAt = :expiresAt',
				ConditionExpression: 'attribute_not_exists(issuedAt) OR issuedAt < :issuedAt',
				ExpressionAttributeValues: { ':issuedAt': logout.issuedAt, ':expiresAt': expiryOf(until) },
			});
			await sendConditional(dynamo, command);
		},
		isLoggedOut: async (session) => {
			const items = await Promise.all(logoutKeysOf(session).map((key) => getItem(dynamo, logoutAddress(table, key))));
			return items.some((item) => item !== undefined && v.parse(logoutSchema, item).issuedAt >= session.issuedAt);
		},
		listOf: async (person) => {
			const query = {
				TableName: table,
				IndexName: personIndex,
				KeyConditionExpression: 'person = :person',
				ExpressionAttributeValues: { ':person': person },
			};
			const indexed = await readIndex(dynamo, (page) => new QueryCommand({ ...query, ...page }));
			const ids = indexed.map((item) => v.parse(indexedSchema, item).id);
			const items = await getItems(
				dynamo,
				ids.map((id) => sessionAddress(table, id)),
			);
			return items.map(parseStoredSession);
		},
		list: async () => {
			// The rows of logouts have no person.
			const scan = { TableName: table, FilterExpression: 'attribute_exists(person)' };
			return (await readPages(dynamo, (page) => new ScanCommand({ ...scan, ...page }))).map(parseStoredSession);
		},
	};
}

/** Finds sessions in DynamoDB, for functions that change none. */
export function createDynamoOpenIdSessionLookup(dynamo: Dynamo, table: string): Pick<OpenIdSessions, 'find'> {
	return {
		find: async (id, now) => {
			const item = await getItem(dynamo, sessionAddress(table, id));
			return item === undefined ? null : unended(parseStoredSession(item), now);
		},
	};
}

/** The address of the row of a kept logout, beside those of sessions. */
function logoutAddress(table: string, key: string): ItemAddress {
	return { TableName: table, Key: { id: `logout#${digest(key)}` } };
}

/** The address of the row of a session. */
export function sessionAddress(table: string, id: string): ItemAddress {
	return { TableName: table, Key: { id } };
}
