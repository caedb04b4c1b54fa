import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const document = '.github/SECURITY.md';

/** An exported limit with the comment above it. */
const limitPattern = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export const (max\w+|readLimits) = /g;

/** Limits of what this service does itself, not of what somebody may send or store. */
const own = ['adapters/', 'domain/signing-keys/'];

/** Returns the first sentence of a comment, up to a colon, without the documents that it cites. */
const sentenceOf = (comment: string): string =>
	(
		comment
			.replace(/\s*\n\s*\*\s*/g, ' ')
			.replace(/ \((?:shared|functions|infra)\/[^)]*\)/g, '')
			.replace(/\{@link (\w+)\}/g, '$1')
			.trim()
			.split(/(?<=\.)\s|:\s/)[0] ?? ''
	).replace(/\.$/, '');

const textOf = (value: unknown): string =>
	typeof value === 'object' && value !== null
		? Object.entries(value)
				.map(([name, each]) => `${name} ${textOf(each)}`)
				.join(', ')
		: Number(value).toLocaleString('en');

/** Returns a row of the table for each limit, by file. */
const limitRows = async (): Promise<readonly string[]> => {
	const files = globSync('shared/{http,domain}/**/*.ts', { cwd: root })
		.filter((file) => !own.some((part) => file.includes(part)))
		.sort();
	const rows = files.map(async (file) => {
		const limits = [...readFileSync(join(root, file), 'utf8').matchAll(limitPattern)];
		if (limits.length === 0) return [];
		const values: Readonly<Record<string, unknown>> = await import(join(root, file));
		const link = `[${file.replace(/^shared\//, '')}](${relative(dirname(document), file)})`;
		return limits.map(([, comment = '', name = '']) => `| ${sentenceOf(comment)} | ${textOf(values[name])} | ${link} |`);
	});
	return (await Promise.all(rows)).flat();
};

test('SECURITY.md lists every limit with the value that the service uses; `vitest -u` writes the list', async () => {
	const rows = await limitRows();
	expect(rows.length).toBeGreaterThan(35);
	expect(rows.filter((row) => /\|\s*\||NaN/.test(row))).toEqual([]);
	const table = ['| limit | value | where |', '|---|---|---|', ...rows].join('\n');
	const path = join(root, document);
	const listed = readFileSync(path, 'utf8').replace(/(?<=<!-- limits -->\n\n)[\s\S]*(?=\n\n<!-- end of limits -->)/, () => table);
	expect(listed).toContain(table);
	await expect(listed).toMatchFileSnapshot(path);
});
