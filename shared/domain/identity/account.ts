import { dayMs } from '../milliseconds.ts';
import type { Account } from '../ports/accounts.ts';
import { normalizeEmail } from '../ports/users.ts';
import type { Claims } from './claims.ts';
import { type Digest, openIdPersonId } from './subject.ts';

/** The name under which grants know the service's own accounts, as they know an OpenID provider by its name. */
export const accountsProvider = 'accounts';

/** The issuer of the people who have accounts here. No OpenID provider has it: its issuer is an address. */
export const accountsIssuer = 'urn:caudal:accounts';

/** For how long a link to set a password may be used, in milliseconds: 72 h. */
export const linkMs = 3 * dayMs;

/** Fewest and most characters of a password. */
export const passwordLength = { least: 12, most: 128 } as const;

/** What is known of a person with an account, as grants look at it. The operator wrote the e-mail, so it counts as verified. */
export function accountClaims({ email, name, groups }: Pick<Account, 'email' | 'name' | 'groups'>): Claims {
	return { sub: normalizeEmail(email), email, email_verified: true, name, groups };
}

/** Returns the id of the person with the account of an e-mail. */
export function accountPersonId(digest: Digest, email: string): string {
	return openIdPersonId(digest, accountsIssuer, normalizeEmail(email));
}

/** Returns whether somebody may sign in with an account: it has a password, and is not disabled. */
export function isUsable({ passwordHash, isDisabled }: Account): boolean {
	return passwordHash !== null && !isDisabled;
}
