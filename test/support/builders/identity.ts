import { digest, sessionIds } from '#adapters/session-ids.ts';
import type { Grant } from '#domain/identity/grants.ts';
import { openIdPersonId } from '#domain/identity/subject.ts';
import type { OpenIdSession } from '#domain/ports/openid-sessions.ts';

/** In the future: DynamoDB deletes expired items by its own clock. */
export const signedInAt = Date.UTC(2100, 0, 1);

/** Builds a grant that lets the operators of a group into a tenant. */
export function makeGrant(overrides: Partial<Grant> = {}): Grant {
	return {
		provider: 'entra',
		where: { groups: 'plant-a-ops' },
		schema: 's',
		database: 'd',
		owner: 7,
		role: 'operator',
		...overrides,
	};
}

/** Builds a session of 12 hours of an operator of the schema s. */
export function makeSession(overrides: Partial<OpenIdSession> = {}): OpenIdSession {
	const issuer = 'https://issuer.example/';
	return {
		id: sessionIds.idOf('sid of ada'),
		person: openIdPersonId(digest, issuer, 'Ada'),
		name: 'ada@plant.example (entra)',
		provider: 'entra',
		issuer,
		subject: 'Ada',
		providerSession: null,
		issuedAt: signedInAt / 1000,
		tenants: [{ schema: 's', database: 'd', owner: 7, role: 'operator' }],
		claims: { groups: ['plant-a-ops', 'é "x"'], hd: ['x'] },
		idTokenClaims: { hd: ['x'] },
		createdAt: signedInAt,
		checkedAt: signedInAt,
		endsAt: signedInAt + 12 * 3_600_000,
		version: 1,
		...overrides,
	};
}
