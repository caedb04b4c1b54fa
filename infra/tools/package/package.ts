import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import * as v from 'valibot';
import { coloursFor } from '#infra/cli/colours.ts';
import { filledText } from '#infra/cli/options.ts';
import { print } from '#infra/cli/print.ts';
import { runTool } from '#infra/cli/run-tool.ts';
import { sbomText } from '#infra/sbom/sbom.ts';
import { writeService } from './write-service.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const manifestSchema = v.pipe(
	v.string(),
	v.parseJson(),
	v.object({ name: v.string(), version: v.string(), description: v.string(), license: v.string() }),
);

const packedSchema = v.pipe(v.string(), v.parseJson(), v.tupleWithRest([v.object({ filename: v.string() })], v.unknown()));

/** `npm run package -- DIR`: builds the release of the service on one machine (infra/local/PRODUCTION.md#1-install). */
const program = new Command('package')
	.description(
		'Builds the file that npm install -g installs, with the console and without other packages, its SBOM and their checksums.',
	)
	.argument('[dir]', 'where the files are written', filledText, 'dist')
	.action(async (directory: string) => {
		mkdirSync(directory, { recursive: true });
		const stage = mkdtempSync(join(tmpdir(), 'caudal-package-'));
		try {
			const packages = await writeService(join(stage, 'dist', 'app'));
			const { name, version, description, license } = v.parse(manifestSchema, readFileSync(join(root, 'package.json'), 'utf8'));
			const bin = { caudal: 'dist/app/caudal.js' };
			const manifest = { name, version, description, license, type: 'module', bin, engines: { node: '>=24' } };
			writeFileSync(join(stage, 'package.json'), JSON.stringify(manifest, null, '\t'));
			for (const file of ['LICENSE', 'CHANGELOG.md', 'cdk.json']) copyFileSync(join(root, file), join(stage, file));
			copyFileSync(join(root, 'infra/local/PRODUCTION.md'), join(stage, 'README.md'));
			copyFileSync(join(root, 'infra/local/OPERATING.md'), join(stage, 'OPERATING.md'));
			cpSync(join(root, 'infra/local/install'), join(stage, 'install'), { recursive: true });
			const packed = execFileSync('npm', ['pack', stage, '--json', '--pack-destination', directory], { encoding: 'utf8' });
			const [{ filename }] = v.parse(packedSchema, packed);
			const sbomName = `${name}-${version}.cdx.json`;
			writeFileSync(join(directory, sbomName), sbomText(new Map([['service', packages]])));
			const files = [filename, sbomName];
			const sums = files.map(
				(file) =>
					`${createHash('sha256')
						.update(readFileSync(join(directory, file)))
						.digest('hex')}  ${file}\n`,
			);
			writeFileSync(join(directory, 'SHA256SUMS'), sums.join(''));
			for (const file of [...files, 'SHA256SUMS']) print(`${coloursFor(process.stdout).green('wrote')} ${join(directory, file)}`);
		} finally {
			rmSync(stage, { recursive: true });
		}
	});

await runTool(program);
