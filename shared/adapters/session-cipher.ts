import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import * as v from 'valibot';
import type { SessionTokens } from '#domain/ports/openid-sessions.ts';

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
/** NIST SP 800-38D, section 8.2: 96 bits. */
const nonceBytes = 12;
const tagBytes = 16;
/** Makes the key one for this purpose only (RFC 5869, section 3.2). */
const purpose = 'caudal session tokens';

const tokensSchema = v.object({ refreshToken: v.nullable(v.string()), idToken: v.nullable(v.string()) });

/**
 * Encrypts the tokens of a session: AES-256-GCM under a key that HKDF-SHA256 derives from the `sid`, which no table holds.
 * @param id of the session: a row that is copied to another session does not open there
 * @returns nonce, tag and ciphertext in base64url
 */
export function sealTokens(sid: string, id: string, { refreshToken, idToken }: SessionTokens): string {
	const nonce = randomBytes(nonceBytes);
	const cipher = createCipheriv(algorithm, keyOf(sid), nonce).setAAD(Buffer.from(id));
	const sealed = Buffer.concat([cipher.update(JSON.stringify({ refreshToken, idToken })), cipher.final()]);
	return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Decrypts what `sealTokens` returned; null where it was sealed with another `sid` or for another id, or is damaged. */
export function openTokens(sid: string, id: string, text: string): SessionTokens | null {
	const bytes = Buffer.from(text, 'base64url');
	const start = nonceBytes + tagBytes;
	if (bytes.length <= start) return null;
	const decipher = createDecipheriv(algorithm, keyOf(sid), bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
		.setAAD(Buffer.from(id))
		.setAuthTag(bytes.subarray(nonceBytes, start));
	const opened = decipher.update(bytes.subarray(start));
	try {
		decipher.final();
	} catch {
		return null;
	}
	return v.parse(tokensSchema, JSON.parse(opened.toString()));
}

const keyOf = (sid: string): Buffer => Buffer.from(hkdfSync('sha256', sid, '', purpose, keyBytes));
