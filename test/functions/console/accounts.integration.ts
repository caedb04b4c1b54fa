import type { Locator, Page } from 'playwright-core';
import { decodeQR } from 'qr/decode.js';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { sessionIds } from '#adapters/session-ids.ts';
import { linkMs } from '#domain/identity/account.ts';
import { totp } from '#infra/local/adapters/totp.ts';
import type { LocalServer } from '#infra/local/server.ts';
import { addGrant } from '#infra/tools/grant/changes.ts';
import { call } from '#test/e2e/target.ts';
import { type ConsoleBrowser, type ConsoleOptions, isFocused, looks, startConsoleBrowser } from '#test/support/console-page.ts';
import { expectFocus } from '#test/support/expect-focus.ts';
import { startLocal } from '#test/support/servers/local.ts';

const email = 'ada@plant.example';
const password = 'correct horse battery';

describe.skipIf(inject('chromium') === null)('accounts of the service itself, in Chromium', () => {
	let local: LocalServer;
	let browser: ConsoleBrowser;
	beforeAll(async () => {
		local = await startLocal({ ACCOUNTS: 'on', DEMO_PLANT: 'on' });
		browser = await startConsoleBrowser(inject('chromium') ?? '', {
			...local,
			feed: async () => undefined,
		});
		for (const schema of ['plant_a', 'plant_b'])
			await addGrant(
				local.service,
				{ provider: 'accounts', where: { groups: 'ops' }, schema, database: schema, owner: 1, role: 'engineer' },
				{ at: Date.now(), environment: '' },
			);
	});
	afterAll(async () => {
		await browser.close();
		await local.close();
	});

	const newLink = async (): Promise<string> => {
		await local.service.accounts.put({ email, name: 'Ada', groups: ['ops'] });
		const token = sessionIds.newSid();
		await local.service.accounts.setLink(email, sessionIds.idOf(token), linkMs, Date.now());
		return token;
	};
	/** Gives the account the password. */
	const withPassword = async (): Promise<void> => {
		const target = { ...local, feed: async () => undefined };
		expect((await call(target, 'POST', '/setPassword', { body: { token: await newLink(), password } })).status).toBe(200);
	};
	const openForm = async (options: ConsoleOptions = {}) => {
		const opened = await browser.open({ tenant: null, ...options });
		onTestFinished(opened.close);
		await opened.page.getByLabel(options.language === 'es' ? 'Contraseña' : 'Password').waitFor();
		return opened;
	};
	const openLink = async (token: string, options: ConsoleOptions = {}) => {
		const opened = await browser.openEmpty({ tenant: null, ...options });
		onTestFinished(opened.close);
		await opened.page.goto(`${local.baseUrl}/console#set-password=${token}`);
		await opened.page.locator('h1').waitFor();
		return opened;
	};
	const submit = (page: Page, name = 'Sign in') => page.getByRole('button', { name, exact: true });
	const setPassword = async (page: Page, repeated = password): Promise<void> => {
		await page.getByLabel('New password').fill(password);
		await page.getByLabel('Repeat the password').fill(repeated);
		await submit(page, 'Set the password').click();
	};
	const overview = (page: Page) => page.locator('.tile').first();

	test('a link sets a password, leaves the address, and leads to the form with the e-mail; by mouse', async () => {
		const token = await newLink();
		const { page, faults, reload } = await openLink(token);
		expect(page.url()).toBe(`${local.baseUrl}/console`);
		await setPassword(page, 'another one');
		await page.getByText('The two differ.').waitFor();
		await expect.poll(() => page.getByLabel('Repeat the password').evaluate(isFocused)).toBe(true);
		await page.getByLabel('Repeat the password').fill(password);
		await submit(page, 'Set the password').click();
		await page.getByRole('heading', { name: 'The password is set.' }).waitFor();
		await expect.poll(() => submit(page).evaluate(isFocused)).toBe(true);
		await submit(page).click();
		await page.getByLabel('Password').fill(password);
		expect(await page.getByLabel('E-mail').inputValue()).toBe(email);
		await submit(page).click();
		await overview(page).waitFor();
		await expectFocus(page);
		await page.getByRole('button', { name: `${email} (accounts) · Account and preferences` }).waitFor();
		// Other plants are in the rail.
		await page.getByRole('button', { name: 'plant_a · Change the plant' }).waitFor();
		await reload();
		await overview(page).waitFor();
		expect(await page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }, history.length])')).not.toContain(
			token,
		);
		expect(faults).toEqual([]);
	});

	test('a link that was used says so, and the form follows; a foreign one shows nothing of the address', async () => {
		const token = await newLink();
		const { page: first } = await openLink(token);
		await setPassword(first);
		await first.getByRole('heading', { name: 'The password is set.' }).waitFor();
		for (const each of [token, `${sessionIds.newSid()}`]) {
			const { page } = await openLink(each);
			await setPassword(page);
			await page.getByRole('alert').getByText('This link was used, or its time is over').waitFor();
			await expect.poll(() => submit(page, 'Set the password').isEnabled()).toBe(true);
		}
	});

	test('signs in by keyboard alone, says what is wrong, and signs out', async () => {
		await withPassword();
		const { page } = await openForm();
		await expect.poll(() => page.getByLabel('E-mail').evaluate(isFocused)).toBe(true);
		await page.keyboard.press('Enter');
		await expect.poll(() => page.locator('.field-error').allInnerTexts()).toEqual(['Needed', 'Needed']);
		await page.keyboard.type(email);
		await page.keyboard.press('Tab');
		await page.keyboard.type('wrong wrong wrong');
		await page.keyboard.press('Enter');
		await page.getByRole('alert').getByText('check e-mail and password').waitFor();
		await page.getByLabel('Password').fill(password);
		await page.keyboard.press('Enter');
		await overview(page).waitFor();
		const openBefore = (await local.service.openIdSessions.list()).length;
		await page.getByRole('button', { name: `${email} (accounts) · Account and preferences` }).click();
		await page.getByRole('button', { name: 'Sign out' }).click();
		await page.getByLabel('Password').waitFor();
		await expect.poll(async () => (await local.service.openIdSessions.list()).length).toBe(openBefore - 1);
	});

	test('sets up a second factor, keeps the recovery codes, and asks for a code from then on', async () => {
		await withPassword();
		onTestFinished(async () => void (await local.service.accounts.removeSecondFactor(email)));
		const { page, faults, expectAccessible } = await openForm();
		await page.getByRole('button', { name: 'Set up a second factor' }).click();
		await expect.poll(() => page.locator('.field-error').count()).toBe(2);
		await page.getByLabel('E-mail').fill(email);
		await page.getByLabel('Password').fill(password);
		await page.getByRole('button', { name: 'Set up a second factor' }).click();
		await page.getByRole('heading', { name: 'Add this key to an authenticator app' }).waitFor();
		const secret = await page.locator('pre.told').innerText();
		expect(await page.getByRole('link', { name: 'Open the app on this phone' }).getAttribute('href')).toContain(
			`secret=${secret}`,
		);
		expect(decodeQR(await pixelsOf(page.getByRole('img', { name: 'QR code of the key' })))).toBe(
			await page.getByRole('link', { name: 'Open the app on this phone' }).getAttribute('href'),
		);
		await expectAccessible();
		const codeNow = () => totp.codeAt(secret, Math.floor(Date.now() / 30_000));
		const code = page.getByLabel('Code of your authenticator app');
		await expect.poll(() => code.evaluate(isFocused)).toBe(true);
		await page.keyboard.type('000000');
		await page.keyboard.press('Enter');
		await page.getByRole('alert').getByText('This code is wrong, or was used').waitFor();
		await code.fill(codeNow());
		await page.getByRole('button', { name: 'Confirm' }).click();
		await page.getByRole('heading', { name: 'Recovery codes' }).waitFor();
		await expectAccessible();
		const recoveryCodes = (await page.locator('pre.told').innerText()).split('\n');
		expect(recoveryCodes).toHaveLength(10);
		await page.getByRole('button', { name: 'I have kept them: sign in' }).click();
		await overview(page).waitFor();

		const { page: next } = await openForm();
		await next.getByLabel('E-mail').fill(email);
		await next.getByLabel('Password').fill(password);
		await next.keyboard.press('Enter');
		await expect.poll(() => next.getByLabel('Code of your authenticator app').evaluate(isFocused)).toBe(true);
		await next.keyboard.type(recoveryCodes[0] ?? '');
		await next.keyboard.press('Enter');
		await overview(next).waitFor();
		expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
	});

	test('signs in again over the plant, with the e-mail filled in', async () => {
		await withPassword();
		const { page } = await openForm({ route: '/variables/1' });
		await page.getByLabel('E-mail').fill(email);
		await page.getByLabel('Password').fill(password);
		await submit(page).click();
		const name = page.getByLabel('Name', { exact: true });
		await name.fill('typed before');
		for (const { id } of await local.service.openIdSessions.list()) await local.service.openIdSessions.remove(id);
		await page.keyboard.press('Control+s');
		await page.getByRole('heading', { name: 'Signed out: sign in again, what you typed is kept' }).waitFor();
		await page.getByLabel('Password').fill(password);
		expect(await page.getByLabel('E-mail').inputValue()).toBe(email);
		await submit(page).click();
		await submit(page).waitFor({ state: 'detached' });
		expect(await name.inputValue()).toBe('typed before');
	});

	test.each(looks)('the form and the page of a link can be used in %s, %s, %i px', async (language, theme, width) => {
		const look = { language, theme, size: { width, height: 900 } };
		const form = await openForm(look);
		await form.expectAccessible();
		const link = await openLink(await newLink(), look);
		await link.page.getByRole('button').first().click();
		await link.expectAccessible();
	});
});

/** Returns what is seen at an element, four bytes a pixel. */
async function pixelsOf(
	element: Locator,
): Promise<{ readonly width: number; readonly height: number; readonly data: Uint8Array }> {
	const picture = (await element.screenshot()).toString('base64');
	const { data, ...size } = await element.page().evaluate<{ width: number; height: number; data: number[] }>(`(async () => {
		const image = await createImageBitmap(new Blob([Uint8Array.from(atob('${picture}'), (each) => each.charCodeAt(0))]));
		const { width, height } = image;
		const context = new OffscreenCanvas(width, height).getContext('2d');
		context.drawImage(image, 0, 0);
		return { width, height, data: [...context.getImageData(0, 0, width, height).data] };
	})()`);
	return { ...size, data: Uint8Array.from(data) };
}
