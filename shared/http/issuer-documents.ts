/** Where the issuer serves its keys, below its address. */
const jwksPath = '/.well-known/jwks.json';

/** The issuer's documents change rarely, and a key is published long before it signs (design section 7). */
export const documentHeaders = { 'cache-control': 'public, max-age=3600' } as const;

/** The issuer's discovery document (OpenID Connect Discovery 1.0, section 3): what API Gateway's authorizer reads. */
export function discoveryOf(issuer: string): Record<string, unknown> {
	return {
		issuer,
		jwks_uri: `${issuer}${jwksPath}`,
		response_types_supported: ['token'],
		subject_types_supported: ['public'],
		id_token_signing_alg_values_supported: ['RS256'],
	};
}
