import type { InteractiveProvider } from '#domain/identity/provider-settings.ts';
import type { ExpectedIdToken, VerifiedClaims } from '#domain/ports/openid-providers.ts';
import { audiencesOf, requiredClaims, type TokenToVerify, verifyToken } from './verify-token.ts';

/**
 * Returns the claims of an ID token that came from the token endpoint (OpenID Connect Core, sections 3.1.3.7 and 12.2).
 * @throws DomainError `sign_in_refused`, `dependency_failed`, `dependency_slow`
 */
export function verifyIdToken(
	token: TokenToVerify & { readonly provider: InteractiveProvider },
	expected: ExpectedIdToken,
): Promise<VerifiedClaims> {
	const { clientId } = token.provider;
	return verifyToken(token, {
		kind: 'ID token',
		types: ['jwt'],
		claims: requiredClaims(token.provider),
		// A key that was published just before it signed is found: the provider itself sent the token.
		rereadPauseMs: 0,
		fault: ({ iss, sub, aud, azp, nonce }) => {
			const audiences = audiencesOf(aud);
			if (!audiences.includes(clientId)) return 'aud';
			// A token for several clients says which of them asked for it: Zitadel lists every sibling.
			if (azp === undefined ? audiences.length > 1 : azp !== clientId) return 'azp';
			if ('nonce' in expected) return nonce === expected.nonce ? null : 'nonce';
			return iss === expected.issuer && sub === expected.subject ? null : 'another person';
		},
	});
}
