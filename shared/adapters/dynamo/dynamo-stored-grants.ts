import * as v from 'valibot';
import type { Change } from '#domain/changes/change-entry.ts';
import { type Grant, grantText, isSameGrant, maxGrants } from '#domain/identity/grants.ts';
import type { StoredGrants } from '#domain/ports/grants.ts';
import { digest } from '../session-ids.ts';
import { parseStoredGrant, storedGrantOf } from '../stored-grant.ts';
import { changeAction } from './change-action.ts';
import { type ConditionalAction, repeatOnConflict, sendTransaction } from './conditional-write.ts';
import type { Dynamo } from './dynamo-client.ts';
import { createDynamoGrants } from './dynamo-grants.ts';
import type { ItemAddress, SchemaTables } from './items.ts';
import { getItem } from './read-items.ts';

const storedSchema = v.object({ grant: v.string(), rowVersion: v.number() });

/**
 * `StoredGrants` in DynamoDB. Two commands at once may both add the last grant of a provider that is almost full.
 * @param days how many days entries stay in the journal of changes; 0: for ever
 */
export function createDynamoStoredGrants(
	dynamo: Dynamo,
	tables: Pick<SchemaTables, 'changes'> & { readonly grants: string },
	days: number,
): StoredGrants {
	const { list } = createDynamoGrants(dynamo, tables.grants);
	const find = async (address: ItemAddress) => {
		const item = await getItem(dynamo, address);
		if (item === undefined) return null;
		const { grant, rowVersion } = v.parse(storedSchema, item);
		return { grant: parseStoredGrant(grant), rowVersion };
	};
	const commit = (schema: string, action: ConditionalAction['action'], change: Change) =>
		sendTransaction(dynamo, [{ action, refusal: 'conflict' }, changeAction(tables, schema, change, days)]);
	return {
		list,
		add: (grant, changeFrom) =>
			repeatOnConflict(async () => {
				const address = grantAddress(tables.grants, grant);
				const stored = await find(address);
				if (stored !== null && isSameGrant(stored.grant, grant)) return 'unchanged';
				if (stored === null && (await list(grant.provider)).length >= maxGrants) return 'full';
				const change = changeFrom(stored);
				const { TableName, Key } = address;
				const Item = { ...Key, grant: storedGrantOf(grant), rowVersion: change.entry.rowVersion };
				const outcome = await commit(grant.schema, { Put: { TableName, Item, ...isAsRead(stored) } }, change);
				return outcome === 'committed' ? 'added' : outcome;
			}),
		remove: (grant, changeFrom) =>
			repeatOnConflict(async () => {
				const address = grantAddress(tables.grants, grant);
				const stored = await find(address);
				if (stored === null) return false;
				const outcome = await commit(grant.schema, { Delete: { ...address, ...isAsRead(stored) } }, changeFrom(stored));
				return outcome === 'committed' ? true : outcome;
			}),
	};
}

function grantAddress(table: string, grant: Pick<Grant, 'provider' | 'schema' | 'database' | 'where'>): ItemAddress {
	return { TableName: table, Key: { provider: grant.provider, key: digest(grantText(grant)) } };
}

/** The condition that a grant is as it was read; null: there was none. */
function isAsRead(stored: { readonly rowVersion: number } | null) {
	return stored === null
		? { ConditionExpression: 'attribute_not_exists(#key)', ExpressionAttributeNames: { '#key': 'key' } }
		: { ConditionExpression: 'rowVersion = :stored', ExpressionAttributeValues: { ':stored': stored.rowVersion } };
}
