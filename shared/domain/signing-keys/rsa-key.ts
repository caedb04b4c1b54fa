import * as v from 'valibot';

/** A number of a JWK: big-endian bytes in base64url without padding (RFC 7518 section 2). */
const base64urlUint = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]+$/, 'must be base64url.'));

/** Fewest bits of a modulus (RFC 7518 section 3.3). */
const minModulusBits = 2048;

/** Smallest public exponent (NIST SP 800-56B section 6.2). A smaller one forgives no error in the padding of a signature. */
const minExponent = 65_537n;

/** Primes modulo which few numbers are a power of 65537. */
const rocaPrimes = [11n, 13n, 17n, 19n, 37n, 53n, 61n, 71n, 73n, 79n, 97n, 103n, 107n, 109n, 127n, 151n, 157n];

/**
 * The entries of a schema for an RSA public key that may verify tokens: modulus `n` and exponent `e` as in RFC 7518 section 6.3.1.
 * They reject weak keys (DESIGN.md section 7.4).
 */
export const rsaPublicKeyEntries = {
	n: v.pipe(
		base64urlUint,
		v.check((text) => bitsOf(text) >= minModulusBits, `must be a modulus of at least ${minModulusBits} bits.`),
		v.check((text) => !isRocaModulus(numberOf(text)), 'must not be a modulus that ROCA factors (CVE-2017-15361).'),
	),
	e: v.pipe(
		base64urlUint,
		v.check(
			(text) => numberOf(text) >= minExponent && numberOf(text) % 2n === 1n,
			`must be an odd exponent of at least ${minExponent}.`,
		),
	),
};

const rsaPublicKeySchema = v.object(rsaPublicKeyEntries);

/**
 * Returns why a public key must not verify tokens, such as `n must be a modulus of at least 2048 bits.`; null for a strong key.
 * @param key modulus and exponent in base64url
 */
export function weaknessOf(key: v.InferInput<typeof rsaPublicKeySchema>): string | null {
	const [issue] = v.safeParse(rsaPublicKeySchema, key).issues ?? [];
	return issue === undefined ? null : `${v.getDotPath(issue)} ${issue.message}`;
}

function numberOf(text: string): bigint {
	return BigInt(`0x${Buffer.from(text, 'base64url').toString('hex') || '0'}`);
}

function bitsOf(text: string): number {
	return numberOf(text).toString(2).length;
}

/** Whether the library that has the fault ROCA made a modulus: it is a power of 65537 modulo every small prime. One of 10^8 others is, too. */
function isRocaModulus(modulus: bigint): boolean {
	return rocaPrimes.every((prime) => {
		const powers = new Set<bigint>();
		for (let power = 1n; !powers.has(power); power = (power * minExponent) % prime) powers.add(power);
		return powers.has(modulus % prime);
	});
}
