import { spawn } from 'node:child_process';

/**
 * Runs the program that its arguments name until that ends by itself or this one's standard input closes: the program never
 * outlives who started it, however that one ended.
 */
const [command = '', ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
const stop = (): void => {
	child.kill('SIGKILL');
};
process.stdin.resume();
process.stdin.once('close', stop);
// A terminal's Ctrl-C reaches everyone at once; who started this decides.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.once('SIGTERM', stop);
child.once('error', (error) => {
	console.error(error.message);
	process.exit(1);
});
child.once('exit', (code) => process.exit(code ?? 0));
