import { createHash, createHmac, randomBytes } from 'node:crypto';
import { plainCode, type Totp, totpDigits } from '#domain/identity/second-factor.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

const secretBytes = 20;
const recoveryBytes = 10;

/** `Totp` by HMAC-SHA-1 of Node.js: the algorithm that every authenticator app has (RFC 6238; RFC 4226, section 5.3). */
export const totp: Totp = {
	newSecret: () => base32Of(randomBytes(secretBytes)),
	newRecoveryCode: () => base32Of(randomBytes(recoveryBytes)).replaceAll(/(.{4})(?=.)/g, '$1-'),
	hash: (code) => createHash('sha256').update(plainCode(code)).digest('base64url'),
	codeAt: (secret, step) => {
		const counter = Buffer.alloc(8);
		counter.writeBigUInt64BE(BigInt(step));
		const mac = createHmac('sha1', bytesOf(secret)).update(counter).digest();
		const offset = (mac.at(-1) ?? 0) & 0xf;
		const number = mac.readUInt32BE(offset) & 0x7f_ff_ff_ff;
		return String(number % 10 ** totpDigits).padStart(totpDigits, '0');
	},
};

/** Writes bytes in base32 (RFC 4648, section 6). Their number is a multiple of 5, so there is no padding. */
function base32Of(bytes: Buffer): string {
	const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
	return bits.replaceAll(/.{5}/g, (five) => alphabet.charAt(Number.parseInt(five, 2)));
}

function bytesOf(base32: string): Buffer {
	const bits = [...base32].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
	return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
