import type { Reporter, TestModule } from 'vitest/node';

/** Prints the counts of a run as its last line: `N passed, N failed, N skipped`. */
export class SummaryReporter implements Reporter {
	onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
		const count = { passed: 0, failed: errors.length, skipped: 0 };
		for (const module of modules) {
			// A file that cannot be loaded has no tests, so its errors count as one failure.
			if (module.errors().length > 0) count.failed += 1;
			for (const test of module.children.allTests()) {
				const { state } = test.result();
				if (state === 'passed' || state === 'failed' || state === 'skipped') count[state] += 1;
				else count.failed += 1;
			}
		}
		const line = `${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`;
		process.once('exit', () => process.stdout.write(`${line}\n`));
	}
}
