import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { apiDocumentText } from '#infra/openapi/document.ts';
import { installGoProgram } from '#test/support/foreign-tools/go-program.ts';
import { installNodePackages } from '#test/support/foreign-tools/node-packages.ts';
import { run, runOrFail } from '#test/support/foreign-tools/run.ts';
import { installPython } from '#test/support/servers/python-packages.ts';

const folder = mkdtempSync(join(tmpdir(), 'caudal-openapi-'));
writeFileSync(join(folder, 'openapi.json'), apiDocumentText());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The first run installs the tools. */
const timeoutMs = 600_000;

const linters = { redocly: '@redocly/cli@2.77.0', spectral: '@stoplight/spectral-cli@6.16.0' } as const;

/** Runs a linter on the Node of this process, which is newer than that of the machine. */
const lint = async (name: keyof typeof linters, args: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
	const installed = await installNodePackages(linters[name].slice(1).replaceAll(/[@/]/g, '-'), [linters[name]]);
	return run(process.execPath, [join(installed, 'node_modules/.bin', name), 'lint', 'openapi.json', ...args], {
		cwd: folder,
		environment,
	});
};

describe('the OpenAPI document, without an exception to any rule,', () => {
	test(
		'is valid for openapi-spec-validator',
		async () => {
			const python = await installPython('openapi-spec-validator-0.9.0', ['openapi-spec-validator==0.9.0']);
			const validator = join(dirname(python), 'openapi-spec-validator');
			expect(await run(python, [validator, 'openapi.json'], { cwd: folder })).toEqual({ ok: true, output: 'openapi.json: OK\n' });
		},
		timeoutMs,
	);

	test(
		'has no finding by the recommended rules of Redocly',
		async () => {
			const environment = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
			const { output } = await lint('redocly', ['--extends', 'recommended', '--format', 'json'], environment);
			const [json = ''] = /^\{[\s\S]*^\}/m.exec(output) ?? [];
			expect(JSON.parse(json || JSON.stringify({ output }))).toMatchObject({
				totals: { errors: 0, warnings: 0, ignored: 0 },
				problems: [],
			});
		},
		timeoutMs,
	);

	test(
		'has no finding by the recommended rules of Spectral',
		async () => {
			writeFileSync(join(folder, 'spectral.json'), JSON.stringify({ extends: [['spectral:oas', 'recommended']] }));
			const result = await lint('spectral', ['--ruleset', 'spectral.json', '--fail-severity', 'hint']);
			expect(result).toEqual({ ok: true, output: "No results with a severity of 'hint' or higher found!\n" });
		},
		timeoutMs,
	);

	test(
		'becomes a client in Go that compiles, by oapi-codegen',
		async () => {
			const installed = await installGoProgram(
				'oapi-codegen-2.8.0',
				'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.0',
			);
			const client = mkdtempSync(join(folder, 'go-'));
			const requirement = 'require github.com/oapi-codegen/runtime v1.8.0';
			writeFileSync(join(client, 'go.mod'), `module client\n\ngo 1.24\n\n${requirement}\n`);
			const args = ['-package', 'client', '-generate', 'types,client', '-o', 'client.go', join(folder, 'openapi.json')];
			await runOrFail(join(installed, 'oapi-codegen'), args, { cwd: client });
			await runOrFail('go', ['mod', 'tidy'], { cwd: client });
			expect(await run('go', ['vet', './...'], { cwd: client })).toEqual({ ok: true, output: '' });
		},
		timeoutMs,
	);
});
