import { type Browser, chromium, type Page } from 'playwright-core';

/** What went wrong in a page so far, and where its requests went. */
export interface Observations {
	/** Errors and warnings in the console, exceptions, failed requests, and violations of the Content-Security-Policy. */
	readonly faults: readonly string[];
	/** The origins of all requests. `data:` addresses have none. */
	readonly origins: ReadonlySet<string>;
	/** Loads the page anew. A request that this cuts off is no fault. */
	reload(): Promise<void>;
}

/** A page in a browser that was just started. */
export interface ObservedPage extends Observations {
	readonly page: Page;
	close(): Promise<void>;
}

/** Starts Chromium with an empty profile and opens an empty page. */
export const openPage = async (executablePath: string): Promise<ObservedPage> => {
	const browser: Browser = await chromium.launch({ executablePath });
	const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
	return { page, ...(await observe(page)), close: () => browser.close() };
};

/** Observes a page from before its first address on. */
export const observe = async (page: Page): Promise<Observations> => {
	const faults: string[] = [];
	const origins = new Set<string>();
	page.on('console', (message) => {
		if (!['error', 'warning'].includes(message.type())) return;
		// The text of a refused request leaves its address out.
		faults.push(`${message.type()}: ${message.text()} ${message.location().url}`.trim());
	});
	page.on('pageerror', (error) => faults.push(`exception: ${error.message}`));
	page.on('requestfailed', (request) => faults.push(`failed: ${request.url()} ${request.failure()?.errorText}`));
	page.on('request', (request) => {
		if (!request.url().startsWith('data:')) origins.add(new URL(request.url()).origin);
	});
	await page.addInitScript({
		content:
			"document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => console.error('CSP', violatedDirective, blockedURI))",
	});
	const reload = async (): Promise<void> => {
		const { length } = faults;
		await page.reload();
		faults.push(...faults.splice(length).filter((fault) => !/^failed: .* net::ERR_ABORTED$/.test(fault)));
	};
	return { faults, origins, reload };
};
