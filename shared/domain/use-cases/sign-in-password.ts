import * as v from 'valibot';
import { countAttempt, networkOf, withdrawAttempt } from '../access/sign-in-limits.ts';
import { DomainError, type ErrorCode } from '../errors.ts';
import {
	accountClaims,
	accountPersonId,
	accountsIssuer,
	accountsProvider,
	isUsable,
	passwordLength,
} from '../identity/account.ts';
import { type BeginSessionDeps, beginSession } from '../identity/begin-session.ts';
import { grantedTenants } from '../identity/granted-tenants.ts';
import type { AskedTenant, OpenIdSignedIn } from '../identity/issue-token.ts';
import { endSession } from '../identity/provider-session.ts';
import { plainCode, type SecondFactor, stepOfCode, type Totp, totpAddress } from '../identity/second-factor.ts';
import { shownName } from '../identity/shown-name.ts';
import { hourMs } from '../milliseconds.ts';
import type { Account, Accounts, PasswordClient, Passwords } from '../ports/accounts.ts';
import type { OpenIdSessions, OpenIdSessionTokens } from '../ports/openid-sessions.ts';
import type { SignInAttempts } from '../ports/sign-in-attempts.ts';
import { normalizeEmail } from '../ports/users.ts';
import { optionalField, text } from '../validation/field.ts';
import { maxEmailLength } from '../validation/input-limits.ts';
import { withKeywords } from '../validation/keywords.ts';
import { askedTenantSchema } from './sign-in-openid.ts';

const passwordEntries = {
	email: withKeywords(text(maxEmailLength), { form: 'any' }),
	password: withKeywords(text(passwordLength.most), { form: 'any' }),
} as const;

/** What a person with an account sends to sign in (shared/domain/identity/README.md#accounts). */
export const passwordSignInSchema = v.object({
	...passwordEntries,
	/** Of an authenticator app, or a recovery code. */
	code: optionalField(text(40)),
	...askedTenantSchema.entries,
});

/** What a person sends to set up a second factor: first nothing more, then the secret that was answered with a code of it. */
export const secondFactorSchema = v.object({
	...passwordEntries,
	secret: optionalField(v.pipe(text(32), v.regex(/^[A-Z2-7]{32}$/))),
	code: optionalField(text(40)),
});

/** The dependencies of checking a password. */
export interface PasswordCheckDeps {
	readonly accounts: Pick<Accounts, 'find' | 'setSecondFactor' | 'useStep' | 'countWrongCode' | 'useRecoveryCode'>;
	readonly passwords: Pick<Passwords, 'verify'>;
	readonly totp: Totp;
	readonly attempts: SignInAttempts;
	readonly newId: () => string;
	/** Whether nobody signs in without a second factor. */
	readonly requiresSecondFactor: boolean;
}

/** The dependencies of telling the journals who was refused. */
export type RefusalDeps = Pick<BeginSessionDeps, 'grants' | 'owners' | 'reportTenantRefusal' | 'digest' | 'tell'>;

/** The dependencies of signing in with an account. */
export interface PasswordSignInDeps extends BeginSessionDeps, PasswordCheckDeps {
	readonly openIdSessions: Pick<OpenIdSessions, 'create' | 'remove'>;
	readonly sessionTokens: Pick<OpenIdSessionTokens, 'put' | 'remove'>;
}

/** The dependencies of setting up a second factor, which ends the sessions that the person had before. */
export interface SecondFactorSetDeps extends PasswordCheckDeps, RefusalDeps {
	readonly openIdSessions: Pick<OpenIdSessions, 'listOf' | 'remove'>;
	readonly sessionTokens: Pick<OpenIdSessionTokens, 'remove'>;
}

/** A secret for an authenticator app; with its recovery codes where it was set. */
export interface OfferedFactor {
	readonly secret: string;
	readonly address: string;
	readonly recoveryCodes: readonly string[] | null;
}

/** Codes that count as failures to sign in. */
const failures: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['password_refused', 'code_refused']);

const recoveryCodeCount = 10;

/** How long after its password was set an account takes a second factor, where one is required: 1 h. */
const enrolmentMs = hourMs;

/**
 * Signs in with an account. An unknown e-mail costs the same hash and the same reads, so that the time reveals no account. The attempt is
 * counted before the hash, and withdrawn on success and on every fault that is not the client's.
 * @param source the client's network address
 * @param now epoch milliseconds
 * @throws DomainError `password_refused`, `sign_in_blocked`, `code_required`, `code_refused`, `second_factor_required`, `no_grant`, and the errors of
 *   the ports
 */
export async function signInPassword(
	deps: PasswordSignInDeps,
	{ email, password, code, ...asked }: v.InferOutput<typeof passwordSignInSchema>,
	source: string,
	now: number,
): Promise<OpenIdSignedIn> {
	const tell = (account: Pick<Account, 'email' | 'name' | 'groups'>) => tellRefusal(deps, account, source, now);
	return whileCounted(deps, email, source, now, async (client) => {
		const account = await checkedAccount(deps, { email, password }, client, tell);
		if (account.secondFactor !== null) {
			if (code === undefined) throw new DomainError('code_required', {});
			if (!(await usesCode(deps, account, account.secondFactor, code, now))) {
				await deps.accounts.countWrongCode(email);
				// As for a wrong password.
				await tell(account).catch(() => undefined);
				throw new DomainError('code_refused', {});
			}
		} else if (deps.requiresSecondFactor) throw new DomainError('second_factor_required', {});
		const signedIn = await beginAccountSession(deps, account, asked, source, now);
		await deps.attempts.remember(normalizeEmail(email), networkOf(source), now).catch(() => undefined);
		return signedIn;
	});
}

/**
 * Offers a secret for an authenticator app or, with a code of it, sets it and ends the sessions of the person. The code may be used to sign in
 * after that. Nobody but an operator takes a second factor away. Where one is required, it is set up while the password is new: who has got
 * hold of a password later cannot set up a factor of their own.
 * @throws DomainError `password_refused`, `sign_in_blocked`, `second_factor_set`, `second_factor_late`, `code_refused`, and the errors of the ports
 */
export async function setSecondFactor(
	deps: SecondFactorSetDeps,
	{ email, password, secret, code }: v.InferOutput<typeof secondFactorSchema>,
	source: string,
	now: number,
): Promise<OfferedFactor> {
	const { totp, accounts } = deps;
	return whileCounted(deps, email, source, now, async (client) => {
		const tell = (refused: Pick<Account, 'email' | 'name' | 'groups'>) => tellRefusal(deps, refused, source, now);
		const account = await checkedAccount(deps, { email, password }, client, tell);
		if (account.secondFactor !== null) throw new DomainError('second_factor_set', {});
		if (deps.requiresSecondFactor && now - (account.passwordAt ?? 0) > enrolmentMs)
			throw new DomainError('second_factor_late', {});
		const offered = secret ?? totp.newSecret();
		const told = { secret: offered, address: totpAddress(account.email, offered), recoveryCodes: null };
		if (secret === undefined) return told;
		if (stepOfCode(totp, secret, plainCode(code ?? ''), now) === null) throw new DomainError('code_refused', {});
		const recoveryCodes = Array.from({ length: recoveryCodeCount }, totp.newRecoveryCode);
		const factor = { secret, recoveryHashes: recoveryCodes.map(totp.hash) };
		// Somebody may have set one, or changed the account, while the password was checked.
		if (!(await accounts.setSecondFactor(email, factor, account.passwordHash ?? '', now)))
			throw new DomainError('password_refused', {});
		const sessions = await deps.openIdSessions.listOf(accountPersonId(deps.digest, account.email));
		for (const { id } of sessions) await endSession(deps, id);
		return { ...told, recoveryCodes };
	});
}

/** Runs `work` while an attempt to sign in counts. Only the client's failures stay counted. */
async function whileCounted<Result>(
	{ attempts, newId }: Pick<PasswordCheckDeps, 'attempts' | 'newId'>,
	email: string,
	source: string,
	now: number,
	work: (client: PasswordClient) => Promise<Result>,
): Promise<Result> {
	const attempt = { id: newId(), at: now, email: normalizeEmail(email), source: networkOf(source) };
	const withdraw = () => withdrawAttempt(attempts, attempt).catch(() => undefined);
	try {
		const isKnown = await countAttempt(attempts, attempt);
		const result = await work({ email: attempt.email, source: attempt.source, isKnown });
		// If the store fails now, one attempt stays counted.
		await withdraw();
		return result;
	} catch (error) {
		// The fault is reported even when the attempt cannot be withdrawn: both may have the same cause.
		if (!(error instanceof DomainError && failures.has(error.code))) await withdraw();
		throw error;
	}
}

/** Returns the account of an e-mail and its password. @throws DomainError `password_refused` */
async function checkedAccount(
	{ accounts, passwords }: PasswordCheckDeps,
	{ email, password }: { readonly email: string; readonly password: string },
	client: PasswordClient,
	tell: (account: Pick<Account, 'email' | 'name' | 'groups'>) => Promise<void>,
): Promise<Account> {
	const account = await accounts.find(email);
	const isRight = await passwords.verify(password, account?.passwordHash ?? null, client);
	if (account !== null && isUsable(account) && isRight) return account;
	// The client gets the same answer even if the refusal cannot be added to the journal.
	await tell(account ?? { email, name: '', groups: [] }).catch(() => undefined);
	throw new DomainError('password_refused', {});
}

/** Uses up a code of the app, or a recovery code. Returns whether it was right and not used. */
async function usesCode(
	{ accounts, totp }: PasswordCheckDeps,
	{ email }: Account,
	{ secret }: SecondFactor,
	sent: string,
	now: number,
): Promise<boolean> {
	const code = plainCode(sent);
	const step = stepOfCode(totp, secret, code, now);
	return step === null ? accounts.useRecoveryCode(email, totp.hash(code)) : accounts.useStep(email, step);
}

/** Begins a session of an account. One that was changed meanwhile gets none: whoever changed it may have looked for sessions before. */
async function beginAccountSession(
	deps: PasswordSignInDeps,
	account: Account,
	asked: AskedTenant,
	source: string,
	now: number,
): Promise<OpenIdSignedIn> {
	const person = {
		provider: accountsProvider,
		issuer: accountsIssuer,
		subject: normalizeEmail(account.email),
		issuedAt: Math.floor(now / 1000),
		claims: accountClaims(account),
		keptClaims: () => ({}),
		tokens: { refreshToken: null, idToken: null },
		seconds: deps.token.sessionSeconds,
		check: async ({ id }: { readonly id: string }) => {
			const found = await deps.accounts.find(account.email);
			if (found !== null && accessOf(found) === accessOf(account)) return;
			await endSession(deps, id);
			throw new DomainError('password_refused', {});
		},
	};
	return beginSession(deps, person, asked, source, now);
}

/** Returns what an account gives access by. A recovery code that was used changes nothing of it. */
function accessOf({ name, groups, passwordHash, isDisabled, secondFactor }: Account): string {
	return JSON.stringify([name, groups, passwordHash, isDisabled, secondFactor?.secret]);
}

/** Tells the journals of all schemas that the account is let into, whichever was asked for. They tell of known people only. */
async function tellRefusal(
	deps: RefusalDeps,
	account: Pick<Account, 'email' | 'name' | 'groups'>,
	source: string,
	now: number,
): Promise<void> {
	const claims = accountClaims(account);
	const tenants = await grantedTenants(deps, await deps.grants.list(accountsProvider), claims);
	const schemas = new Set(tenants.map(({ schema }) => schema));
	const actor = {
		kind: 'person',
		id: accountPersonId(deps.digest, account.email),
		name: shownName(claims, accountsProvider),
	} as const;
	for (const schema of schemas) await deps.tell(schema, { actor, source, refusal: 'credentials', at: now });
}
