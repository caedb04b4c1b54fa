import { defineConfig } from 'vitest/config';
import { compileCache } from './test/support/compile-cache.ts';
import { LongestFirst } from './test/support/longest-first.ts';
import { SummaryReporter } from './test/support/summary-reporter.ts';

const ofAll = {
	/** Lets tests run at another time of day: TEST_TIME. */
	setupFiles: ['test/support/test-time.ts'],
	env: compileCache,
	// Files share what they import: a process for each would take longer, for the unit tests by a third.
	isolate: false,
	// What a test waits for comes late on busy cores.
	expect: { poll: { timeout: 10_000 } },
};

const consoleTests = 'test/functions/console/**/*.integration.ts';

const ofIntegration = {
	...ofAll,
	testTimeout: 60_000,
	hookTimeout: 60_000,
};

export default defineConfig({
	test: {
		maxWorkers: '100%',
		sequence: { sequencer: LongestFirst },
		// Starts nothing by itself.
		globalSetup: 'test/support/servers/keycloak-setup.ts',
		// A test that failed closes its page, which ends what it still waited for.
		onUnhandledError: ({ message }) => !/page\.waitFor\w+: Target page, context or browser has been closed/.test(message),
		reporters: ['default', new SummaryReporter()],
		projects: [
			{
				// `npm test`: tests that need npm packages only.
				test: {
					...ofAll,
					name: 'unit',
					include: ['test/**/*.test.ts'],
					testTimeout: 30_000,
					hookTimeout: 30_000,
				},
			},
			{
				// `npm run test:integration`: tests that need a real server, which they build or install first.
				test: {
					...ofIntegration,
					name: 'integration',
					setupFiles: [...ofAll.setupFiles, 'test/support/servers/delete-databases.ts'],
					include: ['test/**/*.integration.ts'],
					exclude: [consoleTests],
					// Busy cores may keep a server from answering in time. A wrong value is never tried again.
					retry: {
						count: 1,
						condition: /timed out|timeout|ECONNRESET|ECONNREFUSED|EADDRINUSE|EPIPE|socket hang up|fetch failed/i,
					},
					globalSetup: ['dynamodb-local', 'influxd', 'ministack', 'chromium'].map(
						(server) => `test/support/servers/${server}-setup.ts`,
					),
				},
			},
			{
				// The part of `npm run test:integration` that drives the console in Chromium.
				test: {
					...ofIntegration,
					name: 'console',
					include: [consoleTests],
					globalSetup: 'test/support/servers/chromium-setup.ts',
					// A page shares two busy cores with servers and other browsers. The summary names each test that needed its second try.
					retry: 1,
				},
			},
		],
	},
});
