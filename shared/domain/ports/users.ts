/** Someone who may sign in (design section 7). `clientId` is the client at the identity provider. */
export interface User {
	readonly id: number;
	/** As registered; looked up case-folded. */
	readonly email: string;
	readonly firstName: string;
	readonly lastName: string;
	readonly clientId: number;
}

/** Registered users, by e-mail whatever its case. */
export interface Users {
	find(email: string): Promise<User | null>;
	/** Adds the user, or replaces the one with that e-mail. */
	put(user: User): Promise<void>;
	/** Whether there was one to remove. */
	remove(email: string): Promise<boolean>;
	/** All, by ascending e-mail. */
	list(): Promise<readonly User[]>;
}
