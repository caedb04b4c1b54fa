import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { endpoints, localEndpoints } from '#shared/contract.ts';
import manifest from '../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Files of the folder and below it with this ending, as paths from the project's folder. */
const filesBelow = (folder: string, ending: string): readonly string[] =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith(ending))
		.map((name) => join(folder, name));

const rooms = ['functions', 'infra', 'shared', 'test', '.github'];
const documents = ['README.md', 'CHANGELOG.md', ...rooms.flatMap((room) => filesBelow(room, '.md'))];
/** Step-by-step procedures and the API's reference. They are looked up, not learned, so they may be longer than the other documents. */
const references = [
	'CHANGELOG.md',
	'functions/README.md',
	'functions/TELEGRAF.md',
	'infra/aws/DEPLOYING.md',
	'infra/aws/RUNBOOK.md',
	'infra/aws/SIGN-IN.md',
];
const sources = ['.ts', '.tsx'].flatMap((ending) => rooms.flatMap((room) => filesBelow(room, ending)));

/** The anchors of a Markdown text's headings, as GitHub forms them. */
const anchorsOf = (text: string): readonly string[] =>
	[...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, '')
			.replaceAll(' ', '-'),
	);

const linesOf = (text: string): number => text.trimEnd().split('\n').length;

/** The sentences of a Markdown text, without code blocks and the targets of links. A cell of a table, a heading and an item of a list end a sentence. */
const sentencesOf = (text: string): readonly string[] =>
	text
		.replace(/```[\s\S]*?```/g, '\n\n')
		.replace(/\]\([^)]*\)/g, ']')
		.split(/\n\s*\n|\n(?=\s*(?:[-#|]|\d+\.) ?)/)
		.flatMap((block) => (block.startsWith('|') ? block.split('|') : [block]))
		.flatMap((block) => block.split(/(?<=[.?!][`*")]*)\s+(?=[\p{Lu}\d[`*"(])/u));

const wordsOf = (sentence: string): number => sentence.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word)).length;

describe('documents', () => {
	test.each(documents)('%s links to files and headings that exist', (document) => {
		const text = read(document).replace(/```[\s\S]*?```/g, '');
		for (const [, link = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
			if (/^https?:/.test(link)) continue;
			const [path = '', anchor] = link.split('#');
			const target = path === '' ? document : join(dirname(document), path);
			expect(existsSync(join(root, target)), `${document} links to ${link}`).toBe(true);
			if (anchor !== undefined) expect(anchorsOf(read(target)), `${document} links to ${link}`).toContain(anchor);
		}
	});

	test('have at most 150 lines, README.md 130, but for those that are looked up', () => {
		for (const document of documents)
			if (!references.includes(document))
				expect(linesOf(read(document)), document).toBeLessThanOrEqual(document === 'README.md' ? 130 : 150);
	});

	test('have no sentence of more than 35 words', () => {
		expect(sentencesOf('One two. Three\nfour!\n\n- Five six\n- seven')).toEqual([
			'One two.',
			'Three\nfour!',
			'- Five six',
			'- seven',
		]);
		for (const document of documents)
			expect(
				sentencesOf(read(document)).filter((sentence) => wordsOf(sentence) > 35),
				document,
			).toEqual([]);
	});

	test('shared/DESIGN.md links to every document with rules', () => {
		const map = 'shared/DESIGN.md';
		const linked = [...read(map).matchAll(/\]\(([^)#]+\.md)/g)].map(([, link = '']) => join(dirname(map), link));
		const told = documents.filter(
			(document) => !['README.md', map].includes(document) && !document.startsWith('shared/decisions/'),
		);
		expect(told.filter((document) => !linked.includes(document))).toEqual([]);
	});

	test('functions/README.md lists exactly the endpoints of the contract, in its order', () => {
		const rows = [...read('functions/README.md').matchAll(/^\| (\w+) \| (GET|POST) (\S+) \| (bearer|bearer, Basic|–) \|/gm)];
		expect(rows.map(([, name, method, path, auth]) => ({ name, method, path, auth }))).toEqual(
			[...endpoints, ...localEndpoints].map(({ name, method, path, auth }) => ({
				name,
				method,
				path,
				auth: { bearer: 'bearer', basic: 'bearer, Basic', none: '–' }[auth],
			})),
		);
	});

	test('every npm script has a line in npm run help, and the reverse', () => {
		expect(Object.keys(manifest['scripts-info'])).toEqual(Object.keys(manifest.scripts));
	});
});

describe('citations in the code', () => {
	const self = 'test/documents.test.ts';
	const texts = sources.filter((file) => file !== self).map((file) => [file, read(file)] as const);

	test('name documents and headings that exist, by their path from the top', () => {
		const citation = /(?<![\w./'])((?:functions|infra|shared|test|\.github)\/[\w./-]*\.md)(?:#([\w-]+))?/g;
		const cited = texts.flatMap(([file, text]) =>
			[...text.matchAll(citation)].map(([, document = '', anchor]) => ({ file, document, anchor })),
		);
		expect(cited.length).toBeGreaterThan(100);
		for (const { file, document, anchor } of cited) {
			expect(documents, `${file} cites a document`).toContain(document);
			if (anchor !== undefined) expect(anchorsOf(read(document)), `${file} cites ${document}#${anchor}`).toContain(anchor);
		}
	});

	test('name no numbered sections, and no document by its name alone', () => {
		const numbered = /\b(?:DESIGN(?:\.md)?|design|specification)(?:\s|\*|\/\/)+sections? \d/;
		const alone = /(?<![\w./-])(?:DESIGN|DEPLOYING|RUNBOOK|EVALUATION|CONTRIBUTING)\.md/;
		expect(texts.filter(([, text]) => numbered.test(text) || alone.test(text)).map(([file]) => file)).toEqual([]);
	});
});

describe('the top of the repository', () => {
	test('has the folders and documents that CONTRIBUTING names, lock, licence, configuration and dot files', () => {
		const ignored = read('.gitignore')
			.split('\n')
			.map((line) => line.replace(/\/$/, ''));
		const files = ['package.json', 'package-lock.json', 'tsconfig.json', 'cdk.json', 'README.md', 'CHANGELOG.md', 'LICENSE'];
		const allowed = [...files, 'functions', 'infra', 'shared', 'events', 'test'];
		const others = readdirSync(root).filter(
			(name) =>
				!allowed.includes(name) && !/^\.|^biome\.json$|^vitest\.config\.ts$|-token\.txt$/.test(name) && !ignored.includes(name),
		);
		expect(others).toEqual([]);
	});
});

test('the version is that of the newest release, or a later one with -dev where the changelog has changes that are not released', () => {
	const changelog = read('CHANGELOG.md');
	const [, unreleased = ''] = /^## \[Unreleased\]\n([\s\S]*?)^## /m.exec(changelog) ?? [];
	const [, newest = ''] = /^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$/m.exec(changelog) ?? [];
	expect(newest).not.toBe('');
	const { version } = manifest;
	expect(JSON.parse(read('package-lock.json'))).toMatchObject({ version, packages: { '': { version } } });
	if (!/^- /m.test(unreleased)) return expect(version).toBe(newest);
	expect(version).toMatch(/^\d+\.\d+\.\d+-dev$/);
	const numbersOf = (text: string) =>
		text
			.split('.')
			.map((part) => part.padStart(6, '0'))
			.join();
	expect(numbersOf(version.replace('-dev', '')) > numbersOf(newest), `${version} after ${newest}`).toBe(true);
});
