import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Log } from '#http/log.ts';
import { silentLog } from '#infra/local/console-log.ts';
import { demoTenants } from '#infra/local/demo/idp.ts';
import { seedUsers } from '#infra/local/demo/seed.ts';
import type { LocalServer } from '#infra/local/server.ts';
import { makeAlarmBody, makeBody } from '#test/support/builders/builders.ts';
import { runProgram } from '#test/support/process.ts';
import { listen } from '#test/support/servers/http-server.ts';
import { startLocal } from '#test/support/servers/local.ts';
import { call, tenants } from './target.ts';

/** A further database of both clients. */
const archive = 'archive';

/** A provider whose records give both demo clients the schemas plant_a and plant_b with the databases of both and `archive`, in every combination. */
const openSharingProvider = () =>
	listen((request, response) => {
		const { pathname, searchParams } = new URL(request.url ?? '/', 'http://provider');
		const numberOf = (name: string) => Number(searchParams.get(name));
		const tenant = demoTenants.find(({ userId }) => userId === numberOf('id'));
		const databases = [...demoTenants.map(({ database }) => database), archive];
		const pairs = demoTenants.flatMap(({ schema }) => databases.map((database) => ({ schema, database })));
		const answers: Readonly<Record<string, unknown>> = {
			'/getUser': tenant === undefined ? null : { email: tenant.email, token_apps: tenant.tokenApps },
			'/getSchemaProduct': pairs.map(({ schema, database }) => ({
				schema_name: schema,
				tsdb_name: database,
				product_id: numberOf('productId'),
				client_id: numberOf('clientId'),
			})),
			'/listProductxUserxClient': [{ id_product: 1 }],
		};
		response.setHeader('content-type', 'application/json').end(JSON.stringify(answers[pathname] ?? null));
	});

/** Two clients whose records name the same schema and database. `environment` says where the service keeps its state. */
export const sharedSchemaSuite = (name: string, environment: () => Readonly<Record<string, string>>): void => {
	describe(`two clients with one schema name: ${name}`, () => {
		const lines: { readonly message: string; readonly fields: Readonly<Record<string, unknown>> }[] = [];
		const log: Log = { ...silentLog, info: (message, fields) => lines.push({ message, fields }) };
		let provider: Awaited<ReturnType<typeof openSharingProvider>>;
		let local: LocalServer;
		beforeAll(async () => {
			provider = await openSharingProvider();
			local = await startLocal({ ...environment(), AUTH_URL: provider.url }, undefined, log);
			await seedUsers(local.service);
		});
		afterAll(async () => {
			await local.close();
			provider.close();
		});

		const post = (path: string, body: unknown, token?: string) =>
			call({ ...local, feed: async () => undefined }, 'POST', path, { body, token });
		const own = { schemaName: 'plant_a', tsdb_name: 'plant_a' };

		test('the first one to sign in owns both; the other gets the same 401 as for wrong credentials', async () => {
			const first = await post('/loginSso', tenants.a);
			expect(first.status).toBe(200);
			expect((await post('/saveVariable', makeBody(), first.body.token)).status).toBe(200);
			const wrong = await post('/loginSso', { ...tenants.b, tokenApp: 'wrong' });
			for (const names of [own, { ...own, tsdb_name: 'plant_b' }, { ...own, schemaName: 'plant_b' }]) {
				const refused = await post('/loginSso', { ...tenants.b, ...names });
				expect([refused.status, refused.text]).toEqual([401, wrong.text]);
			}
			expect(lines).toHaveLength(3);
			expect(lines[0]).toEqual({
				message: expect.stringContaining('schema owner'),
				fields: { reason: 'owned_by_another_client', schema: 'plant_a', database: 'plant_a', clientId: 2 },
			});
			expect((await post('/loginSso', tenants.b)).status).toBe(200);
			expect((await post('/loginSso', tenants.a)).status).toBe(200);
		});

		test('an alarm that is saved with a token of another database is evaluated on that one, and the journal says so', async () => {
			const as = async (tsdb_name: string) => (await post('/loginSso', { ...tenants.a, tsdb_name })).body.token;
			const [first, second] = [await as('plant_a'), await as(archive)];
			const { data: variable } = (await post('/saveVariable', makeBody(), first)).body;
			const { data: alarm } = (await post('/saveAlarm', makeAlarmBody({ varId: variable.id }), first)).body;
			const changes = async () => {
				const path = `/alarmEvents?alarmId=${alarm.id}`;
				const { body } = await call({ ...local, feed: async () => undefined }, 'GET', path, { token: first });
				return body.data.map(({ kind, comment }: { kind: string; comment: string | null }) => [kind, comment]);
			};
			expect(await changes()).toEqual([['changed', null]]);
			await post('/saveAlarm', { ...alarm, threshold: 9 }, first);
			expect(await changes()).toEqual(Array(2).fill(['changed', null]));
			await post('/saveAlarm', alarm, second);
			const [newest] = await changes();
			expect(newest).toEqual(['changed', expect.stringMatching(/archive instead of plant_a/)]);
			expect(JSON.stringify((await post('/saveAlarm', alarm, second)).body)).not.toContain(archive);
		});

		test('npm run schema -- owner gives both to the other one', async () => {
			const args = ['owner', '--schema', 'plant_a', '--database', 'plant_a', '--set', '2'];
			const tool = runProgram('infra/tools/schema/schema.ts', args, environment());
			expect([await tool.ended, tool.output()]).toEqual([0, expect.stringContaining('schema plant_a: client 2')]);
			expect((await post('/loginSso', { ...tenants.b, ...own })).status).toBe(200);
			expect((await post('/loginSso', tenants.a)).status).toBe(401);
		});
	});
};
