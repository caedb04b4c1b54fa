import { describe, expect, test } from 'vitest';
import type { Target } from './target.ts';

/** How the operator's console is served (functions/console/README.md). */
export const consoleSuite = (target: () => Target): void => {
	describe('the operator’s console', () => {
		const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
			fetch(`${target().baseUrl}${path}`, { headers, redirect: 'manual' });

		/** The files that the page names, and those that the modules among them import, and so on. */
		const loadedFiles = async (): Promise<readonly string[]> => {
			const page = await (await get('/console')).text();
			const names = new Set([...page.matchAll(/"console\/([^"]+)"/g)].map(([, name = '']) => name));
			for (const name of names) {
				const text = await (await get(`/console/${name}`)).text();
				for (const [, imported = ''] of text.matchAll(/["']\.\/([\w-]+\.js)["']/g)) names.add(imported);
			}
			return [...names];
		};

		test('is where the address without a path leads, by a relative address', async () => {
			const { status, headers } = await get('/');
			expect([status, headers.get('location')]).toEqual([302, 'console']);
			const { url } = await fetch(`${target().baseUrl}/`);
			expect(url).toBe(`${target().baseUrl}/console`);
		});

		test('is a page for everybody, with a policy of its own, that browsers ask for each time', async () => {
			const response = await get('/console');
			const { headers } = response;
			expect([response.status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
				200,
				'text/html; charset=utf-8',
				'public, no-cache',
			]);
			const policy = headers.get('content-security-policy')?.split('; ');
			expect(policy).toEqual([
				"default-src 'none'",
				"script-src 'self'",
				"style-src 'self'",
				"connect-src 'self'",
				"img-src 'self' data:",
				"base-uri 'none'",
				"form-action 'none'",
				"frame-ancestors 'none'",
				"require-trusted-types-for 'script'",
				"trusted-types 'none'",
			]);
			expect([headers.get('x-content-type-options'), headers.get('referrer-policy')]).toEqual(['nosniff', 'no-referrer']);
			expect(await response.text()).toMatch(/^<!doctype html>/);
		});

		test('has files that it loads, whole with gzip and without, which browsers keep', async () => {
			const names = await loadedFiles();
			expect(names.filter((name) => /^main-[A-Z0-9]{8}\.js$/.test(name))).toHaveLength(1);
			// That of the first load, and that of later screens.
			const sheets = names.filter((name) => name.endsWith('.css')).map((name) => name.replace(/-[A-Z0-9]{8}(?=\.css$)/, ''));
			expect(sheets).toEqual(['style.css', 'later.css']);
			for (const name of names) {
				const [compressed, plain] = await Promise.all(
					['gzip', 'identity'].map((encoding) => get(`/console/${name}`, { 'accept-encoding': encoding })),
				);
				expect([compressed?.status, plain?.status], name).toEqual([200, 200]);
				expect([compressed?.headers.get('content-encoding'), plain?.headers.get('content-encoding')], name).toEqual([
					'gzip',
					null,
				]);
				for (const response of [compressed, plain]) {
					const type = name.endsWith('.css') ? 'text/css' : 'text/javascript';
					expect(response?.headers.get('content-type'), name).toBe(`${type}; charset=utf-8`);
					expect(response?.headers.get('cache-control'), name).toBe('public, max-age=31536000, immutable');
				}
				const [text, plainText] = [await compressed?.text(), await plain?.text()];
				expect(text, name).not.toBe('');
				expect(text === plainText, name).toBe(true);
			}
		});

		test('is not sent again to a client that has it', async () => {
			const [name] = await loadedFiles();
			for (const path of ['/console', `/console/${name}`]) {
				const first = await get(path);
				await first.text();
				const etag = first.headers.get('etag') ?? '';
				const again = await get(path, { 'if-none-match': etag });
				expect([again.status, await again.text(), again.headers.get('etag')], path).toEqual([304, '', etag]);
			}
		});

		test.each([
			'/console/main.js',
			'/console/..%2f..%2fpackage.json',
			'/console/%2fetc%2fpasswd',
			'/console/__proto__',
			'/console/a/b',
		])('has no file %s', async (path) => {
			expect((await get(path)).status).toBe(404);
		});
	});
};
