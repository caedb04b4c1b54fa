import * as v from 'valibot';
import { type Role, roles } from '../access/role.ts';
import { DomainError } from '../errors.ts';
import type { People, Person } from '../ports/people.ts';
import { normalizeEmail } from '../ports/users.ts';
import { text } from '../validation/field.ts';

/** The role of a person, as a client sends it. The e-mail is the one with which the person signs in. */
export const personSchema = v.object({ email: text(320), role: v.picklist(roles) });

/**
 * Sets the role of a person, who need not have signed in yet. It holds for the next request that changes something.
 * @param by the e-mail of the administrator who sets it; null where the token has none, which no administrator's lacks
 * @throws DomainError `own_role`, since nobody changes their own; `role_too_low` when the caller is no administrator any more; the store's errors
 */
export async function savePerson(
	people: Pick<People, 'setRole'>,
	schema: string,
	{ email, role }: { readonly email: string; readonly role: Role },
	by: string | null,
): Promise<Person> {
	if (by === null) throw new DomainError('role_too_low', { needs: 'administrator', has: null });
	if (normalizeEmail(email) === normalizeEmail(by)) throw new DomainError('own_role', {});
	const outcome = await people.setRole(schema, email, role, by);
	if (outcome === 'not_administrator') throw new DomainError('role_too_low', { needs: 'administrator', has: null });
	return outcome;
}
