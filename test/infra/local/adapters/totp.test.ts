import { expect, test } from 'vitest';
import { plainCode, stepOfCode, totpAddress } from '#domain/identity/second-factor.ts';
import { totp } from '#infra/local/adapters/totp.ts';
import vectors from '#test/vectors/passwords.json' with { type: 'json' };

test.each(vectors.totp)('gives the code of RFC 6238 at $seconds s', ({ seconds, code }) => {
	expect(totp.codeAt(vectors.secret, Math.floor(seconds / 30))).toBe(code);
});

test('takes the codes of the present step and of its neighbours, and no others', () => {
	const step = 1000;
	const steps = [-2, -1, 0, 1, 2].map((away) =>
		stepOfCode(totp, vectors.secret, totp.codeAt(vectors.secret, step + away), step * 30_000),
	);
	expect(steps).toEqual([null, 999, 1000, 1001, null]);
});

test('makes secrets of 160 bits and recovery codes of 80 bits, all different', () => {
	expect(totp.newSecret()).toMatch(/^[A-Z2-7]{32}$/);
	expect(totp.newRecoveryCode()).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/);
	expect(new Set(Array.from({ length: 100 }, totp.newSecret)).size).toBe(100);
	expect(totp.hash('abcd-efgh ijklmnop')).toBe(totp.hash('ABCD-EFGH-IJKL-MNOP'));
	expect(plainCode(' 123 456')).toBe('123456');
});

test('writes the address that authenticator apps open', () => {
	expect(totpAddress('a&b@plant.example', vectors.secret)).toBe(
		`otpauth://totp/Caudal:a%26b%40plant.example?secret=${vectors.secret}&issuer=Caudal&digits=6&period=30`,
	);
});
