import axe, { type AxeResults } from 'axe-core';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { credentials, signInAs, type Target } from '#test/e2e/target.ts';
import { type Observations, observe } from './open-page.ts';
import { requestsInFlight } from './requests-in-flight.ts';
import { isOtherTime } from './test-time.ts';

/** How the console is opened. */
export interface ConsoleOptions {
	/** Who is signed in: `a` with the demo's plant, where the demo is on, `b` with an empty one. Null: nobody is. */
	readonly tenant?: keyof typeof credentials | null;
	/** The part of the address after `#`. */
	readonly route?: string;
	readonly language?: 'en' | 'es';
	/** The browser's own locale, which decides how numbers are written. By default that of Great Britain or of Spain. */
	readonly locale?: string;
	readonly theme?: 'light' | 'dark';
	readonly size?: { readonly width: number; readonly height: number };
	/** Whether the browser's timers wait until the test moves its clock (`page.clock.runFor`). */
	readonly stopsClock?: boolean;
	/** A script that runs before the page's own. */
	readonly script?: string;
	/** Runs before the page asks for anything, such as to answer its requests. */
	readonly prepare?: (page: Page) => Promise<void>;
}

/** The console in a window of its own: nothing is shared with other windows of the same browser. */
export interface ConsolePage extends Observations {
	readonly page: Page;
	/** Goes to a route, such as `/trend?ids=4`. */
	goTo(route: string): Promise<void>;
	/** Presses a key until an element has the focus. Fails when none of 200 presses leads there. */
	focusByKey(target: Locator, key?: 'Tab' | 'Shift+Tab'): Promise<void>;
	/** Returns what axe-core finds wrong with what is on the screen: the rule, and the elements that break it. */
	violations(): Promise<readonly string[]>;
	/** Throws when axe-core finds something wrong with what is on the screen, or something is wider than the window. */
	expectAccessible(): Promise<void>;
	close(): Promise<void>;
}

/** The languages, themes and widths in which axe-core looks at a screen. */
export const looks = [
	['en', 'light', 1440],
	['en', 'dark', 320],
	['es', 'light', 320],
	['es', 'dark', 1440],
] as const;
/** Two looks that differ in everything, for what takes long. */
export const twoLooks = [
	['en', 'light', 1440],
	['es', 'dark', 320],
] as const;
/** The looks of screens that are another one where the window is narrow. */
export const wideLooks = [looks[0], looks[3]] as const;

/** A browser that opens the console of one service. */
export interface ConsoleBrowser {
	open(options?: ConsoleOptions): Promise<ConsolePage>;
	/** Prepares a window likewise, and goes nowhere. */
	openEmpty(options?: ConsoleOptions): Promise<ConsolePage>;
	close(): Promise<void>;
}

/**
 * Starts Chromium for the console of a service.
 *
 * @example
 * const browser = await startConsoleBrowser(inject('chromium') ?? '', await openLocalTarget({ DEMO_PLANT: 'on' }));
 * const { page, faults, close } = await browser.open({ route: '/overview', language: 'es' });
 */
export const startConsoleBrowser = async (executablePath: string, target: Target): Promise<ConsoleBrowser> => {
	const browser: Browser = await chromium.launch({ executablePath });
	return {
		open: (options = {}) => openConsole(browser, target, options),
		openEmpty: (options = {}) => openWindow(browser, target, options),
		close: () => browser.close(),
	};
};

const openConsole = async (browser: Browser, target: Target, options: ConsoleOptions): Promise<ConsolePage> => {
	const opened = await openWindow(browser, target, options);
	const { page } = opened;
	await page.goto(`${target.baseUrl}/console#${options.route ?? '/overview'}`);
	const heading = page.locator('#console h1').first();
	if (options.stopsClock === true) {
		// Effects of components wait for timers, too.
		while ((await heading.count()) === 0) await page.clock.runFor(100);
	} else await heading.waitFor({ state: 'attached' });
	return opened;
};

const openWindow = async (browser: Browser, target: Target, options: ConsoleOptions): Promise<ConsolePage> => {
	const { tenant = 'a', language = 'en', theme = 'light', size = { width: 1440, height: 900 } } = options;
	const context = await browser.newContext({
		locale: options.locale ?? (language === 'en' ? 'en-GB' : 'es-ES'),
		timezoneId: 'Europe/Madrid',
		colorScheme: theme,
		viewport: size,
		// Otherwise pictures and measurements meet marks that still blink.
		reducedMotion: 'reduce',
	});
	const page = await context.newPage();
	// The first route of a page takes effect some time after `route` has resolved: a request that follows at once would pass it by.
	await page.route('**/no-request', (route) => route.fallback());
	const observations = await observe(page);
	const inFlight = requestsInFlight(page);
	const now = Date.now();
	if (options.stopsClock === true || isOtherTime) {
		await page.clock.install({ time: now });
		await page.addInitScript({ content: withoutServerTime });
	}
	if (options.stopsClock === true) {
		await page.clock.pauseAt(now + 1000);
		await page.addInitScript({ content: countRequests });
	}
	if (options.script !== undefined) await page.addInitScript({ content: options.script });
	await options.prepare?.(page);
	// The session of a person who chose to stay signed in on this tab.
	if (tenant !== null) await page.addInitScript({ content: keepSession(await sessionOf(target, tenant)) });
	return {
		...observations,
		page,
		goTo: async (next) => {
			await page.evaluate(`location.hash = ${JSON.stringify(next)}`);
		},
		reload: async () => {
			while (inFlight.size > 0) await new Promise((resolve) => setTimeout(resolve, 10));
			await observations.reload();
		},
		focusByKey: (element, key = 'Tab') => focusByKey(page, element, key),
		violations: () => violations(page),
		expectAccessible: async () => {
			const found = [...(await violations(page))];
			const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
			if (wider > 0) found.push(`The page is ${wider} px wider than the window.`);
			if (found.length > 0) throw new Error(found.join('\n'));
		},
		close: async () => {
			// A request that a test's route still holds would fail outside of the test.
			if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' });
			await context.close();
		},
	};
};

const sessionOf = async (target: Target, person: keyof typeof credentials) => {
	const { email, schemaName, tsdb_name } = credentials[person];
	const { token, user } = await signInAs(target, person);
	return { token, email, schema: schemaName, database: tsdb_name, role: user.role };
};

/** The service's clock does not follow the page's, so the page must not correct its own by the header `Date`. */
export const withoutServerTime = `{
	const { get } = Headers.prototype;
	Headers.prototype.get = function (name) {
		return name === 'date' ? null : get.call(this, name);
	};
}`;

/** Counts the requests that have no answer yet, in the page (`requestsInFlight`): what the browser tells of them comes later. */
export const countRequests = `{
	const { fetch } = globalThis;
	globalThis.requestsInFlight = 0;
	globalThis.fetch = async (...request) => {
		requestsInFlight += 1;
		try {
			return await fetch(...request);
		} finally {
			requestsInFlight -= 1;
		}
	};
}`;

/** A script that runs at the start of every page. What the page stored since then stays. */
const keepSession = (session: unknown): string =>
	`if (sessionStorage.length === 0) sessionStorage.setItem('caudal.session', ${JSON.stringify(JSON.stringify(session))})`;

const maxPresses = 200;

const focusByKey = async (page: Page, target: Locator, key: string): Promise<void> => {
	let element = await target.elementHandle();
	for (let press = 0; press <= maxPresses; press += 1) {
		const state = (await element?.evaluate(focusState)) ?? 'replaced';
		if (state === 'focused' && (await target.evaluate(isFocused))) return;
		// To find an element by its name takes longer than a press, so it is found anew only where it may be another one.
		if (state === 'elsewhere') await page.keyboard.press(key);
		else element = await target.elementHandle();
	}
	throw new Error(`${key} does not lead to ${target}.`);
};

const focusState = (element: unknown): 'focused' | 'elsewhere' | 'replaced' => {
	const { activeElement, body } = (globalThis as unknown as PageGlobals).document;
	if (element === activeElement) return 'focused';
	return body.contains(element) ? 'elsewhere' : 'replaced';
};

/** Returns whether an element has the focus. Runs in the page, whose types tests do not have: `locator.evaluate(isFocused)`. */
export const isFocused = (element: unknown): boolean => element === (globalThis as unknown as PageGlobals).document.activeElement;

/** What scripts use of a page, whose types tests do not have. */
interface PageGlobals {
	readonly document: { readonly activeElement: unknown; readonly body: { contains(element: unknown): boolean } };
}

/** Returns what axe-core finds wrong with what is on the screen: the rule, and the elements that break it. */
export const violations = async (page: Page): Promise<readonly string[]> => {
	// The policy refuses scripts that the page loads from elsewhere, but not what a debugger evaluates.
	await page.evaluate(axe.source);
	// What passes is thousands of elements: to name each, and to send them, takes longer than to look at them.
	const found = await page.evaluate<AxeResults['violations']>(
		"axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)",
	);
	return found.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
};
