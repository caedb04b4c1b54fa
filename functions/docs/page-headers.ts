/**
 * What the page may load and do: its own files and calls of this service. Images as `data:` are icons in Swagger UI's style sheet.
 * No script or style stands in the page itself, and no other page may frame it.
 */
const contentSecurityPolicy = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"connect-src 'self'",
	"img-src 'self' data:",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
].join('; ');

/** The headers of the page and of each of its files. */
export const pageHeaders = {
	'content-security-policy': contentSecurityPolicy,
	'x-content-type-options': 'nosniff',
	'referrer-policy': 'no-referrer',
} as const;
