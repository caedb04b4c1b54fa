import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { language } from '#page/core/preferences.ts';
import { type Language, languageChoices } from '#page/i18n/languages.ts';

const folder = fileURLToPath(new URL('.', import.meta.resolve('#page/index.html')));

/** Texts that are the same in both languages, because both have the same word, or a sign. */
const same: ReadonlySet<string> = new Set([
	...['Bit', 'Bits', 'Bit 2', 'bit 2', 'Byte', 'CSV', 'Id', 'min', 'ms', 'no', 'Normal', 'panel', 'Simple', 'Topic'],
	...['Variable', 'Variables', 'variables', '2 variables'],
]);

/** The modules that export texts. */
const files = globSync('{i18n,format,parts,shell,screens}/**/*.ts', { cwd: folder }).filter((file) =>
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
