import { afterAll, beforeAll, beforeEach, inject, onTestFinished } from 'vitest';
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
	beforeAll(async () => {
		service = await openLocalTarget(environment);
	});
	// Hooks run last first: the browser is closed by then.
	afterAll(() => service.close());
	return openIn(() => service);
}

/**
 * Serves a console likewise, by a new service for each test: its plants are empty, so no test meets what another one stored, nor what its
 * own first try did. Without the demo plant, which takes seconds to fill.
 */
export function serveConsoleForEach(): ServedConsole {
	let service: LocalTarget;
	beforeEach(async () => {
		service = await openLocalTarget();
		onTestFinished(() => service.close());
	});
	return openIn(() => service);
}

/** Starts Chromium, for whichever service runs when a window is opened. */
function openIn(service: () => LocalTarget): ServedConsole {
	const target: LocalTarget = {
		get baseUrl() {
			return service().baseUrl;
		},
		get store() {
			return service().store;
		},
		get alarms() {
			return service().alarms;
		},
		get people() {
			return service().people;
		},
		feed: (database, lines) => service().feed(database, lines),
		close: () => service().close(),
	};
	let browser: ConsoleBrowser;
	beforeAll(async () => {
		browser = await startConsoleBrowser(inject('chromium') ?? '', target);
	});
	afterAll(() => browser.close());
	return {
		target,
		open: async (options) => closeAfterTest(await browser.open(options)),
		openEmpty: async (options) => closeAfterTest(await browser.openEmpty(options)),
	};
}

function closeAfterTest(opened: ConsolePage): ConsolePage {
	onTestFinished(opened.close);
	return opened;
}
