import { describe, expect, inject, test } from 'vitest';
import { serveConsole } from '#test/support/serve-console.ts';

/** What everybody may look at, and where a person with a role finds what the role may do. */
const acts = [
	{ route: '/overview', needs: 'operator', name: 'Acknowledge' },
	{ route: '/alarms', needs: 'operator', name: /^Shelve / },
	{ route: '/trend?ids=4&range=1h', needs: 'operator', name: 'Save as a chart' },
	{ route: '/alarms', needs: 'engineer', name: 'New alarm' },
	{ route: '/variables', needs: 'engineer', name: 'New variable' },
	{ route: '/variables/4', needs: 'engineer', name: 'Save' },
	{ route: '/diagram', needs: 'engineer', name: 'New diagram' },
] as const;

const screens = [
	'/variables/new',
	'/variables/0',
	'/variables/add',
	'/alarms/new',
	'/alarms/33-edit',
	'/station/edit',
	'/diagram/new',
	'/report/new',
	'/report/46-edit',
];

describe.skipIf(inject('chromium') === null)('what a role may never do, in Chromium', () => {
	const { open } = serveConsole({ DEMO_PLANT: 'on' });

	test.each([
		['viewer', []],
		['shift', ['operator']],
		['a', ['operator', 'engineer']],
	] as const)('is not drawn for %s, and nothing is asked that is refused', async (tenant, has) => {
		const { page, faults, goTo, violations } = await open({ tenant, route: '/alarms' });
		for (const { route, needs, name } of acts) {
			await goTo(route);
			await page.locator('#content .head h1').waitFor();
			await page.locator('#content :is(.value, .tile, .legend, [role=grid], svg)').first().waitFor();
			const button = page.getByRole('button', { name }).first();
			if (has.some((role) => role === needs)) await button.waitFor();
			else {
				await page.waitForTimeout(500);
				expect([route, await button.count()]).toEqual([route, 0]);
			}
		}
		expect(await violations()).toEqual([]);
		expect(faults).toEqual([]);
	});

	test.each(screens)('%s says who may, to those who may not', async (route) => {
		const { page, faults } = await open({ tenant: 'shift', route });
		await page.getByText('This needs the role engineer, and yours is operator: ask an administrator.').waitFor();
		expect(faults).toEqual([]);
	});

	test('a viewer reads a variable with its formula, and types nothing', async () => {
		const { page } = await open({ tenant: 'viewer', route: '/variables/24', language: 'es' });
		await page.getByRole('definition').filter({ hasText: '{' }).first().waitFor();
		expect(await page.locator('#content :is(input, textarea, fieldset, [disabled])').count()).toBe(0);
		expect(await page.locator('#content button').allInnerTexts()).toEqual(['Cambios']);
		// What this browser keeps can be chosen by everybody, on phones, too.
		await page.setViewportSize({ width: 320, height: 640 });
		await page.getByLabel('Decimales').selectOption('3');
		await page.getByRole('button', { name: 'Cuenta y preferencias' }).first().click();
		const dialog = page.getByRole('dialog');
		await dialog.getByRole('radio').first().waitFor();
		expect(await dialog.locator(':is(button, input, select):disabled').count()).toBe(0);
	});
});
