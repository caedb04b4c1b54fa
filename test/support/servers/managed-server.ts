import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { readConfig } from '#shared/config.ts';

/** A server program for the integration tests. */
export interface ManagedServerOptions {
	/** Its name in error messages. */
	readonly name: string;
	readonly command: string;
	readonly args: readonly string[];
	/** Environment variables to add to those of this process. */
	readonly environment?: Readonly<Record<string, string>>;
	/** Resolves to true once the server answers requests. A rejection counts as false. */
	readonly isReady: () => Promise<boolean>;
	/** The longest time until the server is ready. */
	readonly startMs: number;
}

const pollMs = 100;

/**
 * Starts a server under supervise.ts, which kills it when this process ends. Resolves once the server is ready.
 *
 * @returns a function that stops the server
 * @throws Error with the server's output when it ends or is not ready in time
 */
export async function startManagedServer(options: ManagedServerOptions): Promise<() => Promise<void>> {
	const { name, command, args, environment, isReady, startMs } = options;
	const supervisor = fileURLToPath(new URL('./supervise.ts', import.meta.url));
	const child = spawn(process.execPath, [supervisor, command, ...args], {
		stdio: ['pipe', 'pipe', 'pipe'],
		env: { ...readConfig(v.record(v.string(), v.string())), ...environment },
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
	let ended = false;
	const end = new Promise<void>((resolve) => child.once('close', () => resolve())).then(() => {
		ended = true;
	});
	const stop = async (): Promise<void> => {
		child.stdin.end();
		await end;
	};
	const deadline = Date.now() + startMs;
	while (!(await isReady().catch(() => false))) {
		if (ended) throw new Error(`${name} ended:\n${output}`);
		if (Date.now() > deadline) {
			await stop();
			throw new Error(`${name} did not answer within ${startMs} ms:\n${output}`);
		}
		await new Promise((resolve) => setTimeout(resolve, pollMs));
	}
	return stop;
}

/** Resolves to a TCP port of this machine on which nothing listens. */
export function freePort(): Promise<number> {
	return new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', reject);
		server.listen(0, '127.0.0.1', () => {
			const address = server.address();
			server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0));
		});
	});
}
