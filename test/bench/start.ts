import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '#test/support/process.ts';
import { type BenchRow, median } from './row.ts';

const budgetMs = 5000;
const runs = 5;

/** Milliseconds from starting the service on an empty state, demo plant included, to its first answered request. */
const firstAnswerMs = async (): Promise<number> => {
	const directory = mkdtempSync(join(tmpdir(), 'caudal-bench-'));
	const port = String(20_000 + Math.floor(Math.random() * 20_000));
	const startedAt = performance.now();
	const program = run('infra/local/start.ts', [], { PORT: port, STATE_DIR: join(directory, 'state') });
	try {
		for (;;) {
			const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => null);
			if (answer?.ok === true) return performance.now() - startedAt;
			await new Promise((resolve) => setTimeout(resolve, 5));
		}
	} finally {
		program.child.kill('SIGTERM');
		await program.ended;
		rmSync(directory, { recursive: true, force: true });
	}
};

/** From start to the first answered request: the first start, which fills the demo plant's last 24 hours. */
export const benchStart = async (): Promise<readonly BenchRow[]> => {
	const times: number[] = [];
	for (let index = 0; index < runs; index += 1) times.push(await firstAnswerMs());
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
};
