/**
 * What a page may load and do: its own files and calls of this service. Images as `data:` are icons in style sheets. No script or style
 * stands in the page itself, and no other page may frame it.
 */
const policy = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"connect-src 'self'",
	"img-src 'self' data:",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
];

/** No text becomes HTML or a script: browsers refuse innerHTML and its like (https://www.w3.org/TR/trusted-types/). */
const trustedTypes = ["require-trusted-types-for 'script'", "trusted-types 'none'"];

/** The headers of a page and of each of its files. With `makesNoHtml`, the page's scripts may not turn text into HTML. */
export function pageHeaders({ makesNoHtml }: { readonly makesNoHtml: boolean }) {
	return {
		'content-security-policy': [...policy, ...(makesNoHtml ? trustedTypes : [])].join('; '),
		'x-content-type-options': 'nosniff',
		'referrer-policy': 'no-referrer',
	} as const;
}
