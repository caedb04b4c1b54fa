import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { nonEmpty, readConfig } from '#shared/config.ts';
import { cacheFolder } from './cache-folder.ts';

/** The version that the integration tests run on. */
export const influxdVersion = '2.7.12';

/**
 * The newest version that can be built, on which the contract suite runs as well. Of 2.10.0 the Go module proxy serves no sources of
 * its Flux (v0.201.0, status 403).
 */
export const newestInfluxdVersion = '2.9.1';

/** The versions of influxd that can be built. */
export type InfluxdVersion = typeof influxdVersion | typeof newestInfluxdVersion;

/** Finds the Rust part of Flux for the Go build. Each influxd requires a version of it. */
const pkgConfig = 'github.com/influxdata/pkg-config';
const buildMs = 1_800_000;
const execute = promisify(execFile);

const environmentSchema = v.object({
	RUSTUP_TOOLCHAIN: v.optional(nonEmpty),
	PATH: v.optional(v.string(), ''),
});
const moduleSchema = v.pipe(v.string(), v.parseJson(), v.object({ Dir: nonEmpty }));

/**
 * The Rust compiler with warnings that are not errors: Flux forbids warnings, and later versions of Rust have more of them. A wrapper
 * applies to build scripts as well; RUSTFLAGS do not, because Flux builds with `--target`.
 */
const rustcWrapper = '#!/bin/sh\nexec "$@" --cap-lints warn\n';

/**
 * Returns the path of an influxd. The first call builds it from its sources with Go and Rust, which takes some minutes. The file appears
 * only when it is complete.
 * @throws Error when influxd cannot be built
 */
export async function buildInfluxd(version: InfluxdVersion): Promise<string> {
	const folder = cacheFolder(`influxd-${version}`);
	const binary = join(folder, 'influxd');
	if (existsSync(binary)) return binary;
	mkdirSync(join(folder, '..'), { recursive: true });
	const temporary = mkdtempSync(`${folder}-`);
	try {
		console.error(`Building influxd ${version} into ${folder}. This takes some minutes, once.`);
		await build(version, temporary);
		mkdirSync(folder, { recursive: true });
		renameSync(join(temporary, 'influxd'), binary);
		return binary;
	} finally {
		rmSync(temporary, { recursive: true, force: true });
	}
}

async function build(version: InfluxdVersion, folder: string): Promise<void> {
	const work = mkdtempSync(join(folder, 'work-'));
	writeFileSync(join(work, 'go.mod'), 'module test\n\ngo 1.22\n');
	const tools = join(work, 'bin');
	mkdirSync(tools);
	const wrapper = join(tools, 'rustc-wrapper');
	writeFileSync(wrapper, rustcWrapper);
	chmodSync(wrapper, 0o755);
	const module = `github.com/influxdata/influxdb/v2@v${version}`;
	const { stdout } = await execute('go', ['mod', 'download', '-json', module], { cwd: work, timeout: buildMs });
	const sources = v.parse(moduleSchema, stdout).Dir;
	const toolchain = await installedToolchain();
	const environment = {
		...readConfig(v.record(v.string(), v.string())),
		PATH: `${tools}${delimiter}${readConfig(environmentSchema).PATH}`,
		RUSTC_WRAPPER: wrapper,
		GOFLAGS: '-buildvcs=false -mod=readonly',
		...(toolchain === undefined ? {} : { RUSTUP_TOOLCHAIN: toolchain }),
	};
	const run = (output: string, target: string) =>
		execute('nice', ['-n', '10', 'go', 'build', '-o', output, target], {
			cwd: sources,
			env: environment,
			timeout: buildMs,
			maxBuffer: 100_000_000,
		});
	await run(join(tools, 'pkg-config'), pkgConfig);
	await run(join(folder, 'influxd'), './cmd/influxd');
	rmSync(work, { recursive: true, force: true });
}

/**
 * Returns the installed version of Rust, which builds Flux instead of the version that Flux asks rustup for. Undefined when Rust was
 * not installed by rustup.
 */
async function installedToolchain(): Promise<string | undefined> {
	const configured = readConfig(environmentSchema).RUSTUP_TOOLCHAIN;
	if (configured !== undefined) return configured;
	try {
		const { stdout } = await execute('rustup', ['show', 'active-toolchain'], { cwd: homedir() });
		return stdout.split(' ')[0];
	} catch {
		return undefined;
	}
}
