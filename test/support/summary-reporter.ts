import type { Reporter, TestModule } from 'vitest/node';

/** Prints the tests that passed only when they were tried again, and, as the last line of a run, `N passed, N failed, N skipped`. */
export class SummaryReporter implements Reporter {
	onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
		const triedAgain: string[] = [];
		const count = { passed: 0, failed: errors.length, skipped: 0 };
		for (const module of modules) {
			// A file that cannot be loaded has no tests, so its errors count as one failure.
			if (module.errors().length > 0) count.failed += 1;
			for (const test of module.children.allTests()) {
				const { state } = test.result();
				if (state === 'passed' || state === 'failed' || state === 'skipped') count[state] += 1;
				else count.failed += 1;
				if (test.diagnostic()?.flaky === true) triedAgain.push(`tried again: ${module.relativeModuleId} > ${test.fullName}\n`);
			}
		}
		const line = `${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`;
		process.once('exit', () => process.stdout.write(`${triedAgain.join('')}${line}\n`));
	}
}
