import * as v from 'valibot';
import { roles } from '#domain/access/role.ts';
import type { FoundInRenewal, OpenIdSession } from '#domain/ports/openid-sessions.ts';

/** What a sign-in stores for good. */
const signInSchema = v.pipe(
	v.object({
		issuer: v.string(),
		subject: v.string(),
		providerSession: v.nullable(v.string()),
		/** Rows of the first release with sessions lack it. */
		issuedAt: v.optional(v.number()),
		createdAt: v.number(),
	}),
	v.transform((row) => ({ ...row, issuedAt: row.issuedAt ?? Math.floor(row.createdAt / 1000) })),
);

const recordedSchema = v.record(v.string(), v.array(v.string()));

/** What each renewal stores anew. */
const foundSchema = v.object({
	name: v.string(),
	tenants: v.array(v.object({ schema: v.string(), database: v.string(), owner: v.number(), role: v.picklist(roles) })),
	claims: recordedSchema,
	idTokenClaims: v.optional(recordedSchema, {}),
	checkedAt: v.number(),
});

/** A stored session: what stores compare, and the rest as texts. */
export const storedSessionSchema = v.object({
	id: v.string(),
	person: v.string(),
	provider: v.string(),
	signIn: v.string(),
	found: v.string(),
	version: v.number(),
	/** Epoch milliseconds. */
	endsAt: v.number(),
});

/** A stored session. */
export type StoredSession = v.InferOutput<typeof storedSessionSchema>;

/** Returns the stored form of a session. */
export function storedSessionOf(session: OpenIdSession): StoredSession {
	const { id, person, provider, version, endsAt, issuer, subject, providerSession, issuedAt, createdAt } = session;
	const signIn = JSON.stringify({ issuer, subject, providerSession, issuedAt, createdAt });
	return { id, person, provider, signIn, found: storedFoundOf(session), version, endsAt };
}

/** Returns the stored form of what a renewal found. */
export function storedFoundOf({ name, tenants, claims, idTokenClaims, checkedAt }: FoundInRenewal): string {
	return JSON.stringify({ name, tenants, claims, idTokenClaims, checkedAt });
}

/** Parses a stored row. Throws an Error that is no DomainError: an invalid row is never the client's fault. */
export function parseStoredSession(row: unknown): OpenIdSession {
	const { signIn, found, ...compared } = v.parse(storedSessionSchema, row);
	return { ...compared, ...v.parse(signInSchema, JSON.parse(signIn)), ...v.parse(foundSchema, JSON.parse(found)) };
}
