import type { RoleSetter } from '#domain/access/role-change.ts';
import { type ChangeOrigin, toolOrigin } from '#domain/changes/change-entry.ts';

/** The origin of the changes that tests make. */
export const testOrigin: ChangeOrigin = {
	actor: { kind: 'person', id: 'operator@plant-a.example', name: 'operator@plant-a.example' },
	via: 'api',
	requestId: 'test-request',
};

/** Sets roles as an operator's command does. */
export const byTool: RoleSetter = { origin: toolOrigin('test'), at: Date.UTC(2100, 0, 1) };

/** Sets roles as the person with that e-mail. */
export const byPerson = (email: string): RoleSetter => ({
	origin: { ...testOrigin, actor: { kind: 'person', id: email.toLowerCase(), name: email } },
	at: Date.UTC(2100, 0, 1),
});
