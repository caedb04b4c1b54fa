import * as v from 'valibot';
import { countOpenIdAttempt, networkOf } from '../access/sign-in-limits.ts';
import { DomainError } from '../errors.ts';
import { type BeginSessionDeps, beginSession, type VerifiedPerson } from '../identity/begin-session.ts';
import { recordedClaims } from '../identity/granted-tenants.ts';
import type { OpenIdSignedIn } from '../identity/issue-token.ts';
import { joinedClaims, type OpenIdDeps, userinfoOf, withoutThoseOf } from '../identity/provider-session.ts';
import { type InteractiveProvider, interactiveProvider, redirectAddress } from '../identity/provider-settings.ts';
import type { SignInAttempts } from '../ports/sign-in-attempts.ts';
import { optionalField, text } from '../validation/field.ts';
import { withKeywords } from '../validation/keywords.ts';

/** The longest name of a schema or database, in characters, as in the credentials of `signIn`. */
const maxNameLength = 4096;

/** The tenant that a client asks for; left out: the first. */
export const askedTenantSchema = v.object({
	schemaName: optionalField(withKeywords(text(maxNameLength), { form: 'any' })),
	tsdb_name: optionalField(withKeywords(text(maxNameLength), { form: 'any' })),
});

/** What the page sends when a person comes back from a provider (shared/domain/identity/README.md#sign-in). */
export const openIdSignInSchema = v.object({
	provider: text(20),
	code: withKeywords(text(4096), { form: 'any' }),
	/** RFC 7636, section 4.1. */
	codeVerifier: v.pipe(text(128), v.regex(/^[\w.~-]{43,128}$/)),
	/** 32 random bytes in base64url. */
	nonce: v.pipe(text(43), v.regex(/^[\w-]{43}$/)),
	...askedTenantSchema.entries,
});

/** The dependencies of signing in with an OpenID provider. */
export interface OpenIdSignInDeps extends OpenIdDeps, Pick<BeginSessionDeps, 'tell'> {
	readonly attempts: SignInAttempts;
	/** The address of the console, to which providers send people back. */
	readonly consoleUrl: string;
	/** Reports a provider that gave no refresh token, so that its sessions end with their first token. */
	readonly reportNoRefreshToken: (provider: string) => void;
}

/**
 * Exchanges the code of an OpenID provider for a token of the service. The attempt is counted before the provider is asked, and withdrawn
 * on success and on every fault that is not the client's. The journal is told before the token is signed: no token is without an entry.
 * @param source the client's network address
 * @param now epoch milliseconds
 * @throws DomainError `no_such_provider`, `sign_in_blocked`, `sign_in_refused`, `no_grant`, `groups_not_in_token`, and the errors of the ports
 */
export async function signInOpenId(
	deps: OpenIdSignInDeps,
	sent: v.InferOutput<typeof openIdSignInSchema>,
	source: string,
	now: number,
): Promise<OpenIdSignedIn> {
	const provider = interactiveProvider(deps.openId.providers, sent.provider);
	if (provider === null) throw new DomainError('no_such_provider', {});
	const withdraw = await countOpenIdAttempt(deps.attempts, { id: deps.newId(), at: now, source: networkOf(source) });
	try {
		const signedIn = await exchangeCode(deps, provider, sent, source, now);
		// The client gets its token. If the store fails now, one attempt stays counted.
		await withdraw().catch(() => undefined);
		return signedIn;
	} catch (error) {
		const isClientsFault = error instanceof DomainError && error.code === 'sign_in_refused';
		// The fault is reported even when the attempt cannot be withdrawn: both may have the same cause.
		if (!isClientsFault) await withdraw().catch(() => undefined);
		throw error;
	}
}

async function exchangeCode(
	deps: OpenIdSignInDeps,
	provider: InteractiveProvider,
	{ code, codeVerifier, nonce, ...asked }: v.InferOutput<typeof openIdSignInSchema>,
	source: string,
	now: number,
): Promise<OpenIdSignedIn> {
	const redirectUri = redirectAddress(provider, deps.consoleUrl);
	const tokens = await deps.openId.redeem(provider, { code, codeVerifier, redirectUri });
	if (tokens === 'invalid_grant' || tokens.idToken === null)
		throw new DomainError('sign_in_refused', { cause: tokens === 'invalid_grant' ? tokens : 'no ID token' });
	const verified = await deps.openId.verifyIdToken(provider, tokens.idToken, { nonce });
	const userinfo = await userinfoOf(deps.openId, provider, tokens, verified.sub);
	const keepsTokens = provider.recheck === 'refresh';
	const refreshToken = keepsTokens ? tokens.refreshToken : null;
	const isUnrenewed = keepsTokens && refreshToken === null;
	const { sessionSeconds, lifetimeSeconds } = deps.token;
	const person: VerifiedPerson = {
		provider: provider.name,
		issuer: verified.iss,
		subject: verified.sub,
		issuedAt: verified.iat,
		claims: joinedClaims(verified, userinfo),
		keptClaims: (grants) => withoutThoseOf(userinfo, recordedClaims(grants, verified)),
		tokens: { refreshToken, idToken: tokens.idToken },
		// Without a refresh token nobody can be asked again, so the session ends with its first token.
		seconds: isUnrenewed ? Math.min(lifetimeSeconds, sessionSeconds) : sessionSeconds,
		check: async (session) => {
			// A logout that came before the session was stored did not find it. Without a token of ours, nobody uses it.
			if (await deps.openIdSessions.isLoggedOut(session))
				throw new DomainError('sign_in_refused', { cause: 'signed out at the provider meanwhile' });
		},
	};
	const signedIn = await beginSession(deps, person, asked, source, now);
	if (isUnrenewed) deps.reportNoRefreshToken(provider.name);
	return signedIn;
}
