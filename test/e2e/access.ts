import { beforeAll, describe, expect, test } from 'vitest';
import { mayAct, type Role, roles } from '#domain/access/role.ts';
import { endpoints } from '#shared/contract.ts';
import type { Endpoint } from '#shared/endpoint.ts';
import { makeBody } from '#test/support/builders/builders.ts';
import { byTool } from '#test/support/builders/origin.ts';
import { type AlarmTarget, type CallOptions, call, credentials, signInAs, tenants } from './target.ts';

const { shift } = credentials;

const rows: readonly Endpoint[] = endpoints;
const guarded = rows.filter(({ auth }) => auth === 'bearer');

/** Who may do what, and how roles are given and taken away (shared/domain/access/README.md). */
export const accessSuite = (target: () => AlarmTarget): void => {
	describe('roles', () => {
		const [schema, administrator] = [tenants.a.schemaName, tenants.a.email];
		const setRole = (email: string, role: Role) => target().people.setRole(schema, email, role, byTool);
		const as = (token: string, method: string, path: string, options: CallOptions = {}) =>
			call(target(), method, path, { ...options, token });

		/** Calls an endpoint with input that nothing is changed by. */
		const tryOut = ({ method, path }: Endpoint, token: string) =>
			as(token, method, path.replace(/\{\w+\}/, '987654'), method === 'POST' ? { body: {} } : {});

		/** Returns the endpoints with a token that the target has: some are there only with OpenID providers. */
		const guardedThere = async (): Promise<readonly Endpoint[]> => {
			const { data } = (await call(target(), 'GET', '/openIdProviders')).body;
			return guarded.filter(({ setting }) => setting !== 'openIdProviders' || data.providers.length > 0);
		};

		beforeAll(async () => {
			await setRole(administrator, 'administrator');
		});

		test.each(roles)('a %s may call what the role needs, and nothing else', async (role) => {
			await setRole(shift.email, role);
			const { token, user } = await signInAs(target(), 'shift');
			expect(user.role).toBe(role);
			const there = await guardedThere();
			const answers = await Promise.all(there.map(async (endpoint) => [endpoint.name, await tryOut(endpoint, token)] as const));
			for (const [index, [name, { status, body }]] of answers.entries()) {
				const needs = there[index]?.role ?? 'administrator';
				// The token is of no session of a provider, whatever the role.
				if (name === 'renewOpenId') expect([status, body.request.code]).toEqual([403, 'renewal_refused']);
				else if (mayAct(role, needs)) expect([200, 400, 404], `${role} ${name}: ${JSON.stringify(body)}`).toContain(status);
				else if (role === 'viewer') expect([name, status, body.message]).toEqual([name, 403, 'Forbidden']);
				else
					expect([name, status, body.request.code, body.request.params]).toEqual([
						name,
						403,
						'role_too_low',
						{ needs, has: role },
					]);
			}
		});

		test('what was taken away holds for the next write, and reads end with the token', async () => {
			await setRole(shift.email, 'engineer');
			const { token } = await signInAs(target(), 'shift');
			const save = () => as(token, 'POST', '/saveVariable', { body: makeBody() });
			expect((await save()).status).toBe(200);
			await setRole(shift.email, 'viewer');
			const refused = await Promise.all(Array.from({ length: 8 }, save));
			expect(refused.map(({ status, body }) => [status, body.request.params])).toEqual(
				refused.map(() => [403, { needs: 'engineer', has: 'viewer' }]),
			);
			expect((await as(token, 'GET', '/getVarsTsdb')).status).toBe(200);
		});

		test('an administrator sets roles of the own tenant, also before the first sign-in, but not the own one', async () => {
			const { token } = await signInAs(target(), 'a');
			const save = (email: string, role: string) => as(token, 'POST', '/savePerson', { body: { email, role } });
			const email = `new-${Date.now()}@plant-a.example`;
			const withoutProvider = { name: null, provider: null, granted: null };
			expect((await save(email, 'operator')).body).toEqual({
				data: { email, role: 'operator', lastSignInAt: null, ...withoutProvider },
			});
			const unknown = await save(`person:${'0'.repeat(32)}`, 'viewer');
			expect([unknown.status, unknown.body.email.code]).toEqual([404, 'no_such_person']);
			const own = await save(administrator.toUpperCase(), 'viewer');
			expect([own.status, own.body.email.code]).toEqual([403, 'own_role']);
			const wrong = await save('', 'boss');
			expect([wrong.status, Object.keys(wrong.body).sort()]).toEqual([400, ['email', 'role']]);
			const people: readonly { email: string; role: string; lastSignInAt: string | null }[] = (
				await as(token, 'GET', '/getPeople')
			).body.data;
			expect(people.filter((person) => [email, administrator].includes(person.email))).toEqual([
				{ email, role: 'operator', lastSignInAt: null, ...withoutProvider },
				{ email: administrator, role: 'administrator', lastSignInAt: expect.stringMatching(/^20/), ...withoutProvider },
			]);
			const other = await target().people.list(tenants.b.schemaName);
			expect(other.map((person) => person.email)).not.toContain(email);
		});

		test('whoever has no row is an engineer, and has one after signing in', async () => {
			const newcomer = { ...tenants.b, email: 'newcomer@plant-b.example', tokenApp: 'demo-b-newcomer' };
			const { body } = await call(target(), 'POST', '/loginSso', { body: newcomer });
			expect(body.user.role).toBe('engineer');
			expect(await target().people.find(tenants.b.schemaName, newcomer.email)).toMatchObject({ role: 'engineer' });
		});
	});
};
