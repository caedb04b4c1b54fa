import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { LocalServer } from '#infra/local/server.ts';
import { addGrant } from '#infra/tools/grant/changes.ts';
import { type ConsoleBrowser, startConsoleBrowser } from '#test/support/console-page.ts';
import { startLocal } from '#test/support/servers/local.ts';
import { freePort } from '#test/support/servers/managed-server.ts';
import { type OidcProvider, startOidcProvider } from '#test/support/servers/oidc-provider.ts';

/** The whole way on a certified provider, with the service and its stores. Cases of faults are in openid.integration.ts. */
describe.skipIf(inject('chromium') === null)('the console on oidc-provider, in Chromium', () => {
	let provider: OidcProvider;
	let local: LocalServer;
	let browser: ConsoleBrowser;
	let consoleUrl: string;
	const folder = mkdtempSync(join(tmpdir(), 'openid-console-'));

	beforeAll(async () => {
		const port = await freePort();
		consoleUrl = `http://localhost:${port}/console`;
		provider = await startOidcProvider({
			clients: [{ clientId: 'caudal', secret: 'a-secret', redirectUris: [consoleUrl], postLogoutRedirectUris: [consoleUrl] }],
			users: new Map([
				['ada', { email: 'ada@plant.example', email_verified: true, groups: ['plant-a-ops'] }],
				['eve', { email: 'eve@plant.example', email_verified: true, groups: ['visitors'] }],
			]),
			cutsOpener: true,
		});
		const file = join(folder, 'providers.json');
		const entry = { name: 'plant', label: 'Plant account', issuer: provider.issuer, clientId: 'caudal', secret: true };
		writeFileSync(file, JSON.stringify([entry]));
		local = await startLocal({ PORT: String(port), OPENID_PROVIDERS: file, OPENID_SECRET_PLANT: 'a-secret' });
		const where = { groups: 'plant-a-ops' };
		for (const [schema, role] of [['plant_a', 'administrator'] as const, ['plant_b', 'viewer'] as const])
			await addGrant(
				local.service,
				{ provider: 'plant', where, schema, database: schema, owner: 1, role },
				{ at: Date.now(), environment: '' },
			);
		browser = await startConsoleBrowser(inject('chromium') ?? '', { ...local, feed: async () => undefined });
	});
	afterAll(async () => {
		await browser.close();
		await local.close();
		provider.close();
		rmSync(folder, { recursive: true });
	});

	const signInAtProvider = async (page: Page, name: string) => {
		await page.getByRole('button', { name: 'Sign in with Plant account' }).click();
		await page.getByLabel('Name').fill(name);
		await page.getByRole('button', { name: 'Sign in' }).click();
		await page.getByRole('button', { name: 'Allow' }).click();
	};

	test('signs in, chooses a plant, works, switches, and signs out here and there', async () => {
		const opened = await browser.openEmpty({ tenant: null });
		const { page } = opened;
		// The address of the service is not the one that is registered: the page goes there first.
		await page.goto(`${local.baseUrl}/console#/access`);
		await signInAtProvider(page, 'ada');
		await page.getByRole('heading', { name: 'Choose the plant' }).waitFor();
		await page.getByRole('button', { name: 'plant_a' }).click();
		const row = page.getByRole('row', { name: /ada@plant\.example \(plant\)/ });
		await row.getByText('by plant').waitFor();
		expect(page.url()).toBe(`${consoleUrl}#/access`);
		await page.getByRole('button', { name: /· Change the plant$/ }).click();
		await page.getByRole('dialog').getByRole('button', { name: 'plant_b' }).click();
		await page.getByRole('button', { name: /^plant_b · Change the plant$/ }).waitFor();
		await page.getByRole('button', { name: /Account and preferences/ }).click();
		const revoked = provider.count('/token/revocation');
		await page.getByRole('button', { name: 'Sign out', exact: true }).click();
		await page.getByText('You are signed out, at the provider too.').waitFor();
		expect(provider.count('/token/revocation') - revoked).toBe(1);
		expect(page.url()).toBe(consoleUrl);
		await opened.close();
	});

	test('who has no grant reads what to tell the administrator', async () => {
		const opened = await browser.openEmpty({ tenant: null });
		await opened.page.goto(consoleUrl);
		await signInAtProvider(opened.page, 'eve');
		await opened.page.getByText('groups=visitors').first().waitFor();
		await opened.close();
	});
});
