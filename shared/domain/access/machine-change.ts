import { isoTime } from '../calendar/iso-time.ts';
import type { Change, ChangeEntry, ChangeOrigin } from '../changes/change-entry.ts';
import { changedFields } from '../transaction/row-change.ts';
import type { Machine } from './machine.ts';

/** A machine before and after a change. */
export interface MachineVersions {
	/** Null: the machine is new. */
	readonly before: Machine | null;
	/** Null: it is deleted. */
	readonly after: Machine | null;
}

/**
 * Returns the entry of the journal of changes for a machine that was created, changed or deleted. It never holds a secret or a hash.
 * @param at epoch milliseconds
 */
export function machineChange({ before, after }: MachineVersions, origin: ChangeOrigin, at: number): Change {
	const newest = after ?? before;
	if (newest === null) throw new RangeError('A machine that is neither stored nor saved does not change.');
	// A machine has one number only: each change of it but the time of its last use is a save, so its version is its row version, too.
	const version = after?.version ?? newest.version + 1;
	return {
		entry: {
			kind: 'machine',
			itemId: newest.clientId,
			rowVersion: version,
			...origin,
			at,
			action: actionOf({ before, after }),
			name: newest.name,
			version,
			replaced: before?.version ?? null,
			fields: before === null || after === null ? [] : changedFields(contentOfMachine(before), contentOfMachine(after)),
		},
		before: before === null ? null : { version: before.version, content: contentOfMachine(before) },
	};
}

/**
 * Returns a machine as JSON for the journal. It leaves out the time of the last sign-in, which is no change, and what stays as it was made:
 * the owner, the creator and the time of creation.
 */
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

function actionOf({ before, after }: MachineVersions): ChangeEntry['action'] {
	if (before === null) return 'created';
	return after === null ? 'deleted' : 'changed';
}
