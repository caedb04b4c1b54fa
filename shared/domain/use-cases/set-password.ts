import * as v from 'valibot';
import { DomainError } from '../errors.ts';
import { passwordLength } from '../identity/account.ts';
import { refuseGuessable } from '../identity/guessable-password.ts';
import type { Accounts, Passwords } from '../ports/accounts.ts';
import type { SessionIds } from '../ports/openid-sessions.ts';
import { rule, text } from '../validation/field.ts';
import { withKeywords } from '../validation/keywords.ts';
import { problem } from '../validation/problem.ts';

const tooShort = problem('too_short', `At least ${passwordLength.least} characters.`, { limit: passwordLength.least });

/** What a person sends who has a link to set a password. */
export const newPasswordSchema = v.object({
	/** 32 random bytes in base64url. */
	token: withKeywords(text(100), { form: 'any' }),
	password: withKeywords(
		v.pipe(
			text(passwordLength.most),
			rule<string>((password) => [...password].length >= passwordLength.least, tooShort),
		),
		{ form: 'any' },
	),
});

/** The dependencies of setting a password. */
export interface SetPasswordDeps {
	readonly accounts: Pick<Accounts, 'findByLink' | 'usePasswordLink'>;
	readonly passwords: Pick<Passwords, 'hash'>;
	readonly sessionIds: Pick<SessionIds, 'idOf'>;
}

/**
 * Sets the password of an account by a link, which is used up. Sessions ended when the link was made.
 * @param now epoch milliseconds
 * @returns the e-mail of the account
 * @throws DomainError `link_ended`, `invalid` for a password that others would guess, and the errors of the store
 */
export async function setPassword(
	{ accounts, passwords, sessionIds }: SetPasswordDeps,
	{ token, password }: v.InferOutput<typeof newPasswordSchema>,
	now: number,
): Promise<string> {
	const linkHash = sessionIds.idOf(token);
	// Looked up first: whoever has no link costs no hash.
	const account = await accounts.findByLink(linkHash, now);
	if (account === null || account.isDisabled) throw new DomainError('link_ended', {});
	refuseGuessable(password, account.email);
	const passwordHash = await passwords.hash(password);
	if (!(await accounts.usePasswordLink(linkHash, passwordHash, now))) throw new DomainError('link_ended', {});
	return account.email;
}
