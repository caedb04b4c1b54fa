import type { Reporter, TestModule } from 'vitest/node';

/**
 * Prints each test that failed, and each that passed only when it was tried again, with its errors, and, as the last line of a run,
 * `N passed, N failed, N skipped`.
 */
export class SummaryReporter implements Reporter {
	onTestRunEnd(modules: readonly TestModule[], errors: readonly { message: string }[]): void {
		const told = errors.map((error) => failure('outside of a test', [error]));
		const count = { passed: 0, failed: errors.length, skipped: 0 };
		for (const module of modules) {
			// A file that cannot be loaded has no tests, so its errors count as one failure.
			if (module.errors().length > 0) {
				count.failed += 1;
				told.push(failure(module.relativeModuleId, module.errors()));
			}
			for (const test of module.children.allTests()) {
				const name = `${module.relativeModuleId} > ${test.fullName}`;
				const result = test.result();
				if (result.state === 'passed' || result.state === 'skipped') count[result.state] += 1;
				else {
					count.failed += 1;
					told.push(failure(name, result.state === 'failed' ? result.errors : [{ message: 'did not end' }]));
				}
				// The errors of the tries that failed.
				if (test.diagnostic()?.flaky === true) told.push(line('tried again', name, result.errors ?? []));
			}
		}
		told.push(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
		process.once('exit', () => process.stdout.write(`${told.join('\n')}\n`));
	}
}

function failure(name: string, errors: readonly { message: string }[]): string {
	return line('failed', name, errors);
}

/** One line, so that a script finds each failure in a log: `failed: NAME: MESSAGE`. */
function line(what: string, name: string, errors: readonly { message: string }[]): string {
	const message = errors.map((error) => error.message.replaceAll(/\s+/g, ' ').slice(0, 300)).join('; ');
	return `${what}: ${name}: ${message}`;
}
