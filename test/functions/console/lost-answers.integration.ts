import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { call, signIn } from '#test/e2e/target.ts';
import { serveConsole } from '#test/support/serve-console.ts';

describe.skipIf(inject('chromium') === null)('saves whose answers are lost, in Chromium', () => {
	const { target, open } = serveConsole({ DEMO_PLANT: 'on' });

	/** Returns the titles that are stored. */
	const titles = async (path: string) => {
		const { body } = await call(target, 'GET', path, { token: await signIn(target, 'a') });
		return body.data.map(({ title }: { readonly title: string }) => title);
	};
	/** Lets the next request to `path` reach the service, and its answer nobody. */
	const loseAnswer = (page: Page, path: string) =>
		page.route(
			`**${path}`,
			async (route) => {
				await route.fetch();
				await route.abort();
			},
			{ times: 1 },
		);

	test('a new diagram that is saved again is stored once', async () => {
		const title = `Stored at ${Date.now()}`;
		const { page } = await open({ route: '/diagram/new' });
		await page.getByLabel('Title').fill(title);
		await loseAnswer(page, '/saveDiagram');
		const save = page.getByRole('button', { name: 'Save diagram' });
		await save.click();
		await page.getByText('Nothing typed is lost: save again.').waitFor();
		await save.click();
		await page.getByText('not saved yet').waitFor({ state: 'detached' });
		expect((await titles('/getDiagrams')).filter((stored: string) => stored === title)).toHaveLength(1);
	});

	test('a new report that is saved again is stored once', async () => {
		const title = `Stored at ${Date.now()}`;
		const { page } = await open({ route: '/report/new' });
		await page.getByLabel('Title').fill(title);
		await loseAnswer(page, '/saveReport');
		const save = page.getByRole('button', { name: 'Save report' });
		await save.click();
		await page.getByText('Nothing typed is lost: save again.').waitFor();
		await save.click();
		await page.waitForURL(/#\/report\/\d+$/);
		expect((await titles('/getReports')).filter((stored: string) => stored === title)).toHaveLength(1);
	});

	test('a new chart that is saved again is stored once', async () => {
		const title = `Stored at ${Date.now()}`;
		const { page } = await open({ route: '/trend?ids=13' });
		await page.getByRole('button', { name: 'Save as a chart' }).click();
		await page.getByLabel('Title').fill(title);
		await loseAnswer(page, '/saveChart');
		const save = page.getByRole('button', { name: 'Save', exact: true });
		await save.click();
		await page.getByRole('dialog').getByText('save again').waitFor();
		await save.click();
		await page.getByRole('dialog').waitFor({ state: 'detached' });
		expect((await titles('/getCharts')).filter((stored: string) => stored === title)).toHaveLength(1);
	});
});
