import type { Locator, Page, Request } from 'playwright-core';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { createPageClock } from '#test/support/page-clock.ts';
import { serveConsole } from '#test/support/serve-console.ts';

/** Types a text into a field of an editor. Editors are loaded in an effect, and effects wait for the clock. */
const fill = async (field: Locator, text: string): Promise<void> => {
	await createPageClock(field.page()).until(200, async () => (await field.count()) > 0);
	await field.fill(text);
};

/** Every editor with a change in it, and the button that saves. */
const editors: readonly {
	readonly route: string;
	readonly save: string;
	readonly change: (page: Page, text: string) => Promise<void>;
}[] = [
	{ route: '/variables/24', save: 'Save', change: (page, text) => fill(page.getByLabel('Name', { exact: true }), text) },
	{ route: '/station/edit', save: 'Save panel', change: (page, text) => fill(page.getByLabel('Title'), text) },
	{ route: '/report/46-edit', save: 'Save report', change: (page, text) => fill(page.getByLabel('Title'), text) },
	{ route: '/alarms/33-edit', save: 'Save', change: (page, text) => fill(page.getByLabel('Name'), text) },
	{
		route: '/diagram',
		save: 'Save diagram',
		change: async (page, text) => {
			await page.getByRole('radio', { name: 'Edit' }).check({ force: true });
			await fill(page.getByLabel('Title'), text);
		},
	},
	{
		route: '/trend?ids=4&range=1h',
		save: 'Save',
		change: async (page, text) => {
			await page.getByRole('button', { name: 'Save as a chart' }).click();
			await fill(page.getByRole('dialog').getByLabel('Title'), text);
		},
	},
];

describe.skipIf(inject('chromium') === null)('what can be saved, in Chromium', () => {
	const served = serveConsole({ DEMO_PLANT: 'on' });

	const isSave = (request: Request) => request.method() === 'POST' && !request.url().includes('dryRun');
	const open = async (route: string) => {
		const { page, close } = await served.open({ route, stopsClock: true });
		onTestFinished(close);
		const clock = createPageClock(page);
		const isShown = (holds: () => Promise<boolean>) => clock.until(200, holds);
		return { page, clock, isShown };
	};

	test.each(editors)('$route is saved while polling is paused, however old its values are', async ({ route, save, change }) => {
		const { page, clock, isShown } = await open(route);
		await isShown(async () => (await page.locator('.value:not(.old, .none), [data-add], .legend .name').count()) > 0);
		await page.locator('#content').focus();
		await page.keyboard.press('p');
		await clock.pass(45);
		await isShown(async () => (await page.locator('.app.lost').count()) === 1);
		await change(page, `Saved at ${Date.now()}`);
		const button = page.getByRole('button', { name: save, exact: true });
		await expect.poll(() => button.isEnabled()).toBe(true);
		const answer = page.waitForResponse((response) => /\/(save\w+|bombs)$/.test(response.url()) && isSave(response.request()));
		await button.click();
		expect((await answer).status()).toBe(200);
		const enabled = button.and(page.locator(':not([disabled], [aria-disabled=true])'));
		await isShown(async () => (await enabled.count()) === 0);
		expect(await page.locator('.problems, .banner.error').count()).toBe(0);
	});

	test('Ctrl+S sends nothing that is stored already, and nothing below a dialog', async () => {
		const { page, close } = await served.open({ route: '/variables/24' });
		onTestFinished(close);
		let saves = 0;
		page.on('request', (request) => {
			if (/save\w+$/.test(request.url()) && isSave(request)) saves += 1;
		});
		const name = page.getByLabel('Name', { exact: true });
		const stored = await name.inputValue();
		await name.press('Control+s');
		await name.fill(`${stored} 2`);
		await page.getByRole('button', { name: 'Delete' }).click();
		const dialog = page.getByRole('dialog');
		await dialog.waitFor();
		await page.keyboard.press('Control+s');
		await dialog.getByRole('button', { name: 'Cancel' }).click();
		await dialog.waitFor({ state: 'detached' });
		expect(saves).toBe(0);
		await name.press('Control+Shift+s');
		expect(saves).toBe(0);
		await name.press('Control+s');
		await expect.poll(() => saves).toBe(1);
	});

	test.each(editors)(
		'$route says beside its button why nothing can be saved without a connection',
		async ({ route, save, change }) => {
			const { page, clock, isShown } = await open(route);
			await isShown(async () => (await page.locator('.value:not(.old, .none), [data-add], .legend .name').count()) > 0);
			await change(page, 'Typed without a connection');
			const sentence = page.getByText('No connection: nothing can be saved now.');
			expect(await sentence.count()).toBe(0);
			await page.route(/multipleDataTsdb|getAlarms|getVarsTsdb|history/, (request) => request.abort());
			await clock.until(1000, async () => (await sentence.count()) > 0);
			expect(await sentence.first().isVisible()).toBe(true);
			expect(await page.getByRole('button', { name: save, exact: true }).isEnabled()).toBe(false);
			await page.unroute(/multipleDataTsdb|getAlarms|getVarsTsdb|history/);
			await clock.until(1000, async () => (await sentence.count()) === 0);
			expect(await page.getByRole('button', { name: save, exact: true }).isEnabled()).toBe(true);
		},
	);
});
