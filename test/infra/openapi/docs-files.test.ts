import { gunzipSync } from 'node:zlib';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { staticFilesSchema } from '#http/page.ts';
import { docsFilesText } from '#infra/openapi/docs-files.ts';

const files = v.parse(staticFilesSchema, docsFilesText());
const textOf = (name: string): string => gunzipSync(Buffer.from(files.get(name)?.gzip ?? '', 'base64')).toString('utf8');
const page = textOf('index.html');

/** The addresses of what the page loads, and of its links. */
const references = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, reference = '']) => reference);

describe('the page of the API', () => {
	test('loads only its own files, by relative addresses', () => {
		const loaded = references.flatMap((reference) => /^docs\/([^/]+)$/.exec(reference)?.[1] ?? []);
		expect(loaded).toEqual(['index.css', 'swagger-ui.css', 'swagger-ui-bundle.js', 'start.js']);
		for (const name of loaded) expect(files.has(name), name).toBe(true);
		expect(references.filter((reference) => !reference.startsWith('docs/'))).toEqual(['data:,', 'openapi.json']);
	});

	test('has neither scripts nor styles in itself', () => {
		expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?! src=)|javascript:/i);
		expect([...page.matchAll(/<script[^>]*>([^<]*)/g)].map(([, text]) => text)).toEqual(['', '']);
	});

	test('keeps nothing between visits, asks no validator, and takes no document from the query', () => {
		const [, options = ''] = /^SwaggerUIBundle\((.*)\);\n$/.exec(textOf('start.js')) ?? [];
		expect(JSON.parse(options)).toMatchObject({
			url: 'openapi.json',
			persistAuthorization: false,
			validatorUrl: null,
			queryConfigEnabled: false,
		});
	});
});

describe('the files of the page', () => {
	test('have a type by their name, and a weak tag of their own', () => {
		const types = Object.fromEntries([...files].map(([name, { type }]) => [name, type]));
		expect(types).toEqual({
			'index.html': 'text/html; charset=utf-8',
			'start.js': 'text/javascript; charset=utf-8',
			'index.css': 'text/css; charset=utf-8',
			'swagger-ui.css': 'text/css; charset=utf-8',
			'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
			LICENSE: 'text/plain; charset=utf-8',
			NOTICE: 'text/plain; charset=utf-8',
			'swagger-ui-bundle.js.LICENSE.txt': 'text/plain; charset=utf-8',
		});
		const tags = [...files.values()].map(({ etag }) => etag);
		for (const tag of tags) expect(tag).toMatch(/^W\/"[\w-]{22}"$/);
		expect(new Set(tags).size).toBe(files.size);
	});

	test('name no source map, because none is served', () => {
		for (const name of files.keys()) expect(textOf(name), name).not.toMatch(/# sourceMappingURL=/);
	});

	test('are the same bytes each time, so that a deployment without changes changes nothing', () => {
		expect(docsFilesText()).toBe(docsFilesText());
	});

	test('have the licences of what they contain', () => {
		expect(textOf('LICENSE')).toContain('Apache License');
		expect(textOf('NOTICE')).toContain('swagger-ui');
		expect(textOf('swagger-ui-bundle.js')).toContain('swagger-ui-bundle.js.LICENSE.txt');
	});

	test('are together at most 550 KB, compressed', () => {
		const bytes = [...files.values()].reduce((sum, { gzip }) => sum + Buffer.from(gzip, 'base64').length, 0);
		expect(bytes).toBeLessThanOrEqual(550_000);
	});
});
