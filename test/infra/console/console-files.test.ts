import { gunzipSync } from 'node:zlib';
import * as v from 'valibot';
import { beforeAll, describe, expect, test } from 'vitest';
import { type StaticFile, staticFilesSchema } from '#http/page.ts';
import { consoleFilesText } from '#infra/console/console-files.ts';
import { demoCredentials } from '#infra/local/demo/idp.ts';

let text: string;
let files: ReadonlyMap<string, StaticFile>;
const textOf = (name: string): string => gunzipSync(Buffer.from(files.get(name)?.gzip ?? '', 'base64')).toString('utf8');

beforeAll(async () => {
	text = await consoleFilesText({ demo: null });
	files = v.parse(staticFilesSchema, text);
});

describe('the page of the console', () => {
	test('loads its own files only, by relative addresses, and the address of its icon holds the icon', () => {
		const references = [...textOf('index.html').matchAll(/\s(?:src|href)="([^"]*)"/g)].map(([, reference = '']) => reference);
		expect(references.length).toBeGreaterThanOrEqual(3);
		for (const reference of references)
			if (!reference.startsWith('data:')) {
				expect(reference).toMatch(/^console\/[\w-]+-[A-Z0-9]{8}\.(js|css)$/);
				expect(files.has(reference.slice('console/'.length)), reference).toBe(true);
			}
	});

	test('has neither scripts nor styles in itself, which its policy refuses', () => {
		const page = textOf('index.html');
		expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?! type="module" src=)|javascript:/i);
		expect([...page.matchAll(/<script[^>]*>([^<]*)/g)].map(([, inner]) => inner)).toEqual(['', '']);
	});

	test('says in both languages that it needs JavaScript', () => {
		expect(textOf('index.html')).toMatch(/<noscript>.* needs JavaScript.*necesita JavaScript.*<\/noscript>/);
	});
});

describe('the files of the console', () => {
	test('have a type by their name, and a weak tag of their own', () => {
		const types = { html: 'text/html', js: 'text/javascript', css: 'text/css', txt: 'text/plain' };
		for (const [name, { type, etag }] of files) {
			expect(type, name).toBe(`${types[name.split('.').at(-1) as keyof typeof types]}; charset=utf-8`);
			expect(etag, name).toMatch(/^W\/"[\w-]{22}"$/);
		}
		expect(new Set([...files.values()].map(({ etag }) => etag)).size).toBe(files.size);
	});

	test('are the same bytes each time, so that a deployment without changes changes nothing', async () => {
		expect(await consoleFilesText({ demo: null })).toBe(text);
	});

	test('sign in to the demo plant only where there is a demo', async () => {
		const all = (map: ReadonlyMap<string, StaticFile>) =>
			[...map.values()].map(({ gzip }) => gunzipSync(Buffer.from(gzip, 'base64')).toString('utf8')).join('\n');
		const withDemo = all(v.parse(staticFilesSchema, await consoleFilesText({ demo: demoCredentials })));
		for (const value of [demoCredentials.email, demoCredentials.tokenApp]) {
			expect([value, all(files).includes(value), withDemo.includes(value)]).toEqual([value, false, true]);
		}
	});
});
