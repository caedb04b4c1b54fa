import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { makeBody, makeQuery } from '#test/support/builders/builders.ts';
import { openDocsPage } from '#test/support/docs-page.ts';
import { call, signIn, type Target, tenants } from './target.ts';

/** What an engineer does first on the page of the API's description (infra/openapi/README.md#the-page), in Chromium. */
export const docsInBrowserSuite = (target: () => Target): void => {
	describe.skipIf(inject('chromium') === null)('the page of the API’s description, in Chromium', () => {
		test('signs in, authorizes with the token, and reads values, without an error and with requests to its own origin only', async () => {
			const { baseUrl, feed } = target();
			await feed('plant_a', `docs/level value=0 ${Date.now() - 5000}`);
			const token = await signIn(target(), 'a');
			const variable = makeBody({ varsTsdb: { Flow: makeQuery({ calc_topic: 'docs/level' }) } });
			const saved = await call(target(), 'POST', '/saveVariable', { token, body: variable });
			expect(saved.status).toBe(200);

			const page = await openDocsPage(inject('chromium') ?? '', baseUrl);
			onTestFinished(() => page.close());
			const session = await page.execute('signIn', tenants.a);
			expect(session).toEqual({ status: '200', body: { token: expect.any(String), user: expect.any(Object) } });
			await page.authorize((session.body as { token: string }).token);
			expect(await page.execute('readVariables', { ids: [saved.body.data.id] })).toMatchObject({
				status: '200',
				body: { data: [{ id: saved.body.data.id, name: 'Flow', quality: 'good', value: 0 }] },
			});
			expect(page.faults).toEqual([]);
			expect([...page.origins]).toEqual([baseUrl]);
		});
	});
};
