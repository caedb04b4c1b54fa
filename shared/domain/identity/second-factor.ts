/** Codes of an authenticator app are of so many digits, and each of so many seconds (RFC 6238, section 5.2). */
export const totpDigits = 6;
export const totpSeconds = 30;

/** A second factor of an account: an authenticator app (TOTP, RFC 6238), and codes for when it is lost. */
export interface SecondFactor {
	/** The shared secret in base32 (RFC 4648), as authenticator apps take it: 160 bits. */
	readonly secret: string;
	/** The hashes of the recovery codes that were not used. */
	readonly recoveryHashes: readonly string[];
}

/** Computes the codes of authenticator apps, and what is random in second factors. */
export interface Totp {
	/** Returns a new secret in base32. */
	newSecret(): string;
	/** Returns a new recovery code, in four groups of four. */
	newRecoveryCode(): string;
	/** Returns the hash under which a recovery code is stored. */
	hash(recoveryCode: string): string;
	/** Returns the code of a secret at a step: the seconds since the epoch, divided by `totpSeconds`. */
	codeAt(secret: string, step: number): string;
}

/** So many wrong codes one after another, and only recovery codes count: who has the password cannot try codes for ever. */
export const maxWrongCodes = 50;

/** Returns a code as it is compared: people type blanks and small letters. */
export function plainCode(sent: string): string {
	return sent.replaceAll(/[\s-]/g, '').toUpperCase();
}

/**
 * Returns the step at which a code is that of a secret; null: it is not. The steps before and after the present one count, too, because clocks
 * differ (RFC 6238, section 5.2).
 * @param now epoch milliseconds
 */
export function stepOfCode(totp: Pick<Totp, 'codeAt'>, secret: string, code: string, now: number): number | null {
	const present = Math.floor(now / 1000 / totpSeconds);
	return [present, present - 1, present + 1].find((step) => totp.codeAt(secret, step) === code) ?? null;
}

/** Returns the address with which an authenticator app adds a secret: its code in a picture, or a link on a phone. */
export function totpAddress(email: string, secret: string): string {
	const query = new URLSearchParams({ secret, issuer: 'Caudal', digits: String(totpDigits), period: String(totpSeconds) });
	return `otpauth://totp/Caudal:${encodeURIComponent(email)}?${query}`;
}
