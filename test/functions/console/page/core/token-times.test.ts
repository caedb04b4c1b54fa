import { expect, test } from 'vitest';
import { timesOf } from '#page/core/token-times.ts';

const tokenOf = (claims: unknown) => `header.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`;

test('the times of a token are in milliseconds, whatever characters its other claims have', () => {
	const claims = { iat: 1_795_258_800, exp: 1_795_262_400, session_exp: 1_795_302_000, email: 'ñandú?>~ÿ@plant.example' };
	expect(timesOf(tokenOf(claims))).toEqual({
		issuedAt: 1_795_258_800_000,
		expiresAt: 1_795_262_400_000,
		sessionEndsAt: 1_795_302_000_000,
	});
});

test.each([
	['a token of an earlier version', tokenOf({ iat: 1, exp: 2 })],
	['claims that are no object', tokenOf(null)],
	['times that are no numbers', tokenOf({ iat: 'x', exp: 2, session_exp: 3 })],
	['a time that is null', tokenOf({ iat: 1, exp: 2, session_exp: null })],
	['no token', 'text'],
	['no base64', 'a.%.c'],
])('%s has no times', (_, token) => {
	expect(timesOf(token)).toBe(null);
});
