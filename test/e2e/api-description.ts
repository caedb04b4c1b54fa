import { describe, expect, test } from 'vitest';
import { apiDocument } from '#test/support/openapi/api-description.ts';
import { call, type Target } from './target.ts';

/** The OpenAPI document (infra/openapi/README.md#the-document). */
export const apiDescriptionSuite = (target: () => Target): void => {
	describe('the API’s description', () => {
		const get = (headers = {}) => call(target(), 'GET', '/openapi.json', { headers });

		test('is the document of this commit, for everybody', async () => {
			const { status, headers, body } = await get();
			expect(status).toBe(200);
			expect(headers.get('content-type')).toMatch(/^application\/json/);
			expect(headers.get('cache-control')).toBe('public, max-age=300');
			expect(body).toEqual(apiDocument);
		});

		test('is not sent again to a client that has it', async () => {
			const etag = (await get()).headers.get('etag') ?? '';
			const again = await get({ 'if-none-match': etag });
			expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
			expect((await get({ 'if-none-match': 'W/"another"' })).status).toBe(200);
		});
	});
};
