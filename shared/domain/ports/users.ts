/** A person who may sign in (shared/domain/use-cases/README.md#sign-in). */
export interface User {
	readonly id: number;
	/** As registered, in its original case. */
	readonly email: string;
	readonly firstName: string;
	readonly lastName: string;
	/** The id of the user's client at the identity provider. */
	readonly clientId: number;
}

/** Registered users by e-mail, without regard to case. */
export interface Users {
	find(email: string): Promise<User | null>;
	/** Adds the user, or replaces the user with that e-mail. */
	put(user: User): Promise<void>;
	/** Returns whether the user existed. */
	remove(email: string): Promise<boolean>;
	/** Returns every user by ascending e-mail. */
	list(): Promise<readonly User[]>;
}

/** Returns the form of an e-mail address that is compared and used as a key: addresses are compared without regard to case. */
export function normalizeEmail(email: string): string {
	return email.toLowerCase();
}
