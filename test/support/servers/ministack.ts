import { execFile } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { messageOf } from '#domain/errors.ts';
import { readConfig } from '#shared/config.ts';
import { freePort, startManagedServer } from './managed-server.ts';
import { installPython } from './python-packages.ts';

/** MiniStack emulates AWS. It checks the signatures of tokens with cryptography. */
const packages = ['ministack==1.5.33', 'cryptography==50.0.2'] as const;
const linter = 'cfn-lint==1.53.0';
const lintMs = 300_000;
const startMs = 60_000;
const maxMessageLength = 2000;
const execute = promisify(execFile);

const environmentSchema = v.object({ PATH: v.optional(v.string(), '') });

/** A running AWS emulator. */
export interface MiniStack {
	readonly endpoint: string;
	stop(): Promise<void>;
}

/**
 * Starts MiniStack on a free port of this machine. It stops with `stop`, or when this process ends.
 *
 * @returns the emulator, or in `unavailable` the reason why this machine cannot install it
 * @throws Error when MiniStack is installed but does not start
 */
export async function startMiniStack(): Promise<MiniStack | { readonly unavailable: string }> {
	if (!(await resolvesLocalhostNames()))
		return { unavailable: 'this machine does not resolve probe.execute-api.localhost (on Debian, libnss-myhostname does)' };
	let python: string;
	try {
		python = await installPython('ministack-1.5.33', packages);
	} catch (error) {
		return { unavailable: `MiniStack could not be installed from PyPI: ${shorten(error)}` };
	}
	return start(python);
}

/**
 * Checks templates with cfn-lint.
 *
 * @returns the findings as text, empty when there are none
 * @throws Error when cfn-lint could not be installed from PyPI
 */
export async function lintTemplates(files: readonly string[], cwd: string): Promise<string> {
	const python = await installPython('cfn-lint-1.53.0', [linter]);
	try {
		return (await execute(python, [join(dirname(python), 'cfn-lint'), '--', ...files], { cwd, timeout: lintMs })).stdout;
	} catch (error) {
		// cfn-lint exits with a code other than 0 when it has findings.
		return v.parse(v.object({ stdout: v.string(), stderr: v.string() }), error).stdout || shorten(error);
	}
}

/** The emulator gives its APIs names below localhost. */
async function resolvesLocalhostNames(): Promise<boolean> {
	try {
		await lookup('probe.execute-api.localhost');
		return true;
	} catch {
		return false;
	}
}

async function start(python: string): Promise<MiniStack> {
	const port = await freePort();
	const endpoint = `http://localhost:${port}`;
	const stop = await startManagedServer({
		name: 'MiniStack',
		command: python,
		args: ['-m', 'ministack'],
		environment: {
			GATEWAY_PORT: String(port),
			BIND_HOST: '127.0.0.1',
			// The emulator then checks requests against the policies of the functions' roles.
			AUTH: 'true',
			// The emulator runs functions as processes of this machine, with the first node on the PATH.
			PATH: `${dirname(process.execPath)}${delimiter}${readConfig(environmentSchema).PATH}`,
		},
		isReady: async () => (await fetch(`${endpoint}/_ministack/health`, { signal: AbortSignal.timeout(1000) })).ok,
		startMs,
	});
	return { endpoint, stop };
}

function shorten(error: unknown): string {
	return messageOf(error).trim().slice(0, maxMessageLength);
}
