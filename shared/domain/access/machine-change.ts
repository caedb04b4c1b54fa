import { isoTime } from '../calendar/iso-time.ts';
import type { Change, ChangeOrigin } from '../changes/change-entry.ts';
import { changedFields } from '../transaction/row-change.ts';
import type { Machine } from './machine.ts';

/**
 * Returns the entry of the journal of changes for a machine that was created, changed or deleted. It never holds a secret or a hash.
 * @param before null: the machine is new
 * @param after null: it is deleted
 * @param at epoch milliseconds
 */
export function machineChange(before: Machine | null, after: Machine | null, origin: ChangeOrigin, at: number): Change {
	const known = after ?? before;
	if (known === null) throw new RangeError('A machine that is neither stored nor saved does not change.');
	const version = after?.version ?? known.version + 1;
	return {
		entry: {
			kind: 'machine',
			itemId: known.clientId,
			rowVersion: version,
			...origin,
			at,
			action: before === null ? 'created' : after === null ? 'deleted' : 'changed',
			name: known.name,
			version,
			replaced: before?.version ?? null,
			fields: before === null || after === null ? [] : changedFields(contentOfMachine(before), contentOfMachine(after)),
		},
		before: before === null ? null : { version: before.version, content: contentOfMachine(before) },
	};
}

/** Returns a machine as JSON for the journal, without the fields that every sign-in changes. */
export function contentOfMachine({ clientId, name, role, database, expiresAt, secrets }: Machine): Record<string, unknown> {
	return {
		clientId,
		name,
		role,
		database,
		expiresAt: isoTime(expiresAt),
		secrets: secrets.map(({ id, createdAt }) => ({ id, createdAt: isoTime(createdAt) })),
	};
}
