import { defineConfig } from 'vitest/config';
import { SummaryReporter } from './test/support/summary-reporter.ts';

export default defineConfig({
	test: {
		include: ['test/**/*.test.ts'],
		// Files share what they import: a process for each would take a third longer.
		isolate: false,
		maxWorkers: '100%',
		reporters: ['default', new SummaryReporter()],
		testTimeout: 30_000,
		hookTimeout: 30_000,
	},
});
