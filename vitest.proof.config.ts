import { defineConfig } from 'vitest/config';
import { SummaryReporter } from './test/support/summary-reporter.ts';

/** `npm run proof`: what needs more than npm packages, on the real thing. */
export default defineConfig({
	test: {
		include: ['test/**/*.proof.ts'],
		globalSetup: ['test/support/proof-setup.ts', 'test/support/influxd-setup.ts', 'test/support/ministack-setup.ts'],
		reporters: ['default', new SummaryReporter()],
		testTimeout: 60_000,
		hookTimeout: 60_000,
	},
});
