import type { Actor } from '#domain/access/actor.ts';
import type { RoleSetter } from '#domain/access/role-change.ts';
import { type ChangeOrigin, toolOrigin } from '#domain/changes/change-entry.ts';

/** The person with that e-mail. */
export const person = (email: string): Actor => ({ kind: 'person', id: email.toLowerCase(), name: email });

/** The origin of the changes that tests make. */
export const testOrigin: ChangeOrigin = {
	actor: person('operator@plant-a.example'),
	via: 'api',
	requestId: 'test-request',
};

/** Sets roles as an operator's command does. */
export const byTool: RoleSetter = { origin: toolOrigin('test'), at: Date.UTC(2100, 0, 1), session: null };

/** Sets roles as the person with that e-mail, or with that id and the id of a session of an OpenID provider. */
export const byPerson = (email: string, session: string | null = null): RoleSetter => ({
	origin: { ...testOrigin, actor: person(email) },
	at: Date.UTC(2100, 0, 1),
	session,
});
