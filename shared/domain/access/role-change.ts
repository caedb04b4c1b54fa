import type { Change, ChangeOrigin } from '../changes/change-entry.ts';
import { normalizeEmail } from '../ports/users.ts';
import type { Role } from './role.ts';

/** Who sets a role, and when (epoch milliseconds). A person must be an administrator of the schema; an operator's command need not. */
export interface RoleSetter {
	readonly origin: ChangeOrigin;
	readonly at: number;
	/** The id of the session (`OpenIdSession`) whose grants may make the person an administrator; null: only the row does. */
	readonly session: string | null;
}

/** The stored role of a person; null: there is no row. `rowVersion` counts the roles that were set. */
export interface StoredRole {
	readonly role: Role;
	readonly rowVersion: number;
}

/** Returns the e-mail of the person who must be an administrator; null for an operator's command. */
export function administratorOf({ origin: { actor } }: RoleSetter): string | null {
	return actor.kind === 'tool' ? null : actor.id;
}

/** Returns the entry of the journal of changes for a new role. */
export function roleChange(email: string, stored: StoredRole | null, { origin, at }: RoleSetter): Change {
	const replaced = stored?.rowVersion ?? null;
	// A role has one number only: each change of it is a save, so its version and its row version are equal.
	const version = (replaced ?? 0) + 1;
	return {
		entry: {
			kind: 'person',
			itemId: normalizeEmail(email),
			rowVersion: version,
			...origin,
			at,
			action: stored === null ? 'created' : 'changed',
			name: email,
			version,
			replaced,
			fields: stored === null ? [] : ['role'],
		},
		before: stored === null ? null : { version: stored.rowVersion, content: { email, role: stored.role } },
	};
}
