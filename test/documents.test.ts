import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { endpoints } from '#shared/contract.ts';
import manifest from '../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Files of the folder and below it with this ending, as paths from the project's folder. */
const filesBelow = (folder: string, ending: string): readonly string[] =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith(ending))
		.map((name) => join(folder, name));

const rooms = ['functions', 'infra', 'shared', 'test', '.github'];
const documents = ['README.md', ...rooms.flatMap((room) => filesBelow(room, '.md'))];
const sources = ['.ts', '.tsx'].flatMap((ending) => rooms.flatMap((room) => filesBelow(room, ending)));

/** The anchors of a Markdown text's headings, as GitHub forms them. */
const anchorsOf = (text: string): readonly string[] =>
	[...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, '')
			.replaceAll(' ', '-'),
	);

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

	test('README.md has at most 130 lines', () => {
		expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(130);
	});

	test('functions/README.md lists exactly the endpoints of the contract, in its order', () => {
		const rows = [...read('functions/README.md').matchAll(/^\| (\w+) \| (GET|POST) (\S+) \| (bearer|–) \|/gm)];
		expect(rows.map(([, name, method, path, auth]) => ({ name, method, path, auth }))).toEqual(
			endpoints.map(({ name, method, path, auth }) => ({ name, method, path, auth: auth === 'bearer' ? 'bearer' : '–' })),
		);
	});

	test('every npm script has a line in npm run help, and the reverse', () => {
		expect(Object.keys(manifest['scripts-info'])).toEqual(Object.keys(manifest.scripts));
	});
});

describe('citations in the code', () => {
	const sections = new Set([...read('shared/DESIGN.md').matchAll(/^#{2,3} (\d+(?:\.\d+)?)\.? /gm)].map(([, number]) => number));

	test('name sections that shared/DESIGN.md has', () => {
		const cited = sources.flatMap((file) =>
			[...read(file).matchAll(/DESIGN\.md sections? (\d+(?:\.\d+)?)/g)].map(([, number]) => ({ file, number })),
		);
		expect(cited.length).toBeGreaterThan(0);
		expect(cited.filter(({ number }) => !sections.has(number))).toEqual([]);
	});

	test('cite only documents of the repository', () => {
		const foreign = /\b(design|specification) section \d/i;
		const self = 'test/documents.test.ts';
		expect(sources.filter((file) => file !== self && foreign.test(read(file)))).toEqual([]);
	});
});
