import * as v from 'valibot';
import { roles } from '#domain/access/role.ts';
import { personSchema } from '#domain/use-cases/save-person.ts';
import { describedObject } from '../component.ts';
import { answer } from './answer.ts';
import { nullableTimestampSchema } from './reading.ts';

/** The text of a field that names a role. */
const roleText =
	'What the person may do: a viewer reads; an operator also acknowledges and shelves alarms, and saves charts; an engineer saves and deletes everything else; an administrator also sets roles.';

const email =
	'The e-mail address with which the person signs in, in any case, or the id of a person of an OpenID provider, as it is listed.';

const savedPersonSchema = v.object({
	email: v.string(),
	name: v.nullable(v.string()),
	provider: v.nullable(v.string()),
	role: v.picklist(roles),
	granted: v.nullable(v.picklist(roles)),
	lastSignInAt: nullableTimestampSchema,
});

/** The schemas of people and their roles. */
export const personComponents = {
	PersonInput: describedObject(personSchema, 'The role to give to a person.', { email, role: roleText }),
	Person: describedObject(savedPersonSchema, 'A person of the tenant.', {
		email:
			'The e-mail address with which the person signs in. Of a person of an OpenID provider the id in place of it: `person:` and 32 hex digits.',
		name: 'The name of a person of an OpenID provider; null: of no such person.',
		provider: 'The OpenID provider with which the person signs in; null: with none.',
		role: roleText,
		granted:
			'The role that the grants of the OpenID provider gave when the person signed in last. The person has the higher of the two roles. Null: with no OpenID provider.',
		lastSignInAt: 'When the person signed in last; null: not yet.',
	}),
	PersonAnswer: answer(savedPersonSchema, 'The person as stored.'),
	PeopleAnswer: answer(v.array(savedPersonSchema), 'The people who signed in or were given a role, by their e-mail.'),
} as const;
