import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { nonEmpty, readConfig } from '#shared/config.ts';
import { cacheFolder } from './cache-folder.ts';

/** The version that proofs run on. */
export const influxdVersion = '2.7.12';
const server = `github.com/influxdata/influxdb/v2@v${influxdVersion}`;
/** Finds the Rust part of Flux for the Go build, as influxd's own build has it. */
const pkgConfig = 'github.com/influxdata/pkg-config@v0.2.7';
const buildMs = 1_800_000;
const execute = promisify(execFile);

const environmentSchema = v.object({
	RUSTUP_TOOLCHAIN: v.optional(nonEmpty),
	PATH: v.optional(v.string(), ''),
});
const moduleSchema = v.pipe(v.string(), v.parseJson(), v.object({ Dir: nonEmpty }));

/** Flux forbids warnings, of which later versions of Rust have more. `--target` keeps RUSTFLAGS from build scripts: a wrapper does not. */
const rustcWrapper = '#!/bin/sh\nexec "$@" --cap-lints warn\n';

/** Flux asks for a version of Rust by rustup's file; what is installed does. Undefined where Rust does not come from rustup. */
const toolchain = async (): Promise<string | undefined> => {
	const given = readConfig(environmentSchema).RUSTUP_TOOLCHAIN;
	if (given !== undefined) return given;
	try {
		const { stdout } = await execute('rustup', ['show', 'active-toolchain'], { cwd: homedir() });
		return stdout.split(' ')[0];
	} catch {
		return undefined;
	}
};

const build = async (fresh: string): Promise<void> => {
	const work = mkdtempSync(join(fresh, 'work-'));
	writeFileSync(join(work, 'go.mod'), 'module proof\n\ngo 1.22\n');
	const tools = join(work, 'bin');
	mkdirSync(tools);
	const wrapper = join(tools, 'rustc-wrapper');
	writeFileSync(wrapper, rustcWrapper);
	chmodSync(wrapper, 0o755);
	const sources = async (module: string): Promise<string> => {
		const { stdout } = await execute('go', ['mod', 'download', '-json', module], { cwd: work, timeout: buildMs });
		return v.parse(moduleSchema, stdout).Dir;
	};
	const rust = await toolchain();
	const environment = {
		...readConfig(v.record(v.string(), v.string())),
		PATH: `${tools}${delimiter}${readConfig(environmentSchema).PATH}`,
		RUSTC_WRAPPER: wrapper,
		GOFLAGS: '-buildvcs=false -mod=readonly',
		...(rust === undefined ? {} : { RUSTUP_TOOLCHAIN: rust }),
	};
	const run = (cwd: string, output: string, target: string) =>
		execute('nice', ['-n', '10', 'go', 'build', '-o', output, target], {
			cwd,
			env: environment,
			timeout: buildMs,
			maxBuffer: 100_000_000,
		});
	await run(await sources(pkgConfig), join(tools, 'pkg-config'), '.');
	await run(await sources(server), join(fresh, 'influxd'), './cmd/influxd');
	rmSync(work, { recursive: true, force: true });
};

/**
 * The path of influxd, built from its sources with Go and Rust the first time, some minutes. Whole or not there at all.
 * Rejects where it cannot be built.
 */
export const builtInfluxd = async (): Promise<string> => {
	const folder = cacheFolder(`influxd-${influxdVersion}`);
	const binary = join(folder, 'influxd');
	if (existsSync(binary)) return binary;
	mkdirSync(join(folder, '..'), { recursive: true });
	const fresh = mkdtempSync(`${folder}-`);
	try {
		console.error(`Building influxd ${influxdVersion} into ${folder}: some minutes, once.`);
		await build(fresh);
		mkdirSync(folder, { recursive: true });
		renameSync(join(fresh, 'influxd'), binary);
		return binary;
	} finally {
		rmSync(fresh, { recursive: true, force: true });
	}
};
