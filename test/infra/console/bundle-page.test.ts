import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundlePage, type PageBundle } from '#infra/console/bundle-page.ts';

/** A small page with two screens, a message file, and code for the demo only. */
const sources = {
	'index.html':
		'<!doctype html><html><head><link rel="icon" href="data:,"><link rel="stylesheet" href="style.css"><link rel="later" href="later.css"><script type="module" src="main.tsx"></script></head><body><!-- sprite.svg --></body></html>',
	'sprite.svg': '<svg><!-- a note --><symbol id="drop"/></svg>\n',
	'style.css': '@import "./base.css";\nbody { margin: 1px; }\n',
	'later.css': 'p { margin: 2px; }\n',
	'base.css': 'html { color: #123456; }\n',
	'tsconfig.json': '{ "compilerOptions": { "jsx": "react-jsx", "jsxImportSource": "preact" } }',
	'main.tsx': `
		import { render } from 'preact';
		import { Overview } from './screens/overview/overview.tsx';
		import { shared } from './shared.ts';
		// a note of the author
		if (demoCredentials !== null) console.log('demo button', demoCredentials.email);
		const screens = {
			trend: () => import('./screens/trend/trend.tsx'),
			es: () => import('./i18n/es.ts'),
		};
		render(<h1>{shared('main')}{Object.keys(screens)}<Overview /></h1>, document.body);
		console.log(screens);
	`,
	'shared.ts': "export const shared = (name: string): string => 'shared by '.concat(name);",
	'i18n/es.ts': "export const texts = 'mensajes';",
	'screens/overview/overview.tsx':
		"import { shared } from '../../shared.ts';\nexport const Overview = () => <p>{shared('overview')}</p>;",
	'screens/trend/trend.tsx':
		"import { both } from '../both.ts';\nimport { shared } from '../../shared.ts';\nexport const trend = async () => [both, shared('trend'), await import('./plot.ts'), <b>trend</b>];",
	'screens/trend/plot.ts': "export const plot = 'plotted';",
	'screens/station/station.ts': "import { both } from '../both.ts';\nexport const station = both;",
	'screens/both.ts': "export const both = 'trend and station';",
};

let folder: string;
let page: PageBundle;

const write = (files: Readonly<Record<string, string>>): void => {
	for (const [name, text] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, name)), { recursive: true });
		writeFileSync(join(folder, name), text);
	}
};
const bundle = (demoCredentials: unknown = null): Promise<PageBundle> =>
	bundlePage({ folder, constants: { demoCredentials }, filesFolder: 'files' });
/** Names without their hashes. */
const plain = (names: Iterable<string>): readonly string[] =>
	[...names].map((name) => name.replace(/-[A-Z0-9]{8}\./, '.')).sort();
const textOf = ({ files }: PageBundle, name: string): string =>
	[...files].find(([each]) => plain([each])[0] === name)?.[1] ?? `There is no ${name}.`;

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'caudal-page-'));
	symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(folder, 'node_modules'));
	write(sources);
	page = await bundle();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a bundled page', () => {
	test('names its module and its style sheets by relative addresses, and the modules that those need beforehand', () => {
		const html = page.files.get('index.html') ?? '';
		const references = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, reference = '']) => reference);
		const [icon, style, later, script, ...preloaded] = references;
		expect(icon).toBe('data:,');
		expect(style).toMatch(/^files\/style-[A-Z0-9]{8}\.css$/);
		expect(later).toMatch(/^files\/later-[A-Z0-9]{8}\.css$/);
		expect(script).toMatch(/^files\/main-[A-Z0-9]{8}\.js$/);
		expect(plain(preloaded)).toEqual(['files/chunk.js']);
		for (const reference of references.slice(1)) expect(page.files.has(reference.slice('files/'.length)), reference).toBe(true);
	});

	test('has its symbols in itself, without their comments', () => {
		expect(page.files.get('index.html')).toContain('<body><svg><symbol id="drop"/></svg></body>');
	});

	test('has style sheets with all that they import', () => {
		expect(textOf(page, 'style.css')).toMatch(/^html\{color:#123456\}body\{margin:1px\}/);
		expect(textOf(page, 'later.css')).toMatch(/^p\{margin:2px\}/);
		expect([...page.files.keys()].filter((name) => name.endsWith('.css'))).toHaveLength(2);
	});

	test('has no comments and no source maps', () => {
		for (const [name, text] of page.files) {
			if (!name.endsWith('.txt')) expect(text, name).not.toMatch(/a note|sourceMappingURL|\/\*|<!--/);
		}
	});

	test('has elements of Preact, in modules that are loaded later too', () => {
		for (const [name, text] of page.files) expect(text, name).not.toContain('React');
		expect(textOf(page, 'trend.js')).toContain('"b"');
	});

	test('comes with the licences of the packages in it, each once', () => {
		const text = page.files.get('licences.txt') ?? '';
		expect(text.match(/^preact$/gm)).toHaveLength(1);
		expect(text).toContain('The MIT License (MIT)');
	});

	test('is the same each time, and a file has another name when its content changes', async () => {
		expect(await bundle()).toEqual(page);
		write({ 'screens/trend/plot.ts': "export const plot = 'plotted otherwise';" });
		const changed = await bundle();
		write(sources);
		const renamed = [...changed.files.keys()].filter((name) => !page.files.has(name));
		// The files that import it change too: they name it.
		expect(plain(renamed)).toEqual(['chunk.js', 'es.js', 'main.js', 'plot.js', 'trend.js']);
	});

	test('has code for the demo only where there is a demo', async () => {
		const all = ({ files }: PageBundle) => [...files.values()].join('\n');
		expect(all(page)).not.toMatch(/demo/);
		const demo = all(await bundle({ email: 'operator@demo.example' }));
		expect(demo).toContain('demo button');
		expect(demo).toContain('operator@demo.example');
	});

	test('is refused where its sources have errors, with the place', async () => {
		write({ 'shared.ts': "export { missing } from './nowhere.ts';" });
		await expect(bundle()).rejects.toThrow(/shared\.ts:1:\d+: ERROR: Could not resolve ".\/nowhere.ts"/);
		write(sources);
	});
});

describe('what a browser loads of it', () => {
	const laterOf = ({ loads }: PageBundle) => Object.fromEntries([...loads.later].map(([name, files]) => [name, plain(files)]));

	test('first: the page, its style sheet, its module, and one file with all that it needs, whatever later modules share of it', () => {
		expect(plain(page.loads.first)).toEqual(['chunk.js', 'index.html', 'main.js', 'style.css']);
	});

	test('later: each module that is imported dynamically, without those of the first load, and the second style sheet', () => {
		expect(laterOf(page)).toEqual({ es: ['es.js'], later: ['later.css'], plot: ['plot.js'], trend: ['trend.js'] });
	});

	test('with the modules that it shares with others', async () => {
		write({
			'main.tsx': `${sources['main.tsx']}\nconsole.log(() => import('./screens/station/station.ts'));`,
		});
		const withStation = await bundle();
		write(sources);
		expect(laterOf(withStation)).toEqual({
			es: ['es.js'],
			later: ['later.css'],
			plot: ['plot.js'],
			station: ['chunk.js', 'station.js'],
			trend: ['chunk.js', 'trend.js'],
		});
	});
});
