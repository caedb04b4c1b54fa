import { defineConfig } from 'vitest/config';
import { SummaryReporter } from './test/support/summary-reporter.ts';

export default defineConfig({
	test: {
		include: ['test/**/*.test.ts'],
		reporters: ['default', new SummaryReporter()],
		testTimeout: 30_000,
		hookTimeout: 30_000,
	},
});
