import { refusalOf } from '#domain/access/machine.ts';
import { mayAct, type Role } from '#domain/access/role.ts';
import { DomainError } from '#domain/errors.ts';
import type { Endpoint } from '#shared/endpoint.ts';
import type { ApiResponse } from './api-response.ts';
import { callerOf } from './caller.ts';
import type { ApiEvent, ApiHandler } from './event.ts';
import type { Admit, RoleDeps, RoleHandlerDeps } from './handler-deps.ts';
import { createLambdaHandler } from './lambda-handler.ts';

/**
 * Creates the handler of an endpoint that needs a higher role than viewer. It works like `createLambdaHandler`, but first checks the role
 * of the caller of each request.
 * @param respond returns the response to an admitted request
 */
export function createRoleHandler(
	{ log, admit }: RoleHandlerDeps,
	respond: (event: ApiEvent) => Promise<ApiResponse>,
): ApiHandler {
	return createLambdaHandler(log, async (event) => {
		await admit(event);
		return respond(event);
	});
}

/**
 * Returns the check of an endpoint's callers. The role is read with each request, so a role that was taken away is gone with the next
 * request, whatever the token says (shared/domain/access/README.md#admission).
 */
export function admissionTo({ name, role: needs }: Pick<Endpoint, 'name' | 'role'>, deps: RoleDeps): Admit {
	if (needs === undefined) throw new RangeError(`The endpoint ${name} needs no role.`);
	return async (event) => {
		const has = await roleOfCaller(event, deps);
		if (!mayAct(has, needs)) throw new DomainError('role_too_low', { needs, has });
	};
}

/**
 * Returns the role of the caller as it is stored now. A person who is not stored, or whose token is of an earlier release and has no
 * e-mail, has the default role.
 * @throws DomainError `machine_refused` when the caller is a machine that was deleted, has expired or has no secret any more
 */
export async function roleOfCaller(event: ApiEvent, { people, machines, defaultRole, now }: RoleDeps): Promise<Role> {
	const { schema, email, actor } = callerOf(event);
	if (actor.kind === 'machine') {
		const found = await machines.find(actor.id);
		const machine = found?.schema === schema ? found : null;
		const reason = refusalOf(machine, now());
		if (machine === null || reason !== null) throw new DomainError('machine_refused', { reason: reason ?? 'removed' });
		return machine.role;
	}
	const person = email === null ? null : await people.find(schema, email);
	return person?.role ?? defaultRole;
}
