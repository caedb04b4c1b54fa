import { expect, test } from 'vitest';
import { parseStoredSession } from '#adapters/stored-session.ts';

test('a session that an earlier release stored is read, with the time of its sign-in as that of its token', () => {
	const signIn = { issuer: 'https://id.test', subject: '1', providerSession: null, createdAt: 1_700_000_000_900 };
	const found = { name: 'Ana', tenants: [], claims: { groups: ['a'] }, checkedAt: 1_700_000_000_900 };
	const compared = { id: 'i', person: 'person:1', provider: 'entra', version: 1, endsAt: 1_700_000_100_000 };
	const row = { ...compared, signIn: JSON.stringify(signIn), found: JSON.stringify(found) };
	expect(parseStoredSession(row)).toEqual({ ...compared, ...signIn, ...found, issuedAt: 1_700_000_000, idTokenClaims: {} });
});
