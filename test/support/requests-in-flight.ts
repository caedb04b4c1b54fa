import type { BrowserContext, Page } from 'playwright-core';

/** Returns the requests that have no answer yet, of those that a page or all pages of a context begin from now on. The set follows them. */
export const requestsInFlight = (source: Page | BrowserContext): ReadonlySet<unknown> => {
	const inFlight = new Set<unknown>();
	// Both have these events. Their signatures are overloads that TypeScript does not unite.
	const page = source as Page;
	page.on('request', (request) => inFlight.add(request));
	page.on('requestfinished', (request) => inFlight.delete(request));
	page.on('requestfailed', (request) => inFlight.delete(request));
	return inFlight;
};
