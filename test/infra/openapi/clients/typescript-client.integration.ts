import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run, runOrFail } from '#test/support/foreign-tools/run.ts';
import { startLocal } from '#test/support/servers/local.ts';

const root = join(import.meta.dirname, '../../../..');
const folder = mkdtempSync(join(tmpdir(), 'caudal-typescript-'));
// The packages that a client installs are those of this checkout.
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The first run installs openapi-typescript. */
const timeoutMs = 300_000;

/** The code blocks of one language in the section of functions/README.md about the client, exactly as written. */
const codeOf = (language: string): string => {
	const readme = readFileSync(join(root, 'functions/README.md'), 'utf8');
	const [section = ''] = readme.split(/^## A typed client in TypeScript$/m)[1]?.split(/^## /m) ?? [];
	return [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
		.flatMap(([, tag, code = '']) => (tag === language ? [code] : []))
		.join('');
};

/** Type-checks a file of the folder by the options of this repository. */
const compile = (file: string, options: object = {}) => {
	const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
	writeFileSync(
		join(folder, 'tsconfig.json'),
		JSON.stringify({ compilerOptions: { ...compilerOptions, ...options }, files: [file] }),
	);
	return run(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { cwd: folder });
};

/**
 * Compiles only where the inferred types and the generated ones of JSON can replace each other. `Plain` leaves out two differences: truth values
 * that are constants, and the end of a pipe, which the document describes as a list of anything.
 */
const agreement = `
import type { Paths, Schemas } from '${join(root, 'infra/openapi/api.ts')}';
import type { components, paths } from './generated.ts';

type Plain<T> = T extends boolean ? boolean
	: T extends [unknown, unknown, infer C] ? undefined extends C ? unknown[] : T
	: T extends object ? { [Key in keyof T]: Plain<T[Key]> } : T;
type RequestOf<T> = { [Key in keyof T as Key & ('parameters' | 'requestBody')]: T[Key] };
type AnswerOf<T> = T extends { responses: { 200: { content: { 'application/json': infer Body } } } } ? Body : never;
type Told<T> = { [Path in keyof T & keyof Paths]: { [Method in keyof T[Path] & keyof Paths[Path]]:
	{ request: RequestOf<T[Path][Method]>; answer: AnswerOf<T[Path][Method]> } } };

// The document writes the messages out where they are received.
type Answers = Omit<Schemas, 'AlarmMessage' | 'MessageAlarm' | 'MessageNumber' | 'MessageRise' | 'ReportMessage'>;

export const schemas = (inferred: Plain<Answers>, generated: Plain<components['schemas']>):
	[Plain<components['schemas']>, Plain<Answers>] => [inferred, generated];
export const calls = (inferred: Plain<Told<Paths>>, generated: Plain<Told<paths>>):
	[Plain<Told<paths>>, Plain<Told<Paths>>] => [inferred, generated];
`;

test(
	'npm run api-types writes types that compile, and that agree with those that are inferred',
	async () => {
		await runOrFail(process.execPath, ['infra/tools/api-types.ts', join(folder, 'generated.ts')], { cwd: root });
		writeFileSync(join(folder, 'agreement.ts'), agreement);
		expect(await compile('agreement.ts', { exactOptionalPropertyTypes: false })).toEqual({ ok: true, output: '' });
	},
	timeoutMs,
);

test(
	'the client in functions/README.md compiles and reads the demo plant, with the types that npm run api-types writes',
	async () => {
		const local = await startLocal({ DEMO_PLANT: 'on' });
		try {
			const environment = { CAUDAL_URL: local.baseUrl };
			const [generate = '', install] = codeOf('sh').trim().split('\n');
			expect(install).toBe('npm install openapi-fetch');
			await runOrFail('sh', ['-c', generate], { cwd: folder, environment });
			await runOrFail(process.execPath, ['infra/tools/api-types.ts', join(folder, 'written.d.ts')], { cwd: root });
			expect(readFileSync(join(folder, 'api.d.ts'), 'utf8')).toBe(readFileSync(join(folder, 'written.d.ts'), 'utf8'));
			writeFileSync(join(folder, 'client.ts'), codeOf('ts'));
			expect(await compile('client.ts')).toEqual({ ok: true, output: '' });
			const output = await runOrFail(process.execPath, ['client.ts'], { cwd: folder, environment });
			expect(output).toMatch(/^Distribution flow [\d.]+ m³\/h good\nOutflow [\d.]+ L\/s good\n$/);
		} finally {
			await local.close();
		}
	},
	timeoutMs,
);
