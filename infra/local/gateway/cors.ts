import { cors } from '#shared/contract.ts';

/**
 * Returns the CORS headers of a response (shared/http/README.md#headers).
 * @param allowedOrigins any other origin receives no headers
 * @param origin the `Origin` header of the request
 */
export function corsHeaders(
	allowedOrigins: readonly string[],
	origin: string | undefined,
	kind: 'preflight' | 'response',
): Readonly<Record<string, string>> {
	if (origin === undefined || !allowedOrigins.includes(origin)) return {};
	const allow = { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' };
	if (kind === 'response') return { ...allow, 'access-control-expose-headers': cors.exposedHeaders.join(',') };
	return {
		...allow,
		'access-control-allow-methods': cors.methods.join(','),
		'access-control-allow-headers': cors.headers.join(','),
		'access-control-max-age': String(cors.maxAgeSeconds),
	};
}
