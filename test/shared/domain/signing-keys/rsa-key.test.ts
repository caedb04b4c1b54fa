import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { weaknessOf } from '#domain/signing-keys/rsa-key.ts';

const encode = (value: bigint, padding = ''): string => {
	const hex = value.toString(16);
	return Buffer.from(padding + hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
};
const strong = { n: encode(2n ** 2047n + 1n), e: 'AQAB' };

/** An odd number of 2048 bits, so far above the smallest one that it has 2048 bits without its remainder of small primes, too. */
const modulus = fc.bigInt({ min: 2n ** 2046n + 2n ** 400n, max: 2n ** 2047n - 1n }).map((half) => 2n * half + 1n);

describe('weaknessOf', () => {
	test.each([
		[{ modulusLength: 2048, publicExponent: 65_537 }, null],
		[{ modulusLength: 2048, publicExponent: 3 }, 'e must be an odd exponent of at least 65537.'],
		[{ modulusLength: 1024, publicExponent: 65_537 }, 'n must be a modulus of at least 2048 bits.'],
	])('judges a generated key %j', (options, weakness) => {
		const { n = '', e = '' } = generateKeyPairSync('rsa', options).publicKey.export({ format: 'jwk' });
		expect(weaknessOf({ n, e })).toBe(weakness);
	});

	test('takes a modulus of 2048 bits and refuses one of 2047, however many zeros it begins with', () => {
		expect(weaknessOf({ ...strong, n: encode(2n ** 2047n + 1n) })).toBeNull();
		expect(weaknessOf({ ...strong, n: encode(2n ** 2047n + 1n, '00') })).toBeNull();
		for (const padding of ['', '00', '0000'])
			expect(weaknessOf({ ...strong, n: encode(2n ** 2047n - 1n, padding) })).toMatch(/^n .* 2048 bits/);
	});

	test.each([
		[65_535n, 65_537n],
		[65_536n, 65_537n],
		[65_538n, 65_539n],
		[1n, 2n ** 32n + 1n],
	])('refuses the exponent %s and takes %s', (weak, taken) => {
		expect(weaknessOf({ ...strong, e: encode(weak, '00') })).toMatch(/^e .* 65537/);
		expect(weaknessOf({ ...strong, e: encode(taken) })).toBeNull();
	});

	test('takes random moduli and refuses each once it has the form of ROCA', () => {
		// The library of CVE-2017-15361 multiplied primes of the form k * M + (65537^a mod M), M being a product of small primes.
		const primes = [
			2n,
			3n,
			5n,
			7n,
			11n,
			13n,
			17n,
			19n,
			23n,
			29n,
			31n,
			37n,
			41n,
			43n,
			47n,
			53n,
			59n,
			61n,
			67n,
			71n,
			73n,
			79n,
			83n,
		];
		const product = [
			...primes,
			89n,
			97n,
			101n,
			103n,
			107n,
			109n,
			113n,
			127n,
			131n,
			137n,
			139n,
			149n,
			151n,
			157n,
			163n,
			167n,
		].reduce((left, right) => left * right);
		fc.assert(
			fc.property(modulus, fc.integer({ min: 0, max: 500 }), (n, exponent) => {
				let power = 1n;
				for (let step = 0; step < exponent; step += 1) power = (power * 65_537n) % product;
				const roca = n - (n % product) + power;
				expect(weaknessOf({ ...strong, n: encode(n) })).toBeNull();
				expect(weaknessOf({ ...strong, n: encode(roca) })).toMatch(/ROCA/);
			}),
			{ numRuns: 50 },
		);
	});

	test.each(['', 'AQAB=', 'AQ+B', 'AQ B'])('refuses %j, which is not base64url', (text) => {
		expect(weaknessOf({ ...strong, e: text })).toMatch(/^e must be base64url/);
		expect(weaknessOf({ ...strong, n: text })).toMatch(/^n must be base64url/);
	});
});
