import { decodeJwt, jwtVerify } from 'jose';
import * as v from 'valibot';
import { DomainError } from '#domain/errors.ts';
import type { OpenIdProvider } from '#domain/identity/provider-settings.ts';
import type { CachedRead } from '../cached-read.ts';
import type { KeyLookup } from './provider-keys.ts';

/** Signatures by a key pair. A secret of both sides (HS256) would be the public key, for whoever has it. */
export const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];

/** How far a provider's clock may be ahead of or behind this one, in seconds. */
const toleranceSeconds = 120;

/** How long keys are not read again for tokens that anybody may have sent, whatever key they name. */
export const rereadPauseMs = 30_000;

const seconds = v.pipe(v.number(), v.finite());

/** The longest `sub` of a person (OpenID Connect Core, section 2). */
const maxSubjectLength = 255;
/** The longest `sub` of a program: GitHub's and AWS's name what runs. */
const maxProgramLength = 1000;

/** The claims that every token must have (RFC 7519, section 4.1). */
export function requiredClaims({ actors }: Pick<OpenIdProvider, 'actors'>) {
	return v.looseObject({
		iss: v.string(),
		sub: v.pipe(v.string(), v.nonEmpty(), v.maxLength(actors === 'people' ? maxSubjectLength : maxProgramLength)),
		aud: v.union([v.string(), v.array(v.string())]),
		iat: seconds,
		exp: seconds,
	});
}

/** What a kind of token must be. */
export interface TokenRules<Claims> {
	/** Its name, for the log. */
	readonly kind: string;
	/** The types that its header may have, in lower case and without `application/`, beside none (RFC 8725, section 3.11). */
	readonly types: readonly string[];
	readonly claims: v.GenericSchema<unknown, Claims>;
	/** Returns the name of what is wrong with the claims; null: nothing is. */
	readonly fault: (claims: Claims) => string | null;
	/** How long keys that were read are not read again because a token names another; 0 for tokens that the provider sent itself. */
	readonly rereadPauseMs: number;
}

/** A token, and what is needed to verify it. */
export interface TokenToVerify {
	readonly token: string;
	readonly provider: OpenIdProvider;
	readonly keys: CachedRead<KeyLookup>;
	/** Epoch milliseconds. */
	readonly now: number;
}

/**
 * Returns the claims of a token that a key of its provider has signed, whose times are right, and which is as the rules say.
 * @throws DomainError `sign_in_refused`, `dependency_failed`, `dependency_slow`
 */
export async function verifyToken<Claims extends { readonly iat: number }>(
	{ token, provider, keys, now }: TokenToVerify,
	{ kind, types, claims: schema, fault, rereadPauseMs }: TokenRules<Claims>,
): Promise<Claims> {
	const told = `${provider.name} ${kind}`;
	const verify = async (lookup: KeyLookup) =>
		jwtVerify(token, lookup, {
			algorithms,
			issuer: provider.issuer,
			clockTolerance: toleranceSeconds,
			currentDate: new Date(now),
		});
	const lookup = await keys.current();
	const { protectedHeader, payload } = await verify(lookup)
		.catch(async (error: unknown) => {
			if (!isUnknownKey(error)) throw error;
			const newer = await keys.refresh(lookup, rereadPauseMs);
			if (newer === lookup) throw error;
			return verify(newer);
		})
		.catch((error: unknown) => {
			throw error instanceof DomainError ? error : refused(told, causeOf(error));
		});
	if (protectedHeader.crit !== undefined || protectedHeader.b64 !== undefined) throw refused(told, 'crit or b64');
	const type = protectedHeader.typ?.toLowerCase().replace(/^application\//, '');
	if (type !== undefined && !types.includes(type)) throw refused(told, 'typ');
	const result = v.safeParse(schema, payload);
	if (!result.success) throw refused(told, v.getDotPath(result.issues[0]) ?? 'claims');
	const claims = result.output;
	const problem = claims.iat > now / 1000 + toleranceSeconds ? 'iat' : fault(claims);
	if (problem !== null) throw refused(told, problem);
	return claims;
}

/** Returns the claims of a token that is not verified yet, to find out whose it is. @throws DomainError `sign_in_refused` */
export function unverifiedClaims(token: string, kind: string): { readonly iss?: unknown; readonly aud?: unknown } {
	try {
		return decodeJwt(token);
	} catch {
		throw refused(kind, 'no JWT');
	}
}

/** Returns the audiences of a token: `aud` is one text or several (RFC 7519, section 4.1.3). */
export function audiencesOf(aud: unknown): readonly unknown[] {
	return Array.isArray(aud) ? aud : [aud];
}

/** Builds the refusal of a token. `cause` names what is wrong, and never holds a part of the token. */
export function refused(kind: string, cause: string): DomainError<'sign_in_refused'> {
	return new DomainError('sign_in_refused', { cause: `${kind}: ${cause}` });
}

const joseErrorSchema = v.object({ code: v.string(), claim: v.optional(v.string()) });

/** Whether a token may be signed with a key that the provider has since the last read: with another `kid`, the same, or none. */
const isUnknownKey = (error: unknown): boolean =>
	v.is(joseErrorSchema, error) && ['ERR_JWKS_NO_MATCHING_KEY', 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED'].includes(error.code);

/** Describes an error of jose, whose message may quote the token. Some of its errors are of other libraries, and have no code. */
function causeOf(error: unknown): string {
	if (v.is(joseErrorSchema, error)) return `${error.code} ${error.claim ?? ''}`.trim();
	return error instanceof Error ? error.name : 'not verified';
}
