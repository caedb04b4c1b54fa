import * as v from 'valibot';
import type { Actor } from '../access/actor.ts';
import { type OwnTenantDeps, ownTenant, type TenantRefusal } from '../access/own-tenant.ts';
import type { Role } from '../access/role.ts';
import { countAttempt, networkOf, withdrawAttempt } from '../access/sign-in-limits.ts';
import { endOfToken, scopeOfRole, type TokenSettings } from '../access/token-settings.ts';
import type { SessionRefusal } from '../changes/change-entry.ts';
import type { SessionEvent } from '../changes/session-entry.ts';
import { DomainError } from '../errors.ts';
import type { IdentityProvider } from '../ports/identity-provider.ts';
import type { People } from '../ports/people.ts';
import type { SignInAttempts } from '../ports/sign-in-attempts.ts';
import type { PersonTokenClaims, TokenSigner } from '../ports/token-signer.ts';
import { normalizeEmail, type User, type Users } from '../ports/users.ts';
import { text } from '../validation/field.ts';
import { maxEmailLength } from '../validation/input-limits.ts';
import { withKeywords } from '../validation/keywords.ts';

/** The longest application token, schema or database name, in characters. */
const maxCredentialLength = 4096;

/** The credentials that a client sends to sign in (shared/domain/use-cases/README.md#sign-in). */
export const credentialsSchema = v.object({
	email: withKeywords(text(maxEmailLength), { form: 'any' }),
	tokenApp: withKeywords(text(maxCredentialLength), { form: 'any' }),
	schemaName: withKeywords(text(maxCredentialLength), { form: 'any' }),
	tsdb_name: withKeywords(text(maxCredentialLength), { form: 'any' }),
});

/** Parsed credentials. */
export type Credentials = v.InferOutput<typeof credentialsSchema>;

/** The tenant of a token, and the person whom it is for. */
export interface TokenSubject {
	readonly email: string;
	readonly schema: string;
	readonly database: string;
}

/** The dependencies of issuing a token. */
export interface IssueTokenDeps {
	readonly users: Users;
	readonly people: Pick<People, 'find'>;
	/** The role of a person without a row. */
	readonly defaultRole: Role;
	readonly identityProvider: IdentityProvider;
	readonly signer: TokenSigner;
	readonly newId: () => string;
	/** Returns a random number from 0 (included) to 1 (excluded). */
	readonly random: () => number;
	readonly productId: number;
	readonly token: TokenSettings;
}

/** The dependencies of signing in. */
export interface SignInDeps extends OwnTenantDeps, IssueTokenDeps {
	readonly people: Pick<People, 'find' | 'noteSignIn'>;
	readonly attempts: SignInAttempts;
	/** Compares two secrets in a time that does not reveal where they differ. */
	readonly constantTimeEqual: (a: string, b: string) => boolean;
	/** Adds a sign-in, or a refusal, to the journal of changes of a schema. */
	readonly tell: (schema: string, event: SessionEvent) => Promise<void>;
	/** Reports a refusal for the operator: the client gets the same error as for any other. */
	readonly reportTenantRefusal: (refusal: TenantRefusal) => void;
}

/** A token, and the user that it is for. */
export interface SignedIn {
	readonly token: string;
	readonly user: User;
	readonly role: Role;
}

/**
 * Exchanges the identity provider's credentials for a service token. An unknown e-mail makes the same calls to the provider, with
 * id 0, so that neither the response time nor a fault reveals which e-mails are known. The attempt is counted before the provider is
 * asked. It is withdrawn on success and on every fault that is not the client's, so that an outage locks nobody out.
 * @param source the client's network address
 * @param now epoch milliseconds
 * @throws DomainError `credentials_refused` when any check fails, `sign_in_blocked` after too many failures, and the errors of the ports
 * @example
 * const { token, user } = await signIn(deps, v.parse(credentialsSchema, body), '203.0.113.7', Date.now());
 */
export async function signIn(deps: SignInDeps, sent: Credentials, source: string, now: number): Promise<SignedIn> {
	const { attempts } = deps;
	const attempt = { id: deps.newId(), at: now, email: normalizeEmail(sent.email), source: networkOf(source) };
	try {
		await countAttempt(attempts, attempt);
		const subject = { email: attempt.email, schema: sent.schemaName, database: sent.tsdb_name };
		const { schema } = subject;
		const refuse = async (refusal: SessionRefusal): Promise<never> => {
			const event = { actor: actorOf(subject.email), source, refusal, at: now };
			// The client gets the same answer even if the refusal cannot be added to the journal.
			await deps.tell(schema, event).catch(() => undefined);
			throw new DomainError('credentials_refused', {});
		};
		const user = await authenticate(deps, sent.tokenApp, subject, refuse);
		const role = (await deps.people.find(schema, user.email))?.role ?? deps.defaultRole;
		const token = await deps.signer.sign(claimsFor(deps, subject, { user, role, now }));
		// The entry is added before the token is returned, so that every token has an entry.
		await deps.tell(schema, { actor: actorOf(user.email), source, refusal: null, at: now });
		// The client gets its token. If the store fails now, one attempt stays counted, and the person keeps the default role.
		await Promise.allSettled([
			withdrawAttempt(attempts, attempt),
			attempts.remember(attempt.email, attempt.source, now),
			deps.people.noteSignIn(schema, user.email, role, now),
		]);
		return { token, user, role };
	} catch (error) {
		const isClientsFault =
			error instanceof DomainError && (error.code === 'credentials_refused' || error.code === 'sign_in_blocked');
		// The fault is reported even when the attempt cannot be withdrawn: both may have the same cause.
		if (!isClientsFault) await withdrawAttempt(attempts, attempt).catch(() => undefined);
		throw error;
	}
}

/**
 * Asks the identity provider about a user, with the service's own token. Every check is evaluated, so that the response time does
 * not reveal which one failed.
 * @param recover returns undefined for an error after which the check holds, because nobody said otherwise; left out: no check does
 * @returns whether user, schema, database and product are as the provider says, and the application token of the user, if it said any
 * @throws the errors of the port from which it does not recover
 */
export async function askProvider(
	{ identityProvider, productId }: Pick<IssueTokenDeps, 'identityProvider' | 'productId'>,
	{ id, clientId }: Pick<User, 'id' | 'clientId'>,
	{ email, schema, database }: TokenSubject,
	recover: (error: unknown) => undefined | Promise<never> = (error) => Promise.reject(error),
): Promise<{ readonly allows: boolean; readonly tokenApp: string | null }> {
	const [providerUser, schemas, products] = await Promise.all([
		identityProvider.getUser(id).catch(recover),
		identityProvider.getSchemaProduct(clientId, productId).catch(recover),
		identityProvider.listProductxUserxClient(id, clientId).catch(recover),
	]);
	const checks = [
		// No application may sign in as a user without an application token.
		providerUser === undefined || (typeof providerUser?.token_apps === 'string' && normalizeEmail(providerUser.email) === email),
		schemas?.some(
			(record) =>
				record.schema_name === schema &&
				record.tsdb_name === database &&
				record.client_id === clientId &&
				record.product_id === productId,
		),
		products?.some((record) => record.id_product === productId),
	];
	return { allows: !checks.includes(false), tokenApp: providerUser?.token_apps ?? null };
}

/** The user and the times of a new token. */
interface TokenGrant {
	readonly user: User;
	readonly role: Role;
	/** Epoch milliseconds. */
	readonly now: number;
	/** When the person signed in, in seconds since the epoch. Left out: now. A renewed token ends with its session. */
	readonly authTime?: number;
}

/** Returns the claims of a new token (shared/domain/use-cases/README.md#tokens). */
export function claimsFor(
	{ token, newId, random }: Pick<IssueTokenDeps, 'token' | 'newId' | 'random'>,
	{ schema, database }: TokenSubject,
	{ user, role, now, authTime }: TokenGrant,
): PersonTokenClaims {
	const { issuer, audience, scopes, sessionSeconds } = token;
	const issuedAt = Math.floor(now / 1000);
	const expiresAt = endOfToken(token, random, issuedAt);
	return {
		iss: issuer,
		aud: audience,
		sub: String(user.id),
		email: user.email,
		schema,
		tsdb: database,
		client: String(user.clientId),
		scope: scopeOfRole(scopes, role),
		iat: issuedAt,
		exp: authTime === undefined ? expiresAt : Math.min(expiresAt, authTime + sessionSeconds),
		auth_time: authTime ?? issuedAt,
		session_exp: (authTime ?? issuedAt) + sessionSeconds,
		jti: newId(),
	};
}

/** Returns the user whose credentials were sent. @throws what `refuse` throws, and the errors of the ports */
async function authenticate(
	deps: SignInDeps,
	tokenApp: string,
	subject: TokenSubject,
	refuse: (reason: SessionRefusal) => Promise<never>,
): Promise<User> {
	const user = await deps.users.find(subject.email);
	// No user has the id 0. The provider is asked all the same, so that an unknown e-mail takes as long as a known one.
	const { id, clientId } = user ?? { id: 0, clientId: 0 };
	const answer = await askProvider(deps, { id, clientId }, subject);
	const isTokenApp = deps.constantTimeEqual(answer.tokenApp ?? '', tokenApp);
	if (user === null || !isTokenApp || !answer.allows) return refuse('credentials');
	const refusal = await ownTenant(deps, { schema: subject.schema, database: subject.database, clientId });
	if (refusal === null) return user;
	deps.reportTenantRefusal(refusal);
	return refuse('tenant');
}

/** Returns how the journal of changes names a person. */
const actorOf = (email: string): Actor => ({ kind: 'person', id: normalizeEmail(email), name: email });
