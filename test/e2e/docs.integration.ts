import axe, { type AxeResults } from 'axe-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { type DocsPage, openDocsPage } from '#test/support/docs-page.ts';
import { openLocalTarget } from '#test/support/servers/local.ts';
import { docsInBrowserSuite } from './docs-in-browser.ts';
import { signIn, type Target } from './target.ts';

let target: Target;
beforeAll(async () => {
	target = await openLocalTarget({ DEMO_PLANT: 'on' });
});
afterAll(() => target.close());

docsInBrowserSuite(() => target);

describe.skipIf(inject('chromium') === null)('the page of the API’s description on one machine, in Chromium', () => {
	let page: DocsPage;
	beforeEach(async () => {
		page = await openDocsPage(inject('chromium') ?? '', target.baseUrl);
	});
	afterEach(() => page.close());

	test('sends the examples of the document: they sign in to the demo and read its plant', async () => {
		const session = await page.execute('signIn');
		await page.authorize((session.body as { token: string }).token);
		const { status, body } = await page.execute('readVariables');
		const { data } = body as { data: { quality: string; value: unknown }[] };
		expect([status, data.length > 0]).toEqual(['200', true]);
		for (const reading of data) expect(reading.quality).toBe('good');
		expect(page.faults).toEqual([]);
	});

	test('shows the refusal of a request without a token', async () => {
		const { status, body } = await page.execute('readVariables', { ids: [13] });
		expect([status.split(/\s/)[0], body]).toEqual(['401', { message: 'Unauthorized' }]);
		// The browser itself notes the status in the console.
		expect(page.faults).toEqual([expect.stringMatching(/status of 401/)]);
	});

	test('keeps nothing: after a reload it has no token, and storage and cookies are empty', async () => {
		await page.authorize(await signIn(target, 'a'));
		await page.open();
		expect((await page.execute('readVariables', { ids: [13] })).status).toMatch(/^401/);
		const kept = await page.page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]');
		expect(kept).toEqual([0, 0, '']);
	});

	test('shows no other document that a link names', async () => {
		const other = encodeURIComponent('http://127.0.0.1:9/openapi.json');
		await page.open(`?url=${other}&configUrl=${other}&urls.primaryName=other`);
		expect(await page.page.locator('.info .title').innerText()).toMatch(/^Caudal/);
		expect([...page.origins]).toEqual([target.baseUrl]);
		expect(page.faults).toEqual([]);
	});

	test('is checked by axe-core, whose findings are printed and fail nothing', async () => {
		await page.execute('readVariables', { ids: [13] });
		// The policy refuses scripts that the page loads from elsewhere, but not what a debugger evaluates.
		await page.page.evaluate(axe.source);
		const { violations, passes } = await page.page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })");
		const findings = violations.map(({ id, impact, help, nodes }) => `  ${impact}: ${help} (${id}, ${nodes.length} elements)`);
		console.log([`axe-core on /docs: ${findings.length} findings`, ...findings].join('\n'));
		expect(passes.length).toBeGreaterThan(0);
	});
});
