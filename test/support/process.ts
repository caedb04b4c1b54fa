import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { compileCache } from './compile-cache.ts';
import { timeEnvironment } from './test-time.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A running program of the project. */
export interface Program {
	readonly child: ChildProcess;
	/** Returns everything printed so far, on both streams. */
	readonly output: () => string;
	/** Returns what was printed on standard output. */
	readonly printed: () => string;
	/** Resolves with the exit code or the name of the signal. */
	readonly ended: Promise<number | string>;
}

/** Runs a TypeScript file as its npm script does. The program gets the given environment, not that of this process. */
export const runProgram = (
	file: string,
	args: readonly string[] = [],
	environment: Readonly<Record<string, string>> = {},
): Program => {
	const child = spawn(process.execPath, ['--disable-warning=DEP0169', file, ...args], {
		cwd: root,
		env: { NO_COLOR: '1', ...compileCache, ...timeEnvironment(), ...environment },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let [text, printed] = ['', ''];
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
	child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
	const ended = once(child, 'close').then(([code, signal]: (number | string | null)[]) => code ?? signal ?? 'unknown');
	return { child, output: () => text, printed: () => printed, ended };
};

/** Waits until a program has printed `pattern`. Rejects when the program ends first. */
export const waitForOutput = async (program: Program, pattern: RegExp): Promise<RegExpExecArray> => {
	for (;;) {
		const match = pattern.exec(program.output());
		if (match !== null) return match;
		const ended = await Promise.race([
			program.ended,
			new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 20)),
		]);
		if (ended !== undefined && pattern.exec(program.output()) === null)
			throw new Error(`Ended with ${ended} before printing ${pattern}:\n${program.output()}`);
	}
};

/** Starts the service as `npm start` does, on a free port. Resolves when it has printed its address. */
export const startProgram = async (environment: Readonly<Record<string, string>> = {}) => {
	const program = runProgram('infra/local/start.ts', [], { PORT: '0', ...environment });
	const [, baseUrl = ''] = await waitForOutput(program, /running on (http:\S+)[\s\S]*Stop with/);
	return { program, baseUrl };
};
