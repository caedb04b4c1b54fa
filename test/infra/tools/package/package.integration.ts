import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readConfig } from '#shared/config.ts';
import { runProgram } from '#test/support/process.ts';
import { packagesByPart, schemaFaults } from '#test/support/sbom.ts';
import manifest from '../../../../package.json' with { type: 'json' };

/** The package as somebody installs it who has neither the clone nor its packages. */
describe('the package', () => {
	const directory = mkdtempSync(join(tmpdir(), 'caudal-package-'));
	const [release, prefix, STATE_DIR] = ['release', 'prefix', 'state'].map((name) => join(directory, name)) as [
		string,
		string,
		string,
	];
	const file = `caudal-${manifest.version}.tgz`;
	const sbom = `caudal-${manifest.version}.cdx.json`;
	// No identity provider answers there: nobody signs in.
	const environment = {
		PATH: `${dirname(process.execPath)}:${readConfig(v.object({ PATH: v.string() })).PATH}`,
		...{ NO_COLOR: '1', PORT: '0', STATE_DIR, AUTH_URL: 'http://127.0.0.1:9', IDP_TOKEN: 't', IDP_PRODUCT_ID: '1' },
	};
	const caudal = (...args: readonly string[]) => spawn(join(prefix, 'bin', 'caudal'), args, { cwd: directory, env: environment });
	const outputOf = async (...args: readonly string[]) => {
		const child = caudal(...args);
		let output = '';
		for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
		const [code] = await once(child, 'close');
		return { code, output };
	};
	beforeAll(async () => {
		const program = runProgram('infra/tools/package/package.ts', [release], { PATH: environment.PATH });
		expect(await program.ended, program.output()).toBe(0);
		execFileSync('npm', ['install', '-g', '--offline', '--prefix', prefix, join(release, file)], {
			env: { PATH: environment.PATH, HOME: directory },
			stdio: 'pipe',
		});
	}, 120_000);
	afterAll(() => rmSync(directory, { recursive: true, force: true }));

	test('is small, and comes with checksums and a list of what is in it', () => {
		expect(readdirSync(release).sort()).toEqual(['SHA256SUMS', sbom, file].sort());
		expect(statSync(join(release, file)).size).toBeLessThan(15_000_000);
		const sums = [file, sbom].map((name) => {
			const sum = createHash('sha256')
				.update(readFileSync(join(release, name)))
				.digest('hex');
			return `${sum}  ${name}\n`;
		});
		expect(readFileSync(join(release, 'SHA256SUMS'), 'utf8')).toBe(sums.join(''));
		const text = readFileSync(join(release, sbom), 'utf8');
		expect(schemaFaults(text)).toEqual([]);
		const names = packagesByPart(text)['service']?.map((each) => each.replace(/@[^@]+$/, ''));
		for (const name of ['valibot', 'jose', 'commander', 'prom-client', 'preact', 'swagger-ui-dist'])
			expect(names).toContain(name);
		for (const name of ['vitest', 'typescript', 'aws-cdk-lib', 'esbuild']) expect(names).not.toContain(name);
	});

	test('installs no other package, but what systemd and proxies need', () => {
		const files = ['Caddyfile', 'caudal-backup.service', 'caudal-backup.timer', 'caudal.env', 'caudal.service', 'nginx.conf'];
		expect(readdirSync(join(prefix, 'lib', 'node_modules', 'caudal', 'install')).sort()).toEqual(files);
		expect(readdirSync(join(prefix, 'lib', 'node_modules'))).toEqual(['caudal']);
		expect(readdirSync(join(prefix, 'lib', 'node_modules', 'caudal'))).not.toContain('node_modules');
	});

	test('names no command that only a clone has', () => {
		const app = join(prefix, 'lib', 'node_modules', 'caudal', 'dist', 'app');
		const code = readdirSync(app, { encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
		expect(code).toContain('caudal.js');
		const commands = /npm run (user|account|grant|schema|plant|samples|replay|backup|restore)\b[^`'"]*/g;
		expect(code.flatMap((name) => readFileSync(join(app, name), 'utf8').match(commands) ?? [])).toEqual([]);
	});

	test('serves the API, the console and the write API, and is backed up and restored', async () => {
		const child = caudal('serve');
		let output = '';
		for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
		await vi.waitFor(() => expect(output).toMatch(/messages about alarms/), { timeout: 20_000, interval: 20 });
		const baseUrl = /running on (http:\S+),/.exec(output)?.[1] ?? '';
		const get = async (path: string) => (await fetch(`${baseUrl}${path}`)).text();
		expect(JSON.parse(await get('/health'))).toMatchObject({ version: manifest.version });
		expect(JSON.parse(await get('/ready'))).toEqual({ status: 'ready', failed: [] });
		const page = await get('/console');
		const [, script = ''] = /modulepreload" href="([^"]+\.js)"/.exec(page) ?? [];
		expect((await get(`/${script}`)).length).toBeGreaterThan(10_000);
		expect(await get('/docs')).toContain('<div id="api">');
		expect(JSON.parse(await get('/openapi.json'))).toMatchObject({ info: { version: manifest.version } });
		const authorization = `Token ${readFileSync(join(STATE_DIR, 'write-token'), 'utf8').trim()}`;
		const send = (path: string, body: string) => fetch(`${baseUrl}${path}`, { method: 'POST', headers: { authorization }, body });
		expect((await send('/api/v2/buckets', '{"name": "well_field"}')).status).toBe(201);
		expect((await send('/api/v2/write?bucket=well_field', 'well level=4.2')).status).toBe(204);
		const made = await outputOf('backup', join(directory, 'backups'));
		expect(made).toMatchObject({ code: 0, output: expect.stringMatching(/^made /) });
		child.kill('SIGTERM');
		expect((await once(child, 'close'))[0]).toBe(0);
		const [name = ''] = readdirSync(join(directory, 'backups'));
		const [line] = (await outputOf('samples', 'export', '--database', 'well_field')).output.split('\n');
		expect(line).toMatch(/^well level=4\.2 \d{19}$/);
		expect(await outputOf('restore', join(directory, 'backups', name))).toMatchObject({ code: 0 });
	});

	test('has the tools of operators', async () => {
		expect(await outputOf('--version')).toEqual({ code: 0, output: `${manifest.version}\n` });
		expect(await outputOf('nothing')).toMatchObject({ code: 1, output: expect.stringMatching(/^Usage: caudal COMMAND/) });
		expect(await outputOf('user', 'list')).toEqual({ code: 0, output: '0 users\n' });
		for (const tool of ['grant', 'schema', 'plant', 'replay', 'samples'])
			expect(await outputOf(tool, '--help')).toMatchObject({
				code: 0,
				output: expect.stringMatching(new RegExp(`^Usage: ${tool}`)),
			});
		const schema = await outputOf('plant', 'file-schema');
		expect(JSON.parse(schema.output)).toMatchObject({ type: 'object' });
	});
});
