import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import type { Page } from 'playwright-core';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import type { LocalServer } from '#infra/local/server.ts';
import { addGrant } from '#infra/tools/grant/changes.ts';
import { call, type Target } from '#test/e2e/target.ts';
import { type ConsoleBrowser, startConsoleBrowser } from '#test/support/console-page.ts';
import { exchangeForm } from '#test/support/openid/code-flow.ts';
import {
	audienceMapper,
	clientAttributes,
	groupsMapper,
	keycloakPassword,
	keycloakUser,
} from '#test/support/openid/keycloak-realm.ts';
import type { Keycloak } from '#test/support/servers/keycloak.ts';
import { startLocal } from '#test/support/servers/local.ts';
import { freePort } from '#test/support/servers/managed-server.ts';
import { openKeycloak, openKeycloakMs } from '#test/support/servers/open-keycloak.ts';

const secret = 'a+secret:100%&=';
const minuteMs = 60_000;
const users = { ada: 'plant-a-ops', root: 'plant-a-admins' } as const;
type User = keyof typeof users;

const eventsSchema = v.array(v.object({ type: v.string() }));
const usersSchema = v.array(v.object({ id: v.string() }));
const sessionsSchema = v.array(v.object({ id: v.string() }));
const tokensSchema = v.object({ access_token: v.string() });

/** The whole way on a real Keycloak, with the service and its stores. Cases of faults are in openid.integration.ts. */
describe.skipIf(inject('chromium') === null)('the console on Keycloak, in Chromium', () => {
	let keycloak: Keycloak | null;
	let issuer: string;
	let consoleUrl: string;
	let local: LocalServer;
	let browser: ConsoleBrowser;
	/** How much the clock of the service is ahead: a renewal within a minute asks nobody. */
	let aheadMs: number;
	const folder = mkdtempSync(join(tmpdir(), 'keycloak-console-'));

	beforeAll(async () => {
		keycloak = await openKeycloak();
		if (keycloak === null) return;
		const port = await freePort();
		consoleUrl = `http://localhost:${port}/console`;
		issuer = await keycloak.createRealm(realmOf(consoleUrl, `http://127.0.0.1:${port}/backchannelLogout`));
		const file = join(folder, 'providers.json');
		const names = { name: 'plant', label: 'Plant account', issuer };
		writeFileSync(
			file,
			JSON.stringify([{ ...names, clientId: 'caudal', secret: true, audiences: ['urn:caudal'], clients: ['portal'] }]),
		);
		local = await startLocal(
			{ PORT: String(port), OPENID_PROVIDERS: file, OPENID_SECRET_PLANT: secret },
			() => Date.now() + aheadMs,
		);
		for (const [groups, role] of [[users.ada, 'operator'] as const, [users.root, 'administrator'] as const])
			await addGrant(
				local.service,
				{ provider: 'plant', where: { groups }, schema: 'plant_a', database: 'plant_a', owner: 1, role },
				{ at: Date.now(), environment: '' },
			);
		browser = await startConsoleBrowser(inject('chromium') ?? '', target());
	}, openKeycloakMs);
	afterAll(async () => {
		await browser?.close();
		await local?.close();
		rmSync(folder, { recursive: true });
	});
	beforeEach((context) => {
		aheadMs = 0;
		if (keycloak === null) context.skip();
	});

	const target = (): Target => ({ ...local, feed: async () => undefined });
	/** Calls the administrators' API of the realm. */
	const administer = async (method: 'GET' | 'POST', path: string) => keycloak?.administer(method, `/console${path}`);
	const idOf = async (user: User) => v.parse(usersSchema, await administer('GET', `/users?username=${user}`))[0]?.id;
	const sessionsOf = async (user: User) =>
		v.parse(sessionsSchema, await administer('GET', `/users/${await idOf(user)}/sessions`));
	/** Returns the number of events of a kind that Keycloak noted. */
	const eventsOf = async (type: string) => v.parse(eventsSchema, await administer('GET', `/events?type=${type}`)).length;
	const button = (page: Page) => page.getByRole('button', { name: 'Sign in with Plant account' });
	const signInAtKeycloak = async (page: Page, user: User) => {
		await page.getByLabel('Username or email').fill(user);
		await page.getByLabel('Password', { exact: true }).fill(keycloakPassword);
		await page.getByRole('button', { name: 'Sign In' }).click();
	};
	const signInHere = async (page: Page, user: User) => {
		await button(page).click();
		await signInAtKeycloak(page, user);
		await page.getByRole('button', { name: new RegExp(`^${user}@plant\\.example \\(plant\\) · Account`) }).waitFor();
	};
	/** Opens the console in a new browser, and signs in by Keycloak's own page. */
	const signIn = async (user: User, route = '/overview') => {
		const opened = await browser.openEmpty({ tenant: null });
		await opened.page.goto(`${consoleUrl}#${route}`);
		await signInHere(opened.page, user);
		return opened;
	};
	const tokenOf = async (page: Page): Promise<string> => {
		const kept = await page.evaluate<string>("sessionStorage.getItem('caudal.session')");
		return v.parse(v.object({ token: v.string() }), JSON.parse(kept)).token;
	};
	const saveChart = (token: string) => call(target(), 'POST', '/saveChart', { token, body: { id: 0, title: 'c', series: [] } });
	const renew = (token: string) => call(target(), 'POST', '/renewOpenId', { token, body: {} });
	const ended = { status: 403, body: { request: { code: 'session_ended' } } };

	test('signs in by Keycloak’s own page, and each group has its role', async () => {
		const ada = await signIn('ada');
		expect(ada.page.url()).toBe(`${consoleUrl}#/overview`);
		expect((await saveChart(await tokenOf(ada.page))).status).toBe(200);
		const root = await signIn('root', '/access');
		expect(root.page.url()).toBe(`${consoleUrl}#/access`);
		const roleOf = (name: RegExp) => root.page.getByRole('row', { name }).getByRole('gridcell').first();
		expect(await roleOf(/ada@plant\.example \(plant\)/).innerText()).toMatch(/^operator\s+by plant$/);
		expect(await roleOf(/root@plant\.example \(plant\)/).innerText()).toMatch(/^administrator\s+by plant$/);
		await root.page.getByText('Who signs in with a provider of the sign-in form comes in by a grant').waitFor();
		// Nobody here has the role that the installation sets.
		expect(await root.page.getByText('The identity provider decides who may sign in.').count()).toBe(0);
		expect([ada.faults, root.faults]).toEqual([[], []]);
		await ada.close();
		await root.close();
	});

	test('of five renewals at once one asks Keycloak, and a refresh token that is used again ends the session', async () => {
		const { page, close } = await signIn('ada');
		const token = await tokenOf(page);
		const { sid } = v.parse(v.object({ sid: v.string() }), decodeJwt(token));
		const stored = await local.service.openIdSessionTokens.find(sid);
		for (const round of [1, 2]) {
			aheadMs += minuteMs;
			const before = await eventsOf('REFRESH_TOKEN');
			const answers = await Promise.all(Array.from({ length: 5 }, () => renew(token)));
			expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
			expect((await eventsOf('REFRESH_TOKEN')) - before, `round ${round}`).toBe(1);
		}
		expect((await local.service.openIdSessionTokens.find(sid))?.refreshToken).not.toBe(stored?.refreshToken);
		expect((await saveChart(token)).status).toBe(200);
		// Somebody has an old copy.
		const used = await requestTokens({ grant_type: 'refresh_token', refresh_token: stored?.refreshToken ?? '' }, 'caudal');
		expect(used.status).toBe(400);
		expect((await renew(token)).status).toBe(200);
		aheadMs += minuteMs;
		expect(await renew(token)).toMatchObject(ended);
		expect(await saveChart(token)).toMatchObject(ended);
		await close();
	});

	test('exchanges the access token of another client of Keycloak, with the role of the groups', async () => {
		const password = { grant_type: 'password', scope: 'openid', username: 'ada', password: keycloakPassword };
		const exchange = async (client: string) => {
			const { access_token: accessToken } = v.parse(tokensSchema, await (await requestTokens(password, client)).json());
			return call(target(), 'POST', '/token', { body: exchangeForm(accessToken) });
		};
		const { status, body } = await exchange('portal');
		expect(status).toBe(200);
		expect((await saveChart(body.access_token)).status).toBe(200);
		expect((await call(target(), 'POST', '/deleteVar/1', { token: body.access_token })).body).toMatchObject({
			request: { code: 'role_too_low' },
		});
		expect((await exchange('sibling')).body).toMatchObject({ error: 'invalid_request' });
	});

	test('an administrator who ends the session in Keycloak ends that of the service, and what is typed stays', async () => {
		await (await signIn('ada')).close();
		const { page, expectAccessible, close } = await signIn('root', '/access');
		await page.getByRole('row', { name: /ada@plant\.example/ }).click();
		await page.getByRole('radio', { name: 'engineer' }).check();
		const token = await tokenOf(page);
		expect((await saveChart(token)).status).toBe(200);
		// A logout ends the sessions that began before the second in which it was signed.
		await new Promise((resolve) => setTimeout(resolve, 1000));
		await administer('POST', `/users/${await idOf('root')}/logout`);
		expect(await saveChart(token)).toMatchObject(ended);
		await page.getByRole('button', { name: 'Save role' }).click();
		await page.getByRole('heading', { name: 'Signed out: sign in again, what you typed is kept' }).waitFor();
		await expectAccessible();
		const [window] = await Promise.all([page.waitForEvent('popup'), button(page).click()]);
		const closed = window.waitForEvent('close');
		await signInAtKeycloak(window, 'root');
		await closed;
		await button(page).waitFor({ state: 'detached' });
		await page.getByRole('button', { name: 'Save role' }).click();
		await page.getByText('Saved: ada@plant.example (plant) is engineer now.').waitFor();
		await close();
	});

	test('signs out at Keycloak, too', async () => {
		const { page, faults, close } = await signIn('ada');
		const token = await tokenOf(page);
		const before = (await sessionsOf('ada')).length;
		await page.getByRole('button', { name: /Account and preferences/ }).click();
		await page.getByRole('button', { name: 'Sign out', exact: true }).click();
		await page.getByText('You are signed out, at the provider too.').waitFor();
		expect(page.url()).toBe(consoleUrl);
		expect((await sessionsOf('ada')).length - before).toBe(-1);
		expect(await saveChart(token)).toMatchObject(ended);
		// Keycloak asks for the password again.
		await signInHere(page, 'ada');
		expect(faults).toEqual([]);
		await close();
	});

	/** Asks Keycloak's token endpoint as one of its clients. */
	const requestTokens = (form: Readonly<Record<string, string>>, clientId: string): Promise<Response> =>
		fetch(`${issuer}/protocol/openid-connect/token`, {
			method: 'POST',
			body: new URLSearchParams({ ...form, client_id: clientId, client_secret: secret }),
		});
});

/** A realm with two users in groups, the client of the console, and two other clients that get access tokens for the service. */
function realmOf(consoleUrl: string, backchannelLogoutUri: string) {
	const other = (clientId: string) => ({
		clientId,
		secret,
		directAccessGrantsEnabled: true,
		protocolMappers: [groupsMapper, audienceMapper],
	});
	return {
		realm: 'console',
		revokeRefreshToken: true,
		refreshTokenMaxReuse: 0,
		eventsEnabled: true,
		enabledEventTypes: ['REFRESH_TOKEN'],
		groups: Object.values(users).map((name) => ({ name })),
		users: Object.entries(users).map(([username, group]) =>
			keycloakUser({ username, email: `${username}@plant.example` }, [group]),
		),
		clients: [
			{
				clientId: 'caudal',
				secret,
				redirectUris: [consoleUrl],
				attributes: clientAttributes(consoleUrl, backchannelLogoutUri),
				protocolMappers: [groupsMapper],
			},
			other('portal'),
			other('sibling'),
		],
	};
}
