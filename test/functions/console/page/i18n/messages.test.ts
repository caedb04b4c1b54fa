import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { type Language, languageChoices } from '#page/core/languages.ts';
import { language } from '#page/core/preferences.ts';

const folder = fileURLToPath(new URL('.', import.meta.resolve('#page/index.html')));

/** Texts that are the same in both languages, because both have the same word, or a sign. */
const same: ReadonlySet<string> = new Set([
	'provisional',
	...['Bit', 'Bits', 'Bit 2', 'bit 2', 'Byte', 'CSV', 'Id', 'min', 'ms', 'no', 'Normal', 'panel', 'Simple', 'Topic'],
	...['Variable', 'Variables', 'variable', 'variables', '2 variables', 'API', 'Roles', 'bit', 'bits', 'id', '—'],
	...['Topics', 'Ctrl+D', 'Ctrl+V', 'Esc', 'script', 'scripts'],
]);

/** English texts that several modules have, each with another purpose. */
const repeated: ReadonlySet<string> = new Set([
	// Spanish has another word for each use, or another form.
	...['Active', 'Kind', 'Open', 'Shelved', 'Source', 'Unacknowledged', 'View', 'changed', 'deleted', 'every kind', 'min'],
	// A field of a source, and a field of an item.
	'Field',
	// A step of adding variables, and a tool of drawings; a step, and a button; series, and symbols.
	...['Choose', 'Create', 'Without a variable'],
	// A row of a table that is typed by its key: filters, kinds of variables, screens, causes, heads of a file.
	...['All', 'Formula', 'Simple', 'Variables', 'alarm', 'condition', 'kind', 'no data'],
	...['Pump', 'Value', 'not known', 'severity', 'threshold', 'time (UTC)', 'unit'],
]);

/** The English texts in the source of a module, as they are written there: in a block of texts, or alone (`en: 'Choose'`). */
const writtenIn = (file: string): readonly string[] =>
	[...readFileSync(`${folder}/${file}`, 'utf8').matchAll(/^\ten: \{\n([\s\S]*?)^\t\},$|\ben: ('(?:[^'\\\n]|\\.)*')/gm)]
		.flatMap(([, texts, alone = '']) => [...(texts ?? alone).matchAll(/'((?:[^'\\\n]|\\.)*)'(?!\s*:)|`([^`]*)`/g)])
		.map(([, quoted, template = '']) => quoted ?? template)
		.filter((text) => /\p{L}{2}/u.test(text));

/** The modules that export texts. */
const files = globSync('{i18n,format,parts,changes,corrections,reports,shell,screens}/**/*.ts', { cwd: folder }).filter((file) =>
	/^export const \w+ = messages\b/m.test(readFileSync(`${folder}/${file}`, 'utf8')),
);

/** Every text by its path. One that takes values is called with those. */
const textsOf = (spoken: Language, value: unknown, path: string): readonly (readonly [string, string])[] => {
	if (typeof value === 'string') return [[path, value]];
	if (typeof value === 'function')
		return [[path, String(value(...Array.from({ length: value.length }, (_, index) => index + 2)))]];
	return Object.entries(value as object).flatMap(([key, each]) => textsOf(spoken, each, `${path}.${key}`));
};

afterEach(() => {
	language.value = 'en';
});

describe('the texts of the console', () => {
	test('say in every language that it needs JavaScript, before any script runs', () => {
		const sentences: Readonly<Record<Language, string>> = {
			en: 'The console needs JavaScript.',
			es: 'La consola necesita JavaScript.',
		};
		const page = readFileSync(`${folder}/index.html`, 'utf8');
		expect(page).toContain(`<noscript>${Object.values(sentences).join(' · ')}</noscript>`);
	});

	test('are in the modules that this test reads', () => {
		expect(files.length).toBeGreaterThanOrEqual(10);
	});

	test('say a sentence in one module: what several say is in i18n/common.ts', () => {
		const modules = globSync('**/*.{ts,tsx}', { cwd: folder }).filter((file) =>
			/[=:] messages\b/.test(readFileSync(`${folder}/${file}`, 'utf8').replaceAll(/^\s*\*.*$/gm, '')),
		);
		expect(modules.filter((file) => writtenIn(file).length === 0)).toEqual([]);
		const modulesOf = Map.groupBy(
			modules.flatMap((file) => [...new Set(writtenIn(file))].map((text) => ({ file, text }))),
			({ text }) => text,
		);
		const several = [...modulesOf].filter(([, uses]) => uses.length > 1);
		expect(several.filter(([text]) => !repeated.has(text)).map(([, uses]) => uses)).toEqual([]);
		expect([...repeated].filter((text) => several.every(([each]) => each !== text))).toEqual([]);
	});

	test.each(files)('of %s are complete in every language, and differ', async (file) => {
		const module: Record<string, unknown> = await import(`${folder}/${file}`);
		const read = (spoken: Language) => {
			language.value = spoken;
			const exported = Object.entries(module).filter(([, texts]) => typeof texts === 'function' && texts.length === 0);
			return new Map(exported.flatMap(([name, texts]) => textsOf(spoken, (texts as () => unknown)(), name)));
		};
		const english = read('en');
		expect(english.size).toBeGreaterThan(0);
		for (const { value } of languageChoices) {
			const texts = read(value);
			expect([...texts.keys()]).toEqual([...english.keys()]);
			for (const [path, text] of texts) expect(text.trim(), path).not.toBe('');
			const equal = [...english].filter(([path, text]) => texts.get(path) === text && /\p{L}{2}/u.test(text) && !same.has(text));
			expect(value === 'en' ? [] : equal, value).toEqual([]);
		}
	});
});
