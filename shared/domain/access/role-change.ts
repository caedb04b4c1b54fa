import type { Change, ChangeOrigin } from '../changes/change-entry.ts';
import { isOpenIdPerson, isProgram } from '../identity/subject.ts';
import type { OpenIdSession } from '../ports/openid-sessions.ts';
import { normalizeEmail } from '../ports/users.ts';
import { mayAct, type Role } from './role.ts';

/** Who sets a role, and when (epoch milliseconds). A person must be an administrator of the schema; an operator's command need not. */
export interface RoleSetter {
	readonly origin: ChangeOrigin;
	readonly at: number;
	/** The id of the session (`OpenIdSession`) whose grants may make the person an administrator; null: only the row does. */
	readonly session: string | null;
}

/** The stored role of a person. `rowVersion` counts the roles that were set. */
export interface StoredRole {
	readonly role: Role;
	readonly rowVersion: number;
	/** Of a person who signs in with an OpenID provider. */
	readonly openId: { readonly name: string; readonly granted: Role } | null;
}

/** Returns the e-mail of the person who must be an administrator; null for an operator's command. */
export function administratorOf({ origin: { actor } }: RoleSetter): string | null {
	return actor.kind === 'tool' ? null : actor.id;
}

/**
 * Returns whether a session makes the person who sets a role an administrator of the schema
 * (shared/domain/access/README.md#people).
 */
export function isAdministrating(
	{ person, tenants, endsAt }: Pick<OpenIdSession, 'person' | 'tenants' | 'endsAt'>,
	schema: string,
	setter: RoleSetter,
): boolean {
	const isTheirs = person === administratorOf(setter) && endsAt > setter.at;
	return isTheirs && tenants.some((tenant) => tenant.schema === schema && tenant.role === 'administrator');
}

/** Returns why nobody can set a role; null: an administrator can. @param stored null: the person has no row */
export function roleRefusal(
	email: string,
	role: Role,
	stored: Pick<StoredRole, 'openId'> | null,
): 'no_such_person' | { readonly granted: Role } | null {
	const key = normalizeEmail(email);
	if (isProgram(key)) return 'no_such_person';
	if (stored === null) return isOpenIdPerson(key) ? 'no_such_person' : null;
	const { openId } = stored;
	return openId === null || mayAct(role, openId.granted) ? null : { granted: openId.granted };
}

/** Returns the entry of the journal of changes for a new role. @param stored null: the person had no row */
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
			name: stored?.openId?.name ?? email,
			version,
			replaced,
			fields: stored === null ? [] : ['role'],
		},
		before: stored === null ? null : { version: stored.rowVersion, content: { email, role: stored.role } },
	};
}
