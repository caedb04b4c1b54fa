import { describe, expect, test } from 'vitest';
import type { Target } from './target.ts';

/** The page that shows the OpenAPI document (infra/openapi/README.md#the-page). */
export const docsSuite = (target: () => Target): void => {
	describe('the page of the API’s description', () => {
		const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
			fetch(`${target().baseUrl}${path}`, { headers });

		test('is a page with a policy of its own, for everybody', async () => {
			const response = await get('/docs');
			expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
			expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; /);
			expect(await response.text()).toMatch(/^<!doctype html>/);
		});

		test('has files that it loads, whole with gzip and without', async () => {
			const page = await (await get('/docs')).text();
			const loaded = [...page.matchAll(/"(docs\/[^"]+)"/g)].map(([, path = '']) => path);
			expect(loaded).toHaveLength(4);
			for (const path of loaded) {
				const [compressed, plain] = await Promise.all(
					['gzip', 'identity'].map((encoding) => get(`/${path}`, { 'accept-encoding': encoding })),
				);
				expect([compressed?.status, plain?.status], path).toEqual([200, 200]);
				const type = path.endsWith('.css') ? 'text/css' : 'text/javascript';
				expect(plain?.headers.get('content-type'), path).toBe(`${type}; charset=utf-8`);
				expect(compressed?.headers.get('content-encoding'), path).toBe('gzip');
				const [text, plainText] = [await compressed?.text(), await plain?.text()];
				expect(text?.length, path).toBeGreaterThan(50);
				expect(text === plainText, path).toBe(true);
			}
		});

		test('is not sent again to a client that has it', async () => {
			const etag = (await get('/docs/swagger-ui.css')).headers.get('etag') ?? '';
			const again = await get('/docs/swagger-ui.css', { 'if-none-match': etag });
			expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
		});

		test.each(['/docs/other.js', '/docs/..%2f..%2fpackage.json', '/docs/%2fetc%2fpasswd', '/docs/__proto__', '/docs/a/b'])(
			'has no file %s',
			async (path) => {
				expect((await get(path)).status).toBe(404);
			},
		);
	});
};
