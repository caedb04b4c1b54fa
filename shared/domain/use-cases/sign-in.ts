import * as v from 'valibot';
import { DomainError } from '../errors.ts';
import type { IdentityProvider, ProductRecord, ProviderUser, SchemaRecord } from '../ports/identity-provider.ts';
import type { SignInFailures } from '../ports/sign-in-failures.ts';
import type { TokenSigner } from '../ports/token-signer.ts';
import type { User, Users } from '../ports/users.ts';
import { text } from '../validation/field.ts';
import { failureWindowMs, maxFailures, retryAfterOf } from './sign-in-limit.ts';

const maxEmailLength = 320;

const maxSecretLength = 4096;

/** What a client signs in with (specification section 4.1). */
export const credentialsSchema = v.object({
	email: text(maxEmailLength),
	tokenApp: text(maxSecretLength),
	schemaName: text(maxSecretLength),
	tsdb_name: text(maxSecretLength),
});

export type Credentials = v.InferOutput<typeof credentialsSchema>;

/** What tokens say beside who signed in. */
export interface TokenSettings {
	readonly issuer: string;
	readonly audience: string;
	readonly scope: string;
	readonly lifetimeSeconds: number;
}

export interface SignInDeps {
	readonly users: Users;
	readonly failures: SignInFailures;
	readonly identityProvider: IdentityProvider;
	readonly signer: TokenSigner;
	/** Whether two secrets are equal, in a time that tells nothing of where they differ. */
	readonly constantTimeEqual: (a: string, b: string) => boolean;
	readonly newId: () => string;
	readonly productId: number;
	readonly token: TokenSettings;
}

interface ProviderAnswers {
	readonly user: ProviderUser | null;
	readonly schemas: readonly SchemaRecord[];
	readonly products: readonly ProductRecord[];
}

/** E-mail addresses are compared without regard to case, and kept under this form. */
export function normalizeEmail(email: string): string {
	return email.toLowerCase();
}

/**
 * Exchanges identity-provider credentials for a service token.
 * @param source the client's network address
 * @param now epoch milliseconds
 * Throws `credentials_refused` for whatever does not hold, `sign_in_blocked` after too many failures, and what the provider
 * throws: an unknown e-mail makes the same calls with id 0, so that neither time nor a fault tells who is known.
 */
export async function signIn(
	deps: SignInDeps,
	sent: Credentials,
	source: string,
	now: number,
): Promise<{ readonly token: string; readonly user: User }> {
	const email = normalizeEmail(sent.email);
	const blockedMs = retryAfterOf(await deps.failures.recent(email, now - failureWindowMs, maxFailures), source, now);
	if (blockedMs > 0) throw new DomainError('sign_in_blocked', { retryAfterMs: blockedMs });
	const user = await deps.users.find(email);
	const { id, clientId } = user ?? { id: 0, clientId: 0 };
	const [provided, schemas, products] = await Promise.all([
		deps.identityProvider.getUser(id),
		deps.identityProvider.getSchemaProduct(clientId, deps.productId),
		deps.identityProvider.listProductxUserxClient(id, clientId),
	]);
	if (!accepted(deps, sent, user, { user: provided, schemas, products }) || user === null) {
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

/** Whether everything holds that must (design section 7). All of it is looked at, whatever comes out first. */
function accepted(
	deps: SignInDeps,
	sent: Credentials,
	user: User | null,
	{ user: provided, schemas, products }: ProviderAnswers,
): boolean {
	const { clientId } = user ?? { clientId: 0 };
	const sameEmail = provided !== null && normalizeEmail(provided.email) === normalizeEmail(sent.email);
	const sameToken = deps.constantTimeEqual(provided?.token_apps ?? '', sent.tokenApp);
	const hasSchema = schemas.some(
		(record) =>
			record.schema_name === sent.schemaName &&
			record.tsdb_name === sent.tsdb_name &&
			record.client_id === clientId &&
			record.product_id === deps.productId,
	);
	const hasProduct = products.some((record) => record.id_product === deps.productId);
	return [user !== null, sameEmail, sameToken, hasSchema, hasProduct].every(Boolean);
}
