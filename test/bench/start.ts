import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '#test/support/process.ts';
import { type BenchRow, median, sizeOf } from './row.ts';

const budgetMs = 2500;
const runs = sizeOf(3, 1);

/** Measures the first start on an empty state, until the first response. It writes the last hour of the demo plant before it answers. */
export async function benchStart(): Promise<readonly BenchRow[]> {
	const times: number[] = [];
	for (let index = 0; index < runs; index += 1) times.push(await firstResponseMs());
	const ms = median(times);
	return [
		{
			name: 'first start to first answer',
			baseline: '–',
			measured: `${Math.round(ms)} ms (${Math.round(Math.min(...times))} to ${Math.round(Math.max(...times))})`,
			ratio: null,
			budget: `${budgetMs} ms`,
			met: ms <= budgetMs,
		},
	];
}

async function firstResponseMs(): Promise<number> {
	const directory = mkdtempSync(join(tmpdir(), 'caudal-bench-'));
	// Any port of a range that few programs use.
	const port = String(20_000 + Math.floor(Math.random() * 20_000));
	const startedAt = performance.now();
	const program = runProgram('infra/local/start.ts', [], { PORT: port, STATE_DIR: join(directory, 'state') });
	let ended: number | string | undefined;
	void program.ended.then((code) => {
		ended = code;
	});
	try {
		for (;;) {
			if (ended !== undefined) throw new Error(`The service ended with ${ended}: ${program.output()}`);
			const response = await fetch(`http://127.0.0.1:${port}/health`).catch(() => null);
			if (response?.ok === true) return performance.now() - startedAt;
			await new Promise((resolve) => setTimeout(resolve, 5));
		}
	} finally {
		program.child.kill('SIGTERM');
		await program.ended;
		rmSync(directory, { recursive: true, force: true });
	}
}
