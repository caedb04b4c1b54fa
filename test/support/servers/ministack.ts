import { execFile } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { readConfig } from '#shared/config.ts';
import { cacheFolder } from './cache-folder.ts';
import { freePort, keepServer } from './managed-server.ts';

/** The emulator of AWS that proofs run on, and what it checks signatures of tokens with. */
const packages = ['ministack==1.5.33', 'cryptography==50.0.2'] as const;
/** What templates are checked with. */
const linter = 'cfn-lint==1.53.0';
const installMs = 300_000;
const startMs = 60_000;
const execute = promisify(execFile);

/** An emulator of AWS, running. */
export interface MiniStack {
	readonly endpoint: string;
	stop(): Promise<void>;
}

const environmentSchema = v.object({ PATH: v.optional(v.string(), '') });

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message.trim().slice(0, 2000) : String(error));

/**
 * The Python of an environment with packages from PyPI, made the first time. Whole or not there at all. Rejects where it cannot be
 * had.
 */
const pythonWith = async (name: string, wanted: readonly string[]): Promise<string> => {
	const folder = cacheFolder(name);
	const python = join(folder, 'bin', 'python');
	if (existsSync(folder)) return python;
	mkdirSync(dirname(folder), { recursive: true });
	const fresh = mkdtempSync(`${folder}-`);
	try {
		await execute('python3', ['-m', 'venv', fresh], { timeout: installMs });
		const pip = ['-m', 'pip', 'install', '-q', '--disable-pip-version-check', ...wanted];
		await execute(join(fresh, 'bin', 'python'), pip, { timeout: installMs });
		// Another run may have been faster; either copy does.
		if (!existsSync(folder)) renameSync(fresh, folder);
		return python;
	} finally {
		rmSync(fresh, { recursive: true, force: true });
	}
};

/** Whether names below localhost, which the emulator gives its APIs, are found on this machine. */
const findsNames = async (): Promise<boolean> => {
	try {
		await lookup('probe.execute-api.localhost');
		return true;
	} catch {
		return false;
	}
};

const start = async (python: string): Promise<MiniStack> => {
	const port = await freePort();
	const endpoint = `http://localhost:${port}`;
	const stop = await keepServer({
		name: 'MiniStack',
		command: python,
		args: ['-m', 'ministack'],
		environment: {
			GATEWAY_PORT: String(port),
			BIND_HOST: '127.0.0.1',
			// Requests need what policies grant, and functions have their roles.
			AUTH: 'true',
			// Functions run as processes of the machine, on the runtime that Lambda has.
			PATH: `${dirname(process.execPath)}${delimiter}${readConfig(environmentSchema).PATH}`,
		},
		answers: async () => (await fetch(`${endpoint}/_ministack/health`, { signal: AbortSignal.timeout(1000) })).ok,
		startMs,
	});
	return { endpoint, stop };
};

/**
 * Starts MiniStack on a free port of this machine; it ends with `stop`, or with this process at the latest. `unavailable` says why
 * where it cannot be had. Rejects where it is there and does not start.
 */
export const startMiniStack = async (): Promise<MiniStack | { readonly unavailable: string }> => {
	if (!(await findsNames()))
		return { unavailable: 'names such as probe.execute-api.localhost are not found (Debian has libnss-myhostname for it)' };
	let python: string;
	try {
		python = await pythonWith('ministack-1.5.33', packages);
	} catch (error) {
		return { unavailable: `MiniStack cannot be had from PyPI: ${reasonOf(error)}` };
	}
	return start(python);
};

/** What cfn-lint says of templates: nothing where there is nothing to say. Rejects where it cannot be had from PyPI. */
export const lintTemplates = async (files: readonly string[], cwd: string): Promise<string> => {
	const python = await pythonWith('cfn-lint-1.53.0', [linter]);
	try {
		return (await execute(python, [join(dirname(python), 'cfn-lint'), '--', ...files], { cwd, timeout: installMs })).stdout;
	} catch (error) {
		// It ends with the sum of what it found.
		return v.parse(v.object({ stdout: v.string(), stderr: v.string() }), error).stdout || reasonOf(error);
	}
};
