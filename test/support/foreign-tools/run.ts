import { execFile } from 'node:child_process';
import * as v from 'valibot';
import { readConfig } from '#shared/config.ts';

/** What a program printed, and whether it ended with code 0. */
export interface ProgramResult {
	readonly ok: boolean;
	/** Its output, then its errors. */
	readonly output: string;
}

/** A program to run. */
export interface ProgramOptions {
	readonly cwd: string;
	readonly environment?: Readonly<Record<string, string>>;
	readonly timeoutMs?: number;
}

/** Runs a program to its end. A program that fails is a result, too. */
export const run = (
	command: string,
	args: readonly string[],
	{ cwd, environment = {}, timeoutMs = 300_000 }: ProgramOptions,
): Promise<ProgramResult> =>
	new Promise((resolve) => {
		const env = { ...readConfig(v.record(v.string(), v.string())), ...environment };
		execFile(command, args, { cwd, env, timeout: timeoutMs, maxBuffer: 100_000_000 }, (error, stdout, stderr) =>
			resolve({ ok: error === null, output: `${stdout}${stderr}${error?.killed ? '\nIt was ended: it took too long.' : ''}` }),
		);
	});

/**
 * Runs a program to its end and returns what it printed.
 * @throws Error with its output when it fails
 */
export const runOrFail = async (command: string, args: readonly string[], options: ProgramOptions): Promise<string> => {
	const { ok, output } = await run(command, args, options);
	if (!ok) throw new Error(`${command} ${args.join(' ')} failed:\n${output}`);
	return output;
};
