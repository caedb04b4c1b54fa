import { describe, expect, inject, test } from 'vitest';
import { serveConsole } from '#test/support/serve-console.ts';

describe.skipIf(inject('chromium') === null)('the console of one machine, in Chromium', () => {
	const { target, openEmpty } = serveConsole({ DEMO_PLANT: 'on' });

	test('opens from the address without a path, keeps the part after #, shows a heading, and asks its own origin only, without a fault', async () => {
		const { page, faults, origins } = await openEmpty({ tenant: null });
		await page.goto(`${target.baseUrl}/#/trend?ids=4`);
		await page.locator('#console h1').first().waitFor();
		expect(page.url()).toMatch(new RegExp(`^${target.baseUrl}/console#`));
		expect(await page.locator('#console h1').first().innerText()).not.toBe('');
		expect([faults, [...origins]]).toEqual([[], [target.baseUrl]]);
	});

	test('may not turn text into HTML or into a script', async () => {
		const { page } = await openEmpty({ tenant: null });
		await page.goto(`${target.baseUrl}/console`);
		const thrown = await page.evaluate(() => {
			try {
				(globalThis as unknown as { document: { body: { innerHTML: string } } }).document.body.innerHTML = '<b>text</b>';
				return 'nothing';
			} catch (error) {
				return String(error);
			}
		});
		expect(thrown).toMatch(/TypeError.*TrustedHTML/);
	});
});
