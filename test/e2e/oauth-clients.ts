import { tmpdir } from 'node:os';
import { beforeAll, describe, expect, test } from 'vitest';
import { byTool } from '#test/support/builders/origin.ts';
import { goOauthProgram, type OauthProgram, pythonOauthProgram } from '#test/support/foreign-tools/oauth-programs.ts';
import { run } from '#test/support/foreign-tools/run.ts';
import { type AlarmTarget, call, signIn, tenants } from './target.ts';

/** The first run installs the libraries. */
const timeoutMs = 300_000;

/** Machines that sign in with OAuth libraries of other languages (shared/domain/access/README.md#machines). */
export const oauthClientsSuite = (target: () => AlarmTarget): void => {
	describe.each([
		['Python: requests-oauthlib', pythonOauthProgram],
		['Go: golang.org/x/oauth2', goOauthProgram],
	])('a machine with an OAuth library of %s', (_, install) => {
		let command: OauthProgram;
		let machine: { readonly clientId: string; readonly secret: string };
		beforeAll(async () => {
			command = await install();
			await target().people.setRole(tenants.a.schemaName, tenants.a.email, 'administrator', byTool);
			const token = await signIn(target(), 'a');
			machine = (await call(target(), 'POST', '/saveMachine', { token, body: { name: 'library', role: 'viewer' } })).body.data;
		}, timeoutMs);

		const signInWith = (secret: string, place: string) => {
			const [program = '', ...args] = command;
			return run(program, [...args, target().baseUrl, machine.clientId, secret, place], {
				cwd: tmpdir(),
				environment: { OAUTHLIB_INSECURE_TRANSPORT: '1' },
			});
		};

		test.each(['basic', 'form'])('signs in and polls, with its credentials by %s', async (place) => {
			expect(await signInWith(machine.secret, place)).toEqual({ ok: true, output: '200\n' });
		});

		test('reads why a wrong secret is refused', async () => {
			const { ok, output } = await signInWith('cdl_wrong', 'basic');
			expect([ok, output.trim()]).toEqual([false, 'invalid_client 401']);
		});
	});
};
