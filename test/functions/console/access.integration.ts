import type { Page } from 'playwright-core';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { maxMachineNameLength } from '#domain/validation/input-limits.ts';
import { call, signInAs } from '#test/e2e/target.ts';
import { serveConsole } from '#test/support/serve-console.ts';

describe.skipIf(inject('chromium') === null)('the screen of access, in Chromium', () => {
	const { open, target } = serveConsole({ DEMO_PLANT: 'on' });
	const roleOf = async (email: string) => {
		const { token } = await signInAs(target, 'a');
		const { body } = await call(target, 'GET', '/getPeople', { token });
		return body.data.find((person: { email: string }) => person.email === email)?.role;
	};
	const setRole = async (email: string, role: string) => {
		const { token } = await signInAs(target, 'a');
		const { status, text } = await call(target, 'POST', '/savePerson', { token, body: { email, role } });
		expect(status, text).toBe(200);
	};
	const signInMachine = async (clientId: string, secret: string) =>
		fetch(`${target.baseUrl}/token`, {
			method: 'POST',
			body: new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: secret }),
		});
	/** Says that the secret on the screen is stored. Returns the client id and the secret. */
	const storeSecret = async (page: Page): Promise<[string, string]> => {
		const dialog = page.getByRole('dialog', { name: /^Secret of/ });
		await dialog.waitFor();
		const [clientId = '', secret = ''] = await dialog.locator('code').allInnerTexts();
		await dialog.getByRole('checkbox').check();
		await dialog.getByRole('button', { name: 'Close' }).click();
		return [clientId, secret];
	};
	const makeMachine = async (page: Page, name: string) => {
		await page.getByRole('button', { name: 'New machine' }).click();
		await page.getByLabel('Name of the machine').fill(name);
		await page.getByRole('button', { name: 'Create' }).click();
		return storeSecret(page);
	};
	afterEach(() => setRole('shift@plant-a.example', 'operator'));

	test.each(['shift', 'viewer'] as const)('is not drawn for %s, and its address says who may', async (tenant) => {
		const { page, faults, violations } = await open({ tenant, route: '/access' });
		await page.getByText(/^This needs the role administrator, and yours is/).waitFor();
		expect(await page.getByRole('link', { name: 'Access' }).count()).toBe(0);
		await page.keyboard.press('1');
		await page.locator('.tile').first().waitFor();
		await page.keyboard.press('9');
		expect(await page.locator('h1').innerText()).toBe('Overview');
		expect(await violations()).toEqual([]);
		expect(faults).toEqual([]);
	});

	test('lists the people, and changes a role by mouse', async () => {
		const { page, faults, violations } = await open({ route: '/overview' });
		await page.getByRole('link', { name: 'Access' }).click();
		const row = page.getByRole('grid', { name: 'People' }).getByRole('row', { name: /shift@plant-a\.example/ });
		expect(await row.innerText()).toContain('operator');
		await row.click();
		const form = page.getByRole('region', { name: 'shift@plant-a.example' });
		const save = form.getByRole('button', { name: 'Save role' });
		expect(await save.isDisabled()).toBe(true);
		await form.getByRole('radio', { name: /^engineer/ }).check();
		expect(await violations()).toEqual([]);
		await save.click();
		await page.getByText('Saved: shift@plant-a.example is engineer now.').waitFor();
		await expect.poll(() => row.innerText()).toContain('engineer');
		expect(await roleOf('shift@plant-a.example')).toBe('engineer');
		await form.getByRole('link', { name: 'Changes of the role' }).click();
		const changes = page.getByRole('grid', { name: 'Changes' });
		await changes.locator('tr[tabindex]').first().click();
		await page.locator('.change .conflict').getByText('engineer').waitFor();
		expect(await page.locator('.change .conflict').innerText()).toMatch(/role\s+operator\s+engineer/);
		expect(faults).toEqual([]);
	});

	test('changes a role by keyboard, in Spanish, in the dark, on 320 px', async () => {
		const { page, focusByKey, expectAccessible } = await open({
			...{ route: '/access', language: 'es', theme: 'dark', size: { width: 320, height: 800 } },
		});
		const rows = page.getByRole('grid', { name: 'Personas' }).locator('tr[tabindex]');
		await rows.first().waitFor();
		await focusByKey(page.getByRole('grid', { name: 'Personas' }).locator('tr[tabindex="0"]'));
		for (let press = 0; press < 3; press += 1) {
			if ((await page.locator('tr:focus').innerText()).includes('shift@')) break;
			await page.keyboard.press('ArrowDown');
		}
		await page.keyboard.press('Enter');
		const form = page.getByRole('region', { name: 'shift@plant-a.example' });
		await focusByKey(form.getByRole('radio', { name: /^operador/ }));
		await page.keyboard.press('ArrowUp');
		await expectAccessible();
		await focusByKey(form.getByRole('button', { name: 'Guardar el rol' }));
		await page.keyboard.press('Enter');
		await page.getByText('Guardado: shift@plant-a.example es ahora consulta.').waitFor();
		expect(await roleOf('shift@plant-a.example')).toBe('viewer');
	});

	test('dashes the own row, and says why: of the last administrator, and of one of several', async () => {
		const { page } = await open({ route: '/access' });
		const own = page.getByRole('grid', { name: 'People' }).getByRole('row', { name: /operator@plant-a\.example/ });
		await own.click();
		const form = page.getByRole('region', { name: 'operator@plant-a.example' });
		await form.getByText('You are the last administrator').waitFor();
		expect(await form.getByRole('radio', { name: /^viewer/ }).isDisabled()).toBe(true);
		expect(await form.getByRole('button', { name: 'Save role' }).isDisabled()).toBe(true);
		await setRole('shift@plant-a.example', 'administrator');
		await page.reload();
		await own.click();
		await form.getByText('Nobody changes their own role: ask another administrator.').waitFor();
		expect(await form.getByRole('button', { name: 'Save role' }).isDisabled()).toBe(true);
	});

	test('gives a role to somebody who has not signed in, and explains the roles', async () => {
		const { page, violations } = await open({ route: '/access' });
		await page.getByRole('button', { name: 'Add a person' }).click();
		const dialog = page.getByRole('dialog');
		await dialog.getByRole('button', { name: 'Save role' }).click();
		await dialog.getByText('Type the e-mail with which the person signs in.').waitFor();
		await dialog.getByLabel('E-mail').fill('auditor@water-board.example');
		expect(await violations()).toEqual([]);
		await page.keyboard.press('Enter');
		const row = page.getByRole('grid', { name: 'People' }).getByRole('row', { name: /auditor@water-board\.example/ });
		await row.waitFor();
		expect(await row.innerText()).toMatch(/viewer\s+never/);
		await page.getByRole('radio', { name: 'Roles' }).check({ force: true });
		await page.getByText('Each role may do all that the ones above it may.').waitFor();
		expect(await page.getByRole('row').count()).toBe(5);
		expect(await violations()).toEqual([]);
	});

	test('makes a machine, shows its secret once, and nothing closes that but saying that it is stored', async () => {
		const { page, focusByKey, faults, violations } = await open({ route: '/access/machines' });
		const name = `wells-import-${Date.now()}`;
		await page.getByRole('button', { name: 'New machine' }).click();
		const dialog = page.getByRole('dialog');
		await dialog.getByRole('button', { name: 'Create' }).click();
		await dialog.getByText('Type a name.').waitFor();
		expect(await dialog.getByLabel('Name of the machine').getAttribute('maxlength')).toBe(String(maxMachineNameLength));
		await dialog.getByLabel('Name of the machine').fill(name);
		expect(await dialog.getByRole('radio', { name: /^administrator/ }).count()).toBe(0);
		await dialog.getByRole('radio', { name: /^engineer/ }).check();
		expect(await violations()).toEqual([]);
		await dialog.getByRole('button', { name: 'Create' }).click();
		await dialog.getByRole('heading', { name: `Secret of ${name}` }).waitFor();
		const [clientId = '', secret = ''] = await dialog.locator('code').allInnerTexts();
		expect(secret).toMatch(/^cdl_/);
		expect((await signInMachine(clientId, secret)).status).toBe(200);
		const close = dialog.getByRole('button', { name: 'Close' });
		expect(await close.isDisabled()).toBe(true);
		for (let press = 0; press < 3; press += 1) await page.keyboard.press('Escape');
		await dialog.getByText(secret).waitFor();
		expect(await violations()).toEqual([]);
		await focusByKey(dialog.getByRole('checkbox', { name: 'I have stored it' }));
		await page.keyboard.press('Space');
		await focusByKey(close);
		await page.keyboard.press('Enter');
		await dialog.waitFor({ state: 'detached' });
		expect(await page.content()).not.toContain(secret);
		const row = page.getByRole('grid', { name: 'Machines' }).getByRole('row', { name });
		expect(await row.innerText()).toMatch(/engineer/);
		expect(faults).toEqual([]);
	});

	test('gives a machine a second secret, removes the older one, changes and deletes it', async () => {
		const { page, faults } = await open({ route: '/access/machines' });
		const first = await makeMachine(page, 'night-report');
		const detail = page.getByRole('region', { name: 'night-report' });
		await detail.getByRole('button', { name: 'New secret' }).click();
		const second = await storeSecret(page);
		expect((await signInMachine(...first)).status).toBe(200);
		expect((await signInMachine(...second)).status).toBe(200);
		await expect.poll(() => detail.getByRole('button', { name: 'New secret' }).isDisabled()).toBe(true);
		const remove = detail.getByRole('button', { name: 'Remove the older secret' });
		await remove.click();
		// Until the list is read again, a change is of the version before.
		await remove.waitFor({ state: 'detached' });
		expect((await signInMachine(...first)).status).toBe(401);
		expect((await signInMachine(...second)).status).toBe(200);
		await detail.getByRole('button', { name: 'Change…' }).click();
		const dialog = page.getByRole('dialog');
		await dialog.getByRole('radio', { name: '30 d' }).check({ force: true });
		await dialog.getByRole('radio', { name: /^operator/ }).check();
		await dialog.getByRole('button', { name: 'Save' }).click();
		await dialog.waitFor({ state: 'detached' });
		const row = page.getByRole('grid', { name: 'Machines' }).getByRole('row', { name: /night-report/ });
		await expect.poll(() => row.innerText()).toMatch(/operator\s+.*\s+in 30 d/);
		await detail.getByRole('button', { name: 'Delete…' }).click();
		await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
		await row.waitFor({ state: 'detached' });
		expect((await signInMachine(...second)).status).toBe(401);
		expect(faults).toEqual([]);
	});

	test('compares versions: a machine that somebody else changed is not overwritten', async () => {
		const { page } = await open({ route: '/access/machines', language: 'es', theme: 'dark' });
		await page
			.getByRole('grid', { name: 'Máquinas' })
			.getByRole('row', { name: /grafana/ })
			.click();
		const detail = page.getByRole('region', { name: 'grafana' });
		await detail.getByRole('button', { name: 'Cambiar…' }).click();
		const dialog = page.getByRole('dialog');
		await dialog.getByRole('radio', { name: /^operador/ }).check();
		const { token } = await signInAs(target, 'a');
		const clientId = await detail.locator('.mono').innerText();
		const body = { clientId, name: 'grafana', role: 'viewer', expiresAt: Date.now() + 50 * 86_400_000 };
		expect((await call(target, 'POST', '/saveMachine', { token, body })).status).toBe(200);
		await dialog.getByRole('button', { name: 'Guardar' }).click();
		await dialog.locator('.banner.error').waitFor();
		const machines = (await call(target, 'GET', '/getMachines', { token })).body.data;
		expect(machines.find((each: { clientId: string }) => each.clientId === clientId).role).toBe('viewer');
	});

	test('fits into 320 px, in both languages and themes', async () => {
		for (const [language, theme] of [
			['en', 'dark'],
			['es', 'light'],
		] as const) {
			const { page, expectAccessible, close } = await open({
				...{ route: '/access/machines', language, theme, size: { width: 320, height: 800 } },
			});
			await page.locator('tr[tabindex]', { hasText: 'grafana' }).click();
			await page.getByRole('region', { name: 'grafana' }).waitFor();
			await expectAccessible();
			await close();
		}
	});
});
