import type { Change } from '#domain/changes/change-entry.ts';
import { changeExpiry, storedChangeOf, storedKeysOf } from '../stored-change.ts';
import type { ConditionalAction } from './conditional-write.ts';
import { expiryOf } from './expiry.ts';
import type { SchemaTables } from './items.ts';

/** Returns the action that adds a change to the journal, on condition that its key is new. `days`: how long it stays; 0: for ever. */
export function changeAction(
	{ changes }: Pick<SchemaTables, 'changes'>,
	schema: string,
	change: Change,
	days: number,
): ConditionalAction<'conflict'> {
	const { entry, before } = storedChangeOf(change);
	const expiry = changeExpiry(change.entry, days);
	// The entry is stored as text. `at`, `kind`, `itemId` and `actor` are for the index by time and its filters.
	const Item = {
		schema,
		...storedKeysOf(change.entry),
		entry,
		...(before === null ? {} : { before }),
		...(expiry === null ? {} : { expiresAt: expiryOf(expiry) }),
	};
	const condition = { ConditionExpression: 'attribute_not_exists(#key)', ExpressionAttributeNames: { '#key': 'key' } };
	return { action: { Put: { TableName: changes, Item, ...condition } }, refusal: 'conflict' };
}
