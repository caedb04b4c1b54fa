import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { addKeys, screenKeys } from '#page/shell/help-texts.ts';

const folder = 'functions/console/page';
const sources = globSync(`${folder}/**/*.{ts,tsx}`).map((file) => [file, readFileSync(file, 'utf8')] as const);

/** The keys of the calls of `useShortcuts` in a source, each followed by its label. */
const keysIn = (text: string): readonly string[] =>
	text.includes('useShortcuts(') ? [...text.matchAll(/\bkey: '([^']+)',\s*label/g)].map(([, key = '']) => key) : [];

test('the help lists every key that a screen acts on; those of every screen are on each', () => {
	const everywhere = new Set(sources.filter(([file]) => file.endsWith('/shell/shell.tsx')).flatMap(([, text]) => keysIn(text)));
	expect(everywhere.size).toBeGreaterThan(5);
	const listed = new Set<string>([...screenKeys.map(([key]) => key), ...everywhere, 'Escape']);
	const acted = sources.flatMap(([, text]) => keysIn(text));
	expect(acted.length).toBeGreaterThan(15);
	expect(acted.filter((key) => !listed.has(key))).toEqual([]);
	const onScreens = new Set(sources.filter(([file]) => !file.endsWith('/shell/shell.tsx')).flatMap(([, text]) => keysIn(text)));
	expect(screenKeys.map(([key]) => key).filter((key) => key !== '← →' && !onScreens.has(key))).toEqual([]);
});

test('the help lists every key of the grid of adding from the database', () => {
	const [, text = ''] = sources.find(([file]) => file.endsWith('/add/grid-state.ts')) ?? [];
	const keys = [...text.matchAll(/key(?:\.toLowerCase\(\))? === '(\w+)'/g)].map(([, key = '']) =>
		key.length === 1 ? `Ctrl+${key}` : key,
	);
	expect(keys).toEqual(expect.arrayContaining(['Ctrl+d', 'Enter', 'Delete', 'Escape']));
	const same: Readonly<Record<string, string>> = { F2: 'Enter', Backspace: 'Delete' };
	const listed = new Set<string>(addKeys.map(([key]) => key));
	expect(keys.filter((key) => !listed.has(same[key] ?? key))).toEqual([]);
});
