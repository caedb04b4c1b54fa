import * as v from 'valibot';
import { DomainError } from '../errors.ts';
import type { IdentityProvider } from '../ports/identity-provider.ts';
import { failureWindowMs, type SignInFailure, type SignInFailures } from '../ports/sign-in-failures.ts';
import type { TokenSigner } from '../ports/token-signer.ts';
import { normalizeEmail, type User, type Users } from '../ports/users.ts';
import { text } from '../validation/field.ts';

/** Failures for one e-mail that block sign-in: from the source address of the failures, or from every address. */
const maxFailuresPerSource = 10;
const maxFailures = 100;

const maxEmailLength = 320;
const maxSecretLength = 4096;

/** The credentials that a client sends to sign in (DESIGN.md section 7.1). */
export const credentialsSchema = v.object({
	email: text(maxEmailLength),
	tokenApp: text(maxSecretLength),
	schemaName: text(maxSecretLength),
	tsdb_name: text(maxSecretLength),
});

/** Parsed credentials. */
export type Credentials = v.InferOutput<typeof credentialsSchema>;

/** The token claims that are the same for every user (DESIGN.md section 7.2). */
export interface TokenSettings {
	readonly issuer: string;
	readonly audience: string;
	readonly scope: string;
	readonly lifetimeSeconds: number;
}

/** The dependencies of signing in. */
export interface SignInDeps {
	readonly users: Users;
	readonly failures: SignInFailures;
	readonly identityProvider: IdentityProvider;
	readonly signer: TokenSigner;
	/** Compares two secrets in a time that does not reveal where they differ. */
	readonly constantTimeEqual: (a: string, b: string) => boolean;
	readonly newId: () => string;
	readonly productId: number;
	readonly token: TokenSettings;
}

/**
 * Exchanges the identity provider's credentials for a service token. An unknown e-mail makes the same calls to the provider, with
 * id 0, so that neither the response time nor a fault reveals which e-mails are known.
 * @param source the client's network address
 * @param now epoch milliseconds
 * @throws DomainError `credentials_refused` when any check fails, `sign_in_blocked` after too many failures, and the errors of the ports
 * @example
 * const { token, user } = await signIn(deps, v.parse(credentialsSchema, body), '203.0.113.7', Date.now());
 */
export async function signIn(
	deps: SignInDeps,
	sent: Credentials,
	source: string,
	now: number,
): Promise<{ readonly token: string; readonly user: User }> {
	const email = normalizeEmail(sent.email);
	const retryAfterMs = retryAfterOf(await deps.failures.recent(email, now - failureWindowMs, maxFailures), source, now);
	if (retryAfterMs > 0) throw new DomainError('sign_in_blocked', { retryAfterMs });
	const user = await deps.users.find(email);
	const { id, clientId } = user ?? { id: 0, clientId: 0 };
	const [providerUser, schemas, products] = await Promise.all([
		deps.identityProvider.getUser(id),
		deps.identityProvider.getSchemaProduct(clientId, deps.productId),
		deps.identityProvider.listProductxUserxClient(id, clientId),
	]);
	// Every check is evaluated, so that the response time does not reveal which one failed.
	const checks = [
		providerUser !== null && normalizeEmail(providerUser.email) === email,
		deps.constantTimeEqual(providerUser?.token_apps ?? '', sent.tokenApp),
		schemas.some(
			(record) =>
				record.schema_name === sent.schemaName &&
				record.tsdb_name === sent.tsdb_name &&
				record.client_id === clientId &&
				record.product_id === deps.productId,
		),
		products.some((record) => record.id_product === deps.productId),
	];
	if (user === null || checks.includes(false)) {
		await deps.failures.record(email, { at: now, source });
		throw new DomainError('credentials_refused', {});
	}
	const issuedAt = Math.floor(now / 1000);
	const { issuer, audience, scope, lifetimeSeconds } = deps.token;
	const token = await deps.signer.sign({
		iss: issuer,
		aud: audience,
		sub: String(user.id),
		email: user.email,
		schema: sent.schemaName,
		tsdb: sent.tsdb_name,
		scope,
		iat: issuedAt,
		exp: issuedAt + lifetimeSeconds,
		jti: deps.newId(),
	});
	return { token, user };
}

/** How long sign-in from `source` stays blocked, in milliseconds; 0 when it is not blocked (DESIGN.md section 7.5). */
function retryAfterOf(failures: readonly SignInFailure[], source: string, now: number): number {
	const fromSource = failures.filter((failure) => failure.source === source);
	return Math.max(blockedFor(fromSource, maxFailuresPerSource, now), blockedFor(failures, maxFailures, now));
}

/** How long sign-in stays blocked. Ends when the limit-th newest failure is older than the window. `failures` are sorted newest first. */
function blockedFor(failures: readonly SignInFailure[], limit: number, now: number): number {
	const decisive = failures[limit - 1];
	return decisive === undefined ? 0 : Math.max(0, decisive.at + failureWindowMs - now);
}
