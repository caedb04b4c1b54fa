import { createHandler } from '#functions/docs/handler.ts';
import { pageSuite } from '#test/support/page-suite.ts';

pageSuite({
	createHandler,
	path: '/docs',
	policy:
		"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	caching: { page: 'public, max-age=300', file: 'public, max-age=300' },
});
