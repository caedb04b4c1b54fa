import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Change } from '#domain/changes/change-entry.ts';
import { type Grant, grantText, isSameGrant, maxGrants } from '#domain/identity/grants.ts';
import type { GrantAddress, StoredGrant, StoredGrants } from '#domain/ports/grants.ts';
import { digest } from '../session-ids.ts';
import { replacedGrant, storedGrantOf } from '../stored-grant.ts';
import { changeAction } from './change-action.ts';
import { type ConditionalAction, repeatOnConflict, sendTransaction } from './conditional-write.ts';
import type { Dynamo } from './dynamo-client.ts';
import { createDynamoGrantLookup, createDynamoGrants, grantsOf, storedGrantSchema } from './dynamo-grants.ts';
import { type ItemAddress, type SchemaTables, stampCondition } from './items.ts';
import { getItem, readPages } from './read-items.ts';

const additionsSchema = v.object({ additions: v.number() });

/**
 * `StoredGrants` in DynamoDB. A row beside those of each provider counts what was added: of two commands at once, one counts again before it
 * adds, so the limit holds.
 * @param days how many days entries stay in the journal of changes; 0: for ever
 */
export function createDynamoStoredGrants(
	dynamo: Dynamo,
	tables: Pick<SchemaTables, 'changes'> & { readonly grants: string },
	days: number,
): StoredGrants {
	const { list } = createDynamoGrants(dynamo, tables.grants);
	const { find } = createDynamoGrantLookup(dynamo, tables.grants);
	const commit = (schema: string, commitActions: readonly ConditionalAction['action'][], change: Change) =>
		sendTransaction(dynamo, [
			...commitActions.map((action) => ({ action, refusal: 'conflict' }) as const),
			changeAction(tables, schema, change, days),
		]);
	const storedOf = async (key: TenantAndClaims): Promise<StoredGrant | null> => {
		const item = await getItem(dynamo, { TableName: tables.grants, Key: { ...keyOf(key) } });
		if (item === undefined) return null;
		const { grant, rowVersion } = v.parse(storedGrantSchema, item);
		return { grant: replacedGrant(grant, key), rowVersion };
	};
	const additionsOf = async (provider: string): Promise<number> => {
		const item = await getItem(dynamo, additionsAddress(tables.grants, provider));
		return item === undefined ? 0 : v.parse(additionsSchema, item).additions;
	};
	return {
		list,
		find,
		all: async () => {
			const scan = { TableName: tables.grants, FilterExpression: 'attribute_not_exists(additions)' };
			return grantsOf(await readPages(dynamo, (page) => new ScanCommand({ ...scan, ...page })));
		},
		add: (grant, changeFrom) =>
			repeatOnConflict(async () => {
				const Key = keyOf(grant);
				const stored = await storedOf(grant);
				if (stored !== null && isSameGrant(stored.grant, grant)) return 'unchanged';
				// Read before the grants are counted: an addition between the two makes the commit a conflict.
				const additions = stored === null ? await additionsOf(grant.provider) : null;
				if (additions !== null && (await list(grant.provider)).length >= maxGrants) return 'full';
				const change = changeFrom(stored);
				const Item = { ...Key, grant: storedGrantOf(grant), rowVersion: change.entry.rowVersion };
				const actions = [
					{ Put: { TableName: tables.grants, Item, ...stampCondition(stored?.rowVersion ?? null, stampNames) } },
					...(additions === null ? [] : [countAddition(tables.grants, grant.provider, additions)]),
				];
				const outcome = await commit(grant.schema, actions, change);
				return outcome === 'committed' ? 'added' : outcome;
			}),
		remove: (grant, changeFrom) =>
			repeatOnConflict(async () => {
				const Key = keyOf(grant);
				const stored = await storedOf(grant);
				if (stored === null) return false;
				const Delete = { TableName: tables.grants, Key, ...stampCondition(stored.rowVersion, stampNames) };
				const outcome = await commit(grant.schema, [{ Delete }], changeFrom(stored));
				return outcome === 'committed' ? true : outcome;
			}),
	};
}

/** What tells grants of a provider apart. */
type TenantAndClaims = Omit<Grant, 'owner' | 'role'>;

/** The attributes of an item for `stampCondition`. */
const stampNames = { stamp: 'rowVersion', key: 'key' };

function keyOf(grant: TenantAndClaims): GrantAddress {
	return { provider: grant.provider, key: digest(grantText(grant)) };
}

/** The address of the row that counts the additions of a provider. No name of a provider has a `#`, so no list of grants holds it. */
function additionsAddress(table: string, provider: string): ItemAddress {
	return { TableName: table, Key: { provider: '#additions', key: provider } };
}

/** Counts an addition, on condition that there was no other one since `additions` was read. */
function countAddition(table: string, provider: string, additions: number): ConditionalAction['action'] {
	const condition = additions === 0 ? 'attribute_not_exists(additions)' : 'additions = :read';
	return {
		Update: {
			...additionsAddress(table, provider),
			UpdateExpression: 'SET additions = :next',
			ConditionExpression: condition,
			ExpressionAttributeValues: { ':next': additions + 1, ...(additions === 0 ? {} : { ':read': additions }) },
		},
	};
}
