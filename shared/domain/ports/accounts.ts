import type { SecondFactor } from '../identity/second-factor.ts';

/** An account of the service itself, for people without an OpenID provider (shared/domain/identity/README.md#accounts). */
export interface Account {
	/** In its original case. E-mails are compared without regard to case. */
	readonly email: string;
	readonly name: string;
	/** What grants look at as `groups`. */
	readonly groups: readonly string[];
	/** Null: there is none, and only a link helps. */
	readonly passwordHash: string | null;
	/** Until when the link may be used with which a password is set, in epoch milliseconds; null: there is none. */
	readonly linkUntil: number | null;
	readonly isDisabled: boolean;
	/** Whether its stored groups cannot be read. It is disabled until it is put again. */
	readonly isUnread: boolean;
	/** Null: the password is enough. */
	readonly secondFactor: SecondFactor | null;
	/** When what it gives access by last changed, in epoch milliseconds: sessions from before end. */
	readonly changedAt: number;
	/** When its password was set, in epoch milliseconds; null: it has none. */
	readonly passwordAt: number | null;
}

/**
 * The accounts of one machine by e-mail, without regard to case.
 * @throws DomainError `store_failed`
 */
export interface Accounts {
	find(email: string): Promise<Account | null>;
	/** Returns every account by ascending e-mail. */
	list(): Promise<readonly Account[]>;
	/** Adds an account without a password, or changes the name and the groups of the one with that e-mail. */
	put(account: Pick<Account, 'email' | 'name' | 'groups'>): Promise<'added' | 'changed'>;
	/** Returns whether there was one. */
	remove(email: string): Promise<boolean>;
	/** Allows or refuses every use of an account. Returns whether there is one. @param now epoch milliseconds */
	setDisabled(email: string, isDisabled: boolean, now: number): Promise<boolean>;
	/** Stores the hash of a link, for so long, in place of the password and of any earlier link. Returns whether there is such an account. */
	setLink(email: string, linkHash: string, forMs: number, now: number): Promise<boolean>;
	/** Sets the second factor of an account that has none, may be used, and still has this password. Returns whether it did. */
	setSecondFactor(email: string, secondFactor: SecondFactor, passwordHash: string, now: number): Promise<boolean>;
	/** Takes the second factor away. Returns whether there is such an account. */
	removeSecondFactor(email: string): Promise<boolean>;
	/** Uses up the codes of a step and of all before. Returns whether it was free and codes still count: of several at once, one is. */
	useStep(email: string, step: number): Promise<boolean>;
	/** Counts a wrong code. After `maxWrongCodes` one after another only recovery codes count. */
	countWrongCode(email: string): Promise<void>;
	/** Uses up a recovery code. Returns whether it was there: of several at once, one is. */
	useRecoveryCode(email: string, hash: string): Promise<boolean>;
	/** Returns the account whose link has this hash and may be used at `now` (epoch milliseconds); null: there is none. */
	findByLink(linkHash: string, now: number): Promise<Account | null>;
	/** Sets a password by a link that may be used at `now`, and uses the link up. Returns whether it was set: of several at once, one is. */
	usePasswordLink(linkHash: string, passwordHash: string, now: number): Promise<boolean>;
}

/**
 * The hashes of passwords. Few are computed at once, because each takes much memory; the others wait.
 * @throws DomainError `sign_in_blocked` where too many wait
 */
export interface Passwords {
	/** Returns the salted hash of a password, with what it was computed with. */
	hash(password: string): Promise<string>;
	/** Returns whether a hash is that of a password. Without a hash it takes as long, so that nobody learns who has a password. */
	verify(password: string, hash: string | null, client: PasswordClient): Promise<boolean>;
}

/** Who sends a password. Few hashes of one e-mail or one source are computed or wait at once. */
export interface PasswordClient {
	/** Normalized. */
	readonly email: string;
	/** As attempts are counted (`networkOf`). */
	readonly source: string;
	/** Whether somebody has signed in with the e-mail from the source before. They do not wait behind strangers. */
	readonly isKnown: boolean;
}
