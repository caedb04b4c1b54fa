import { refusalOf } from '#domain/access/machine.ts';
import { higherRole, mayAct, type Role } from '#domain/access/role.ts';
import { DomainError } from '#domain/errors.ts';
import { isOpenIdPerson, isProgram } from '#domain/identity/subject.ts';
import type { Endpoint } from '#shared/endpoint.ts';
import type { ApiResponse } from './api-response.ts';
import { type Caller, callerOf, sidOf } from './caller.ts';
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
 * Returns the check that the callers of an endpoint have the role that it needs. The role is read with each request, so a role that was taken away is gone with the next
 * request, whatever the token says (shared/domain/access/README.md#admission).
 */
export function admissionTo({ name, role: neededRole }: Pick<Endpoint, 'name' | 'role'>, deps: RoleDeps): Admit {
	if (neededRole === undefined) throw new RangeError(`The endpoint ${name} needs no role.`);
	return async (event) => {
		const role = await roleOfCaller(event, deps);
		if (!mayAct(role, neededRole)) throw new DomainError('role_too_low', { needs: neededRole, has: role });
	};
}

/**
 * Returns the role of the caller as it is stored now. A person who is not stored, or whose token is of an earlier release and has no
 * e-mail, has the default role.
 * @throws DomainError `machine_refused` when the caller is a machine that was deleted, has expired or has no secret any more; `session_ended` where the
 *   session of an OpenID provider has ended
 */
export async function roleOfCaller(event: ApiEvent, deps: RoleDeps): Promise<Role> {
	const { schema, database, user, email, actor } = callerOf(event);
	const sid = sidOf(event);
	if (sid !== null || isOpenIdPerson(user) || isProgram(user)) return roleInSession({ sid, user, schema, database }, deps);
	if (actor.kind === 'machine') return roleOfMachine(schema, actor.id, deps);
	const person = email === null ? null : await deps.people.find(schema, email);
	return person?.role ?? deps.defaultRole;
}

/**
 * Returns the role of a person or a program by its session: the higher one of the grants' and the row's.
 * @throws DomainError `session_ended` when the session is over, was ended, or has lost this tenant
 */
async function roleInSession(
	{ sid, user, schema, database }: Pick<Caller, 'user' | 'schema' | 'database'> & { readonly sid: string | null },
	{ openIdSessions, sessionIds, people, now }: RoleDeps,
): Promise<Role> {
	const [session, person] = await Promise.all([
		sid === null ? null : openIdSessions.find(sessionIds.idOf(sid), now()),
		// A program has the role of its session, whatever row somebody made for it.
		isProgram(user) ? null : people.find(schema, user),
	]);
	const tenant = session?.tenants.find((each) => each.schema === schema && each.database === database);
	if (tenant === undefined || session?.person !== user) throw new DomainError('session_ended', {});
	return higherRole(tenant.role, person?.role ?? tenant.role);
}

async function roleOfMachine(schema: string, clientId: string, { machines, now }: RoleDeps): Promise<Role> {
	const machine = await machines.find(clientId);
	if (machine === null || machine.schema !== schema) throw new DomainError('machine_refused', { reason: 'removed' });
	const reason = refusalOf(machine, now());
	if (reason !== null) throw new DomainError('machine_refused', { reason });
	return machine.role;
}
