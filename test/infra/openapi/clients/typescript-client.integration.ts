import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run, runOrFail } from '#test/support/foreign-tools/run.ts';
import { startLocal } from '#test/support/servers/local.ts';

const root = join(import.meta.dirname, '../../../..');
const folder = mkdtempSync(join(tmpdir(), 'caudal-typescript-'));
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

test(
	'openapi-typescript generates infra/openapi/api.d.ts as it is committed (else: npm run api-types)',
	async () => {
		const file = join(folder, 'generated.d.ts');
		await runOrFail(process.execPath, ['infra/tools/api-types.ts', file], { cwd: root });
		expect(readFileSync(file, 'utf8')).toBe(readFileSync(join(root, 'infra/openapi/api.d.ts'), 'utf8'));
	},
	timeoutMs,
);

test(
	'the client in functions/README.md compiles and reads the demo plant',
	async () => {
		const local = await startLocal({ DEMO_PLANT: 'on' });
		try {
			const environment = { CAUDAL_URL: local.baseUrl };
			const [generate = '', install] = codeOf('sh').trim().split('\n');
			expect(install).toBe('npm install openapi-fetch');
			await runOrFail('sh', ['-c', generate], { cwd: folder, environment });
			// The packages that the reader installs are those of this checkout.
			symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
			writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
			writeFileSync(join(folder, 'client.ts'), codeOf('ts'));
			const { include: _, ...config } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
			writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...config, files: ['client.ts'] }));
			const compiler = join(root, 'node_modules/.bin/tsc');
			expect(await run(compiler, ['-p', folder], { cwd: folder })).toEqual({ ok: true, output: '' });
			const output = await runOrFail(process.execPath, ['client.ts'], { cwd: folder, environment });
			expect(output).toMatch(/^Distribution flow [\d.]+ m³\/h good\nOutflow [\d.]+ L\/s good\n$/);
		} finally {
			await local.close();
		}
	},
	timeoutMs,
);
