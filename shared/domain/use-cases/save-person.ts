import * as v from 'valibot';
import { type Role, roles } from '../access/role.ts';
import { administratorOf, type RoleSetter } from '../access/role-change.ts';
import { DomainError } from '../errors.ts';
import type { People, Person } from '../ports/people.ts';
import { normalizeEmail } from '../ports/users.ts';
import { text } from '../validation/field.ts';
import { maxEmailLength } from '../validation/input-limits.ts';

/** The role of a person, as a client sends it. The e-mail is the one with which the person signs in, or the id of a person of an OpenID provider. */
export const personSchema = v.object({ email: text(maxEmailLength), role: v.picklist(roles) });

/**
 * Sets the role of a person, who need not have signed in yet, unless with an OpenID provider. It holds for the next request that changes
 * something.
 * @throws DomainError `own_role`, since nobody changes their own; `role_too_low` when the caller is no administrator any more;
 * `no_such_person`; `role_from_provider` when the provider's grants give a higher role; the store's errors
 */
export async function savePerson(
	people: Pick<People, 'setRole'>,
	schema: string,
	{ email, role }: { readonly email: string; readonly role: Role },
	setter: RoleSetter,
): Promise<Person> {
	if (normalizeEmail(email) === administratorOf(setter)) throw new DomainError('own_role', {});
	const outcome = await people.setRole(schema, email, role, setter);
	// `has` is null: the caller's role was changed after the request was let in.
	if (outcome === 'not_administrator') throw new DomainError('role_too_low', { needs: 'administrator', has: null });
	if (outcome === 'no_such_person') throw new DomainError('no_such_person', {});
	if ('granted' in outcome) throw new DomainError('role_from_provider', { role: outcome.granted });
	return outcome;
}
