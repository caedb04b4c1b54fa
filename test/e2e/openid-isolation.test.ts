import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalServer } from '#infra/local/server.ts';
import { addGrant } from '#infra/tools/grant/changes.ts';
import { codeOf, exchangeForm, redeemCode } from '#test/support/openid/code-flow.ts';
import { startLocal } from '#test/support/servers/local.ts';
import { type OidcProvider, startOidcProvider } from '#test/support/servers/oidc-provider.ts';
import { call } from './target.ts';

const redirectUri = 'http://localhost:3000/console';
const client = { clientId: 'caudal', redirectUri };
const pipeline = { clientId: 'pipeline', secret: 'a-secret', redirectUri, resource: 'urn:caudal' };

/** Ada is an administrator of plant A, Bob of plant B. Both come from one provider, and neither reaches the other's plant. */
describe('people of one OpenID provider in two tenants', () => {
	const folder = mkdtempSync(join(tmpdir(), 'caudal-openid-isolation-'));
	let provider: OidcProvider;
	let local: LocalServer;

	const send = (method: string, path: string, token?: string, body?: unknown) =>
		call({ ...local, feed: async () => undefined }, method, path, { token, ...(body === undefined ? {} : { body }) });
	const signIn = async (user: string, asked = {}) =>
		(await send('POST', '/signInOpenId', undefined, { provider: 'plant', ...(await codeOf(provider, user, client)), ...asked }))
			.body;
	const saveChart = (token: string, title: string) => send('POST', '/saveChart', token, { id: 0, title, series: [] });

	beforeAll(async () => {
		const clients = [client, pipeline].map(({ clientId }) => ({ clientId, secret: 'a-secret', redirectUris: [redirectUri] }));
		provider = await startOidcProvider({ clients, users: new Map(['ada', 'bob'].map((name) => [name, { name }])) });
		const file = join(folder, 'providers.json');
		const entry = {
			name: 'plant',
			label: 'P',
			issuer: provider.issuer,
			clientId: 'caudal',
			secret: true,
			audiences: ['urn:caudal'],
		};
		writeFileSync(file, JSON.stringify([entry]));
		local = await startLocal({ OPENID_PROVIDERS: file, OPENID_SECRET_PLANT: 'a-secret', CONSOLE_URL: redirectUri });
		for (const [sub, schema, database, owner] of [
			['ada', 'plant_a', 'series_a', 1],
			['bob', 'plant_b', 'series_b', 2],
		] as const)
			await addGrant(
				local.service,
				{ provider: 'plant', where: { sub }, schema, database, owner, role: 'administrator' },
				{ at: Date.now(), environment: '' },
			);
	});
	afterAll(async () => {
		await local.close();
		provider.close();
		rmSync(folder, { recursive: true });
	});

	test('a sign-in and a renewal that ask for the other’s tenant do not get it', async () => {
		for (const asked of [
			{ schemaName: 'plant_a' },
			{ tsdb_name: 'series_a' },
			{ schemaName: 'plant_b', tsdb_name: 'series_a' },
		]) {
			const bob = await signIn('bob', asked);
			const tenant = { schemaName: 'plant_b', tsdb_name: 'series_b' };
			expect([bob.tenant, bob.tenants]).toEqual([tenant, [{ ...tenant, role: 'administrator' }]]);
			const renewed = await send('POST', '/renewOpenId', bob.token, asked);
			expect([renewed.status, renewed.body.request.code]).toEqual([403, 'no_grant']);
			expect((await send('POST', '/renewOpenId', bob.token, {})).body.tenant).toEqual(tenant);
		}
	});

	test('an exchange that asks for the other’s tenant is refused', async () => {
		const { accessToken } = await redeemCode(provider, await codeOf(provider, 'bob', pipeline), pipeline);
		const exchange = (schema: string) => send('POST', '/token', undefined, exchangeForm(accessToken, schema));
		const refused = await exchange('plant_a');
		expect([refused.status, refused.body.error]).toEqual([400, 'invalid_target']);
		const { body } = await exchange('plant_b');
		expect((await saveChart(body.access_token, 'Of a pipeline')).status).toBe(200);
		expect((await send('GET', '/getCharts', (await signIn('ada')).token)).text).not.toContain('Of a pipeline');
	});

	test('neither the people, nor the session, nor the journal of the other is there', async () => {
		const [ada, bob] = [await signIn('ada'), await signIn('bob')];
		expect((await saveChart(ada.token, 'Of Ada')).status).toBe(200);
		for (const path of ['/getPeople', '/changes', '/getCharts']) {
			const { status, text } = await send('GET', path, bob.token);
			expect([path, status]).toEqual([path, 200]);
			for (const foreign of [ada.user.id, 'Of Ada', 'ada (plant)', 'sub=ada']) expect(text, path).not.toContain(foreign);
		}
		const raised = await send('POST', '/savePerson', bob.token, { email: ada.user.id, role: 'viewer' });
		expect([raised.status, raised.body.email?.code]).toEqual([404, 'no_such_person']);
		expect((await send('POST', '/signOut', bob.token, {})).status).toBe(200);
		expect((await saveChart(bob.token, 'Late')).body.request.code).toBe('session_ended');
		expect((await saveChart(ada.token, 'Still there')).status).toBe(200);
	});
});
