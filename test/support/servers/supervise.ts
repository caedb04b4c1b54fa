import { spawn } from 'node:child_process';

/**
 * Runs the program in its arguments until that program ends or this process's standard input closes. Standard input closes when
 * the parent process ends, however it ends, so the program never outlives it.
 */
const [command = '', ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
const kill = (): void => {
	child.kill('SIGKILL');
};
process.stdin.resume();
process.stdin.once('close', kill);
// A terminal sends Ctrl-C to all processes of the group. Only the parent process stops this one.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.once('SIGTERM', kill);
child.once('error', (error) => {
	console.error(error.message);
	process.exit(1);
});
child.once('exit', (code) => process.exit(code ?? 0));
