import { defineConfig } from 'vitest/config';
import { SummaryReporter } from './test/support/summary-reporter.ts';

/** `npm run test:integration`: tests that need a real server, which they build or install first. */
export default defineConfig({
	test: {
		include: ['test/**/*.integration.ts'],
		globalSetup: ['dynamodb-local', 'influxd', 'ministack', 'chromium'].map(
			(server) => `test/support/servers/${server}-setup.ts`,
		),
		reporters: ['default', new SummaryReporter()],
		testTimeout: 60_000,
		hookTimeout: 60_000,
		expect: { poll: { timeout: 10_000 } },
	},
});
