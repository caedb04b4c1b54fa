import { expect, test } from 'vitest';
import { createHandler } from '#functions/console/handler.ts';
import { makeEvent } from '#test/support/builders/events.ts';
import { openPage, pageSuite } from '#test/support/page-suite.ts';

pageSuite({
	createHandler,
	path: '/console',
	policy:
		"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
	// A provider's page in a window that the console opened must not reach the console.
	ownHeaders: { 'cross-origin-opener-policy': 'same-origin' },
	// Browsers ask each time whether the page has changed, and keep its files forever.
	caching: { page: 'public, no-cache', file: 'public, max-age=31536000, immutable' },
});

test('GET / redirects to the console by a relative address, without reading its files', async () => {
	const { handler, loads } = openPage(createHandler);
	const { statusCode, headers, body } = await handler(makeEvent('GET /'));
	expect([statusCode, headers?.['location'], headers?.['cache-control'], body]).toEqual([302, 'console', 'no-store', undefined]);
	expect(loads()).toBe(0);
	const location = String(headers?.['location']);
	expect(new URL(location, 'https://api.utility.test/').href).toBe('https://api.utility.test/console');
	expect(new URL(location, 'https://api.utility.test/v1/').href).toBe('https://api.utility.test/v1/console');
});
