import { beforeAll, describe, expect, test } from 'vitest';
import { makeBody } from '#test/support/builders/builders.ts';
import { byTool } from '#test/support/builders/origin.ts';
import { type AlarmTarget, type CallOptions, call, signIn, tenants } from './target.ts';

/** Programs that use a tenant, and how they sign in (shared/domain/access/README.md#machines). */
export const machinesSuite = (target: () => AlarmTarget): void => {
	describe('machines', () => {
		let token: string;
		beforeAll(async () => {
			await target().people.setRole(tenants.a.schemaName, tenants.a.email, 'administrator', byTool);
			await target().people.setRole(tenants.b.schemaName, tenants.b.email, 'administrator', byTool);
			token = await signIn(target(), 'a');
		});
		const post = (path: string, options: CallOptions = {}) => call(target(), 'POST', path, { token, ...options });
		const save = (body: unknown, headers = {}) => post('/saveMachine', { body, headers });
		const create = async (role = 'engineer') => (await save({ name: 'historian', role })).body.data;
		/** Asks for a token with the credentials in the form. */
		const ask = (fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) =>
			call(target(), 'POST', '/token', {
				body: new URLSearchParams({ grant_type: 'client_credentials', ...fields }),
				headers,
			});
		const credentialsOf = ({ clientId, secret }: { readonly clientId: string; readonly secret: string }) => ({
			client_id: clientId,
			client_secret: secret,
		});
		const basic = (id: string, secret: string) => ({
			authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
		});
		const tokenOf = async (machine: { readonly clientId: string; readonly secret: string }): Promise<string> =>
			(await ask(credentialsOf(machine))).body.access_token;
		const listed = async (clientId: string) => {
			// The index of the tenant's machines follows within a second or so.
			for (let attempt = 0; ; attempt += 1) {
				const { body } = await call(target(), 'GET', '/getMachines', { token });
				const found = body.data.find((machine: { readonly clientId: string }) => machine.clientId === clientId);
				if (found !== undefined || attempt === 20) return found;
				await new Promise((resolve) => setTimeout(resolve, 250));
			}
		};

		test('sign in by the form and by Basic, with a token that no cache keeps, and do what their role may', async () => {
			const machine = await create();
			expect(machine).toMatchObject({ name: 'historian', role: 'engineer', database: tenants.a.tsdb_name, lastUsedAt: null });
			const answers = await Promise.all([
				ask(credentialsOf(machine)),
				ask({}, basic(machine.clientId, machine.secret)),
				ask({ client_id: machine.clientId, scope: 'service' }, basic(machine.clientId, machine.secret)),
			]);
			for (const { status, headers, body } of answers) {
				expect([status, body.token_type, body.scope]).toEqual([200, 'Bearer', 'service']);
				expect([headers.get('cache-control'), headers.get('pragma')]).toEqual(['no-store', 'no-cache']);
				expect(body.expires_in).toBeGreaterThan(0);
			}
			const held = answers[0]?.body.access_token;
			const { body } = await post('/saveVariable', { token: held, body: makeBody() });
			const changes = await call(target(), 'GET', `/change?kind=variable&itemId=${body.data.id}&rowVersion=1`, { token });
			expect(changes.body.data.actor).toEqual({ kind: 'machine', id: machine.clientId, name: 'historian' });
			expect((await post('/getMachines', { token: held })).status).toBe(404);
			expect((await call(target(), 'GET', '/getMachines', { token: held })).body.request.params).toEqual({
				needs: 'administrator',
				has: 'engineer',
			});
			expect((await listed(machine.clientId))?.lastUsedAt).toMatch(/^20/);
		});

		test('of a viewer read, and write nothing', async () => {
			const machine = await create('viewer');
			const { body } = await ask(credentialsOf(machine));
			expect(body.scope).toBe('read');
			const held = body.access_token;
			expect((await call(target(), 'GET', '/getVarsTsdb', { token: held })).status).toBe(200);
			const refused = await post('/saveVariable', { token: held, body: makeBody() });
			expect([refused.status, refused.body.message]).toEqual([403, 'Forbidden']);
			const wider = await ask({ ...credentialsOf(machine), scope: 'service' });
			expect([wider.status, wider.body.error]).toEqual([400, 'invalid_scope']);
		});

		test('are refused with the codes of OAuth, and a wrong secret says no more than a wrong id', async () => {
			const machine = await create();
			const { clientId, secret } = machine;
			const wrong = `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`;
			const refusals = await Promise.all([
				ask({ client_id: clientId, client_secret: wrong }),
				ask({ client_id: 'NobodyHasThisClient0', client_secret: secret }),
				ask({}, basic(clientId, 'x')),
				ask({}, { authorization: 'Bearer x' }),
				ask({}),
			]);
			for (const { status, headers, body } of refusals) {
				expect([status, body.error]).toEqual([401, 'invalid_client']);
				expect(body).toEqual(refusals[0]?.body);
				const challenge = headers.get('www-authenticate') ?? headers.get('x-amzn-remapped-www-authenticate');
				expect(challenge).toMatch(/^Basic /);
			}
			const malformed = await Promise.all([
				ask({ ...credentialsOf(machine), grant_type: 'password' }),
				ask({ ...credentialsOf(machine), grant_type: '' }),
				ask(credentialsOf(machine), basic(clientId, secret)),
				call(target(), 'POST', '/token', { body: { grant_type: 'client_credentials', ...credentialsOf(machine) } }),
				call(target(), 'POST', '/token', {
					body: 'grant_type=client_credentials&grant_type=client_credentials',
					headers: { 'content-type': 'application/x-www-form-urlencoded' },
				}),
			]);
			expect(malformed.map(({ status, body }) => [status, body.error])).toEqual([
				[400, 'unsupported_grant_type'],
				[400, 'invalid_request'],
				[400, 'invalid_request'],
				[400, 'invalid_request'],
				[400, 'invalid_request'],
			]);
		});

		test('get a second secret and lose the first one without a pause, and their saves follow If-Match', async () => {
			const machine = await create();
			const { clientId, name, role } = machine;
			const same = { clientId, name, role };
			const second = await save({ ...same, newSecret: true }, { 'if-match': '"1"' });
			expect([second.status, second.headers.get('etag')]).toEqual([200, '"2"']);
			const both = await Promise.all([tokenOf(machine), tokenOf(second.body.data)]);
			expect(both.every((held) => typeof held === 'string')).toBe(true);
			const third = await save({ ...same, newSecret: true });
			expect([third.status, third.body.newSecret.code]).toEqual([409, 'secrets_full']);
			const [first] = second.body.data.secrets;
			expect((await save({ ...same, removeSecret: first.id }, { 'if-match': '"1"' })).status).toBe(412);
			const removed = await save({ ...same, removeSecret: first.id }, { 'if-match': '"2"' });
			expect(removed.body.data.secret).toBeUndefined();
			expect((await ask(credentialsOf(machine))).status).toBe(401);
			expect((await ask(credentialsOf(second.body.data))).status).toBe(200);
			const keyed = await save(same, { 'idempotency-key': 'x' });
			expect([keyed.status, keyed.body['Idempotency-Key'].code]).toEqual([400, 'no_idempotency_key']);
			const wrong = await save({ name: '', role: 'administrator', expiresAt: '2020-01-01T00:00:00Z' });
			expect([wrong.status, Object.keys(wrong.body).sort()]).toEqual([400, ['name', 'role']]);
			expect(Object.keys((await save({ name: 'x', role: 'viewer', expiresAt: 0 })).body)).toEqual(['expiresAt']);
		});

		test('that are deleted change nothing more, and read until their token ends', async () => {
			const machine = await create();
			const held = await tokenOf(machine);
			expect((await post(`/deleteMachine/${machine.clientId}`)).body).toEqual({ data: { machine: true } });
			expect((await post(`/deleteMachine/${machine.clientId}`)).body).toEqual({ data: { machine: false } });
			const refused = await Promise.all(
				Array.from({ length: 8 }, () => post('/saveVariable', { token: held, body: makeBody() })),
			);
			expect(refused.map(({ status, body }) => [status, body.request.code, body.request.params])).toEqual(
				refused.map(() => [403, 'machine_refused', { reason: 'removed' }]),
			);
			expect((await call(target(), 'GET', '/getVarsTsdb', { token: held })).status).toBe(200);
			expect((await ask(credentialsOf(machine))).status).toBe(401);
		});

		test('of another tenant are as if they were not there', async () => {
			const machine = await create();
			const other = await signIn(target(), 'b');
			const { body } = await call(target(), 'GET', '/getMachines', { token: other });
			expect(JSON.stringify(body)).not.toContain(machine.clientId);
			const { clientId } = machine;
			const changed = await post('/saveMachine', {
				token: other,
				body: { clientId, name: 'x', role: 'viewer', newSecret: true },
			});
			expect([changed.status, changed.body.clientId.code]).toEqual([404, 'no_such_machine']);
			const deleted = await post(`/deleteMachine/${clientId}`, { token: other });
			expect(deleted.body).toEqual({ data: { machine: false } });
			const change = await call(target(), 'GET', `/change?kind=machine&itemId=${clientId}&rowVersion=1`, { token: other });
			expect(change.status).toBe(404);
			expect((await ask(credentialsOf(machine))).status).toBe(200);
			const own = await call(target(), 'GET', `/change?kind=machine&itemId=${clientId}&rowVersion=1`, { token });
			expect(own.body.data.name).toBe('historian');
			expect(JSON.stringify(own.body)).not.toContain(machine.secret);
		});

		test('and people who sign in or are refused are in the journal of changes, for administrators', async () => {
			const machine = await create('engineer');
			const held = await tokenOf(machine);
			await ask({ client_id: machine.clientId, client_secret: (await create()).secret });
			const wrong = { ...tenants.a, tokenApp: 'not this one' };
			expect((await call(target(), 'POST', '/loginSso', { body: wrong })).status).toBe(401);
			const sessions = async (itemId: string) => {
				const address = `/changes?kind=session&itemId=${encodeURIComponent(itemId)}`;
				for (let attempt = 0; ; attempt += 1) {
					const { body } = await call(target(), 'GET', address, { token });
					if (body.data.length >= 2 || attempt === 20) return body.data;
					await new Promise((resolve) => setTimeout(resolve, 250));
				}
			};
			const told = await sessions(machine.clientId);
			expect(told.map(({ action, reason }: { action: string; reason?: string }) => [action, reason])).toEqual([
				['refused', 'secret'],
				['signedIn', undefined],
			]);
			expect(told[0]).toMatchObject({ source: expect.stringMatching(/\d/), actor: { kind: 'machine', name: 'historian' } });
			const byMachine = await call(target(), 'GET', `/changes?kind=session&actor=${machine.clientId}`, { token });
			expect(byMachine.body.data).toEqual(told);
			const ofPerson: readonly { action: string; reason?: string; requestId: string }[] = await sessions(tenants.a.email);
			expect(ofPerson.find(({ action }) => action === 'refused')).toMatchObject({ reason: 'credentials' });
			expect(ofPerson.some(({ action }) => action === 'signedIn')).toBe(true);
			const others = await call(target(), 'GET', '/changes?kind=session', { token: held });
			expect([others.status, others.body.data]).toEqual([200, []]);
			const all = await call(target(), 'GET', '/changes?limit=500', { token });
			expect(all.body.data.some(({ kind }: { kind: string }) => kind === 'session')).toBe(false);
		});

		test('with wrong secrets do not hold up a person who signs in from the same address', async () => {
			for (let attempt = 0; attempt < 15; attempt += 1)
				expect((await ask({ client_id: 'NobodyHasThisClient0', client_secret: 'cdl_x' })).status).toBe(401);
			expect(typeof (await signIn(target(), 'a'))).toBe('string');
		});
	});
};
