import { afterAll, beforeAll, inject, onTestFinished } from 'vitest';
import { type ConsoleBrowser, type ConsoleOptions, type ConsolePage, startConsoleBrowser } from './console-page.ts';
import { type LocalTarget, openLocalTarget } from './servers/local.ts';

/** A local service whose console opens in Chromium, for the tests of one `describe`. */
export interface ServedConsole {
	/** The service. It runs during the tests, and during hooks that are registered after `serveConsole` was called. */
	readonly target: LocalTarget;
	/** Opens the console in a window that closes when the test ends. */
	open(options?: ConsoleOptions): Promise<ConsolePage>;
	/** Prepares a window likewise, and goes nowhere. */
	openEmpty(options?: ConsoleOptions): Promise<ConsolePage>;
}

/** Starts a local service and Chromium before the tests of the `describe` around it, and ends both after these tests. */
export function serveConsole(environment?: Readonly<Record<string, string>>): ServedConsole {
	let service: LocalTarget;
	let browser: ConsoleBrowser;
	beforeAll(async () => {
		service = await openLocalTarget(environment);
		browser = await startConsoleBrowser(inject('chromium') ?? '', service);
	});
	afterAll(async () => {
		await browser.close();
		await service.close();
	});
	return {
		target: {
			get baseUrl() {
				return service.baseUrl;
			},
			get store() {
				return service.store;
			},
			get alarms() {
				return service.alarms;
			},
			get people() {
				return service.people;
			},
			feed: (database, lines) => service.feed(database, lines),
			close: () => service.close(),
		},
		open: async (options) => closeAfterTest(await browser.open(options)),
		openEmpty: async (options) => closeAfterTest(await browser.openEmpty(options)),
	};
}

function closeAfterTest(opened: ConsolePage): ConsolePage {
	onTestFinished(opened.close);
	return opened;
}
