import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { readConfig } from '#shared/config.ts';

const pauseMs = 100;

/** A port of this machine that nothing listens on. */
export const freePort = (): Promise<number> =>
	new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', reject);
		server.listen(0, '127.0.0.1', () => {
			const address = server.address();
			server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0));
		});
	});

/** A server to run for the proofs. */
export interface ServerToKeep {
	/** What messages call it. */
	readonly name: string;
	readonly command: string;
	readonly args: readonly string[];
	/** Environment variables beside those of this process. */
	readonly environment?: Readonly<Record<string, string>>;
	/** Whether it answers yet; a rejection is no answer. */
	readonly answers: () => Promise<boolean>;
	/** How long it may take to answer. */
	readonly startMs: number;
}

/**
 * Runs a server under a keeper, which ends it with this process at the latest. Resolves, once it answers, with what stops it.
 * Rejects with what it printed where it ends or does not answer in time.
 */
export const keepServer = async ({
	name,
	command,
	args,
	environment,
	answers,
	startMs,
}: ServerToKeep): Promise<() => Promise<void>> => {
	const keeper = fileURLToPath(new URL('./supervise.ts', import.meta.url));
	const child = spawn(process.execPath, [keeper, command, ...args], {
		stdio: ['pipe', 'pipe', 'pipe'],
		env: { ...readConfig(v.record(v.string(), v.string())), ...environment },
	});
	let printed = '';
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
	let ended = false;
	const end = new Promise<void>((resolve) => child.once('close', () => resolve())).then(() => {
		ended = true;
	});
	const stop = async (): Promise<void> => {
		child.stdin.end();
		await end;
	};
	const deadline = Date.now() + startMs;
	while (!(await answers().catch(() => false))) {
		if (ended) throw new Error(`${name} ended:\n${printed}`);
		if (Date.now() > deadline) {
			await stop();
			throw new Error(`${name} did not answer within ${startMs} ms:\n${printed}`);
		}
		await new Promise((resolve) => setTimeout(resolve, pauseMs));
	}
	return stop;
};
