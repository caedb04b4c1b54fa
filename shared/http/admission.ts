import { mayAct, type Role } from '#domain/access/role.ts';
import { DomainError } from '#domain/errors.ts';
import type { Endpoint } from '#shared/contract.ts';
import type { ApiResponse } from './api-response.ts';
import { callerOf } from './caller.ts';
import type { ApiEvent, ApiHandler } from './event.ts';
import type { Admit, RoleDeps, RoleHandlerDeps } from './handler-deps.ts';
import { createLambdaHandler } from './lambda-handler.ts';

/**
 * Creates what `createLambdaHandler` creates, for an endpoint that needs more than the role viewer: each request is admitted first.
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
 * Returns the check of callers of an endpoint. Their role is read with each request, so what was taken away holds for the next one, whatever
 * the token says (shared/domain/access/README.md#admission). A token without an e-mail is of an earlier release and has the default role.
 */
export function admissionTo({ name, role: needs }: Pick<Endpoint, 'name' | 'role'>, { people, defaultRole }: RoleDeps): Admit {
	if (needs === undefined) throw new RangeError(`The endpoint ${name} needs no role.`);
	return async (event) => {
		const has = await roleOfCaller(event, { people, defaultRole });
		if (!mayAct(has, needs)) throw new DomainError('role_too_low', { needs, has });
	};
}

/** Returns the role of the caller as it is stored now. */
export async function roleOfCaller(event: ApiEvent, { people, defaultRole }: RoleDeps): Promise<Role> {
	const { schema, email } = callerOf(event);
	const person = email === null ? null : await people.find(schema, email);
	return person?.role ?? defaultRole;
}
