import * as v from 'valibot';
import { roles } from '#domain/access/role.ts';
import type { FoundInRenewal, OpenIdSession } from '#domain/ports/openid-sessions.ts';
import { tellInvalidRow } from './invalid-row.ts';

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

/** A stored session that may have lost attributes. */
const damagedSchema = v.object({
	id: v.string(),
	person: v.fallback(v.string(), ''),
	provider: v.fallback(v.string(), ''),
	signIn: v.fallback(v.string(), ''),
	found: v.fallback(v.string(), ''),
	version: v.fallback(v.number(), 0),
	endsAt: v.fallback(v.number(), 0),
});

/** What stands in for texts that cannot be read. */
const unreadSignIn = { issuer: '', subject: '', providerSession: null, issuedAt: 0, createdAt: 0 };
const unreadFound = { tenants: [], claims: {}, idTokenClaims: {}, checkedAt: 0 };

/**
 * Parses a stored row. A session whose attributes or texts cannot be read, as of a newer release, is over: it lets nobody in, and can be ended by
 * its person.
 */
export function parseStoredSession(row: unknown): OpenIdSession {
	const { signIn, found, ...compared } = v.parse(damagedSchema, row);
	const begun = v.safeParse(v.pipe(v.string(), v.parseJson(), signInSchema), signIn);
	const renewed = v.safeParse(v.pipe(v.string(), v.parseJson(), foundSchema), found);
	if (begun.success && renewed.success && v.is(storedSessionSchema, row))
		return { ...compared, ...begun.output, ...renewed.output };
	tellInvalidRow(null, 'session');
	return {
		...compared,
		...(begun.success ? begun.output : unreadSignIn),
		...unreadFound,
		name: compared.person,
		endsAt: 0,
	};
}

/** Returns a session; null where it is over at `now`, epoch milliseconds. */
export function unended(session: OpenIdSession, now: number): OpenIdSession | null {
	return session.endsAt > now ? session : null;
}
