import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A program of the project, run as its npm script runs it. */
export interface Program {
	readonly child: ChildProcess;
	/** Everything printed so far, on both streams. */
	readonly printed: () => string;
	/** Resolves with the exit code, or the signal's name. */
	readonly ended: Promise<number | string>;
}

/** Runs a TypeScript file of the project with its arguments. Settings not given are the defaults, whatever this process has. */
export const run = (file: string, args: readonly string[] = [], environment: Readonly<Record<string, string>> = {}): Program => {
	const child = spawn(process.execPath, ['--disable-warning=DEP0169', file, ...args], {
		cwd: root,
		env: { NO_COLOR: '1', ...environment },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let text = '';
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
	const ended = once(child, 'close').then(([code, signal]: (number | string | null)[]) => code ?? signal ?? 'unknown');
	return { child, printed: () => text, ended };
};

/** Waits until a program has printed `pattern`; rejects when it ends first. */
export const printed = async (program: Program, pattern: RegExp): Promise<RegExpExecArray> => {
	for (;;) {
		const match = pattern.exec(program.printed());
		if (match !== null) return match;
		const ended = await Promise.race([
			program.ended,
			new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 20)),
		]);
		if (ended !== undefined && pattern.exec(program.printed()) === null)
			throw new Error(`Ended with ${ended} before printing ${pattern}:\n${program.printed()}`);
	}
};

/** Starts the service as `npm start` does, on a free port; resolves once it says where it is. */
export const startProgram = async (environment: Readonly<Record<string, string>> = {}) => {
	const program = run('infra/local/start.ts', [], { PORT: '0', ...environment });
	const [, baseUrl = ''] = await printed(program, /running on (http:\S+)[\s\S]*Stop with/);
	return { program, baseUrl };
};
