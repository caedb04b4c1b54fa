import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { tenants } from '#test/e2e/target.ts';
import { type ConsoleOptions, isFocused, looks } from '#test/support/console-page.ts';
import { expectFocus } from '#test/support/expect-focus.ts';
import { serveConsole } from '#test/support/serve-console.ts';

describe.skipIf(inject('chromium') === null)('signing in to the console, in Chromium', () => {
	const served = serveConsole({ DEMO_PLANT: 'on' });
	const { target } = served;
	const withoutDemo = serveConsole();

	const open = (options: ConsoleOptions = {}) => served.open({ tenant: null, ...options });
	const submit = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true });
	const overview = (page: Page) => page.getByRole('heading', { name: 'Overview' });

	test('takes the four fields, by mouse', async () => {
		const { page, faults, origins } = await open();
		await page.getByLabel('E-mail').fill(tenants.a.email);
		await page.getByLabel('Access key').fill(tenants.a.tokenApp);
		await page.getByLabel('Schema').fill(tenants.a.schemaName);
		await page.getByLabel('Database').fill(tenants.a.tsdb_name);
		await submit(page).click();
		await overview(page).waitFor();
		await expectFocus(page);
		expect([faults, [...origins]]).toEqual([[], [target.baseUrl]]);
	});

	test('takes the four fields by keyboard alone, from the first one, which has the focus', async () => {
		const { page, faults } = await open();
		await expect.poll(() => page.getByLabel('E-mail').evaluate(isFocused)).toBe(true);
		const { email, tokenApp, schemaName, tsdb_name } = tenants.a;
		for (const [index, value] of [email, tokenApp, schemaName, tsdb_name].entries()) {
			if (index > 0) await page.keyboard.press('Tab');
			await page.keyboard.type(value);
		}
		await page.keyboard.press('Enter');
		await overview(page).waitFor();
		await expectFocus(page);
		expect(faults).toEqual([]);
	});

	test('opens the demo plant with one button, which a service without the demo does not have', async () => {
		const { page, faults } = await open();
		await page.getByRole('button', { name: 'Open the demo plant' }).click();
		await overview(page).waitFor();
		await expectFocus(page);
		await page.locator('.tile').nth(27).waitFor();
		expect(faults).toEqual([]);

		const { page: bare } = await withoutDemo.open({ tenant: null });
		await expect.poll(() => bare.getByRole('button').allInnerTexts()).toEqual(['Sign in', 'English', 'Español', 'Dark']);
	});

	test('offers the demo plant to those whose session in it has ended', async () => {
		const { page } = await open({ tenant: 'a' });
		await page.locator('.tile').first().waitFor();
		await page.route('**/multipleDataTsdb', (route) => route.fulfill({ status: 401, json: { message: 'Unauthorized' } }));
		await page.keyboard.press('r');
		await page.getByRole('heading', { name: 'Signed out' }).waitFor();
		await page.unroute('**/multipleDataTsdb');
		await page.getByRole('button', { name: 'Open the demo plant' }).click();
		await overview(page).waitFor();
		await expectFocus(page);
		await page.locator('.tile').first().waitFor();
	});

	test('says that fields are empty, keeps what is typed when the service refuses, and asks nothing else', async () => {
		const { page, faults } = await open();
		await page.getByLabel('E-mail').fill(tenants.a.email);
		await submit(page).click();
		await expect.poll(() => page.locator('.field-error').allInnerTexts()).toEqual(['Needed', 'Needed', 'Needed']);
		expect(await page.getByLabel('Access key').getAttribute('aria-invalid')).toBe('true');
		await page.getByLabel('Access key').fill('wrong');
		await page.getByLabel('Schema').fill('plant_a');
		await page.getByLabel('Database').fill('plant_a');
		await submit(page).click();
		await page.getByRole('alert').getByText('do not go together').waitFor();
		expect(await page.getByLabel('E-mail').inputValue()).toBe(tenants.a.email);
		expect(await page.getByLabel('Schema').inputValue()).toBe('plant_a');
		// Chromium itself reports the status.
		expect(faults).toEqual([expect.stringContaining('401')]);
	});

	test('is blocked after many refusals, and counts the seconds until it is not', async () => {
		const { page } = await open({ stopsClock: true });
		await page.route('**/loginSso', (route) =>
			route.fulfill({
				status: 429,
				headers: { 'retry-after': '40' },
				json: { request: { code: 'sign_in_blocked', message: 'Too many failed sign-ins: wait, then try again.', params: {} } },
			}),
		);
		for (const [label, value] of [
			['E-mail', tenants.a.email],
			['Access key', 'wrong'],
			['Schema', 'plant_a'],
			['Database', 'plant_a'],
		] as const)
			await page.getByLabel(label).fill(value);
		await submit(page).click();
		await page.getByText('Try again in 40 s.').waitFor();
		expect(await submit(page).isDisabled()).toBe(true);
		await page.clock.runFor(30_000);
		await page.getByText('Try again in 10 s.').waitFor();
		await page.clock.runFor(11_000);
		await page.getByText('You can try again now.').waitFor();
		expect(await submit(page).isEnabled()).toBe(true);
	});

	test('says that the service cannot be reached', async () => {
		const { page } = await open();
		// It is there once the service has told that it has the demo.
		await page.getByRole('button', { name: 'Open the demo plant' }).waitFor();
		await page.context().setOffline(true);
		await page.getByRole('button', { name: 'Open the demo plant' }).click();
		await page.getByText('The service cannot be reached.').waitFor();
		await page.context().setOffline(false);
		await page.getByRole('button', { name: 'Open the demo plant' }).click();
		await overview(page).waitFor();
		await expectFocus(page);
	});

	test('takes credentials from the address once, and erases them from it', async () => {
		const credentials = new URLSearchParams(tenants.a).toString();
		const { page } = await open({ route: credentials });
		expect(page.url()).toBe(`${target.baseUrl}/console`);
		expect(await page.getByLabel('E-mail').inputValue()).toBe(tenants.a.email);
		await submit(page).click();
		await overview(page).waitFor();
		await expectFocus(page);
		await page.getByRole('button', { name: 'Account and preferences' }).click();
		await page.getByRole('button', { name: 'Sign out' }).click();
		await page.getByRole('heading', { name: 'Sign in' }).waitFor();
		expect(await page.getByLabel('Access key').inputValue()).toBe('');
	});

	test('lets a portal change the tenant, also where the console is open: no value of the one before is shown', async () => {
		const ofB = new URLSearchParams(tenants.b).toString();
		const { page, goTo } = await open({ tenant: 'a' });
		await page.locator('.tile').first().waitFor();
		await goTo(new URLSearchParams(tenants.a).toString());
		await expect.poll(() => page.url()).toBe(`${target.baseUrl}/console#/overview`);
		await page.locator('.tile').first().waitFor();
		await goTo(ofB);
		await page.getByRole('heading', { name: 'Sign in' }).waitFor();
		expect(page.url()).toBe(`${target.baseUrl}/console#/overview`);
		expect(await page.getByLabel('Schema').inputValue()).toBe('plant_b');
		await submit(page).click();
		await page.getByText('No variables yet').waitFor();
		await page.goBack();
		await expect.poll(() => page.url()).not.toContain('tokenApp');

		const other = await open({ tenant: 'a', route: ofB });
		await other.page.getByRole('heading', { name: 'Sign in' }).waitFor();
		expect(await other.page.getByLabel('Schema').inputValue()).toBe('plant_b');
		await submit(other.page).click();
		await other.page.getByText('No variables yet').waitFor();
	});

	test('lasts for the tab only where the person wants it', async () => {
		const { page } = await open({ route: new URLSearchParams(tenants.a).toString() });
		await submit(page).click();
		await overview(page).waitFor();
		await expectFocus(page);
		await page.reload();
		await overview(page).waitFor();

		const other = await open({ route: new URLSearchParams(tenants.a).toString() });
		await other.page.getByLabel('Keep me signed in on this tab').uncheck();
		await submit(other.page).click();
		await overview(other.page).waitFor();
		await other.page.reload();
		await other.page.getByRole('heading', { name: 'Sign in' }).waitFor();
		expect(await other.page.evaluate('JSON.stringify([sessionStorage.length, document.cookie])')).toBe('[0,""]');
	});

	test('changes language and theme, and remembers them', async () => {
		const { page } = await open();
		await page.getByRole('button', { name: 'Español' }).click();
		await page.getByRole('heading', { name: 'Entrar' }).waitFor();
		await page.getByRole('button', { name: 'Oscuro' }).click();
		await page.reload();
		await page.getByRole('heading', { name: 'Entrar' }).waitFor();
		expect(await page.evaluate('[document.documentElement.lang, document.documentElement.dataset.theme].join()')).toBe('es,dark');
	});

	test.each(looks)(
		'has nothing that axe-core finds, in %s, %s, %i px wide, and nothing beside the window',
		async (language, theme, width) => {
			const { page, expectAccessible, faults } = await open({ language, theme, size: { width, height: 900 } });
			await page.locator('button[type=submit]').click();
			await page.locator('.field-error').first().waitFor();
			await expectAccessible();
			expect(faults).toEqual([]);
		},
	);
});
