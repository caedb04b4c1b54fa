import * as v from 'valibot';
import { type Actor, clientIdOf, machineActor } from '#domain/access/actor.ts';
import type { ChangeOrigin } from '#domain/changes/change-entry.ts';
import { type SessionEvent, sessionEntry } from '#domain/changes/session-entry.ts';
import { isOpenIdPerson, isProgram } from '#domain/identity/subject.ts';
import type { SessionJournal } from '#domain/ports/session-journal.ts';
import { normalizeEmail } from '#domain/ports/users.ts';
import type { ApiEvent } from './event.ts';
import { headerOf } from './request.ts';
import { RequestError } from './request-error.ts';

/** The tenant and user of a request. Every stored key is scoped by `schema`, every series query by `database`. */
export interface Caller {
	readonly schema: string;
	/** The tenant's time-series database. */
	readonly database: string;
	/** The user's id from the token; empty where the token has none. */
	readonly user: string;
	/** The user's e-mail from the token; null where the token has none. */
	readonly email: string | null;
	/** Who calls, for what is stored with a name. A token of an earlier release has no e-mail: its user id stands for it. */
	readonly actor: Actor;
}

const claim = v.pipe(v.string(), v.nonEmpty());
const authorizerSchema = v.object({
	jwt: v.object({
		claims: v.object({
			schema: claim,
			tsdb: claim,
			sub: v.optional(v.string(), ''),
			email: v.optional(v.nullable(v.string()), null),
			name: v.optional(v.nullable(v.string()), null),
		}),
	}),
});

/**
 * Returns the caller from the claims that the authorizer verified. No other part of a request may name a tenant.
 * @throws RequestError 403 when the claims name no schema or no database.
 */
export function callerOf(event: ApiEvent): Caller {
	const result = v.safeParse(authorizerSchema, event.requestContext.authorizer);
	if (!result.success)
		throw new RequestError(403, 'request', 'no_tenant', 'The token names no schema and database: sign in again.');
	const { schema, tsdb, sub, email, name } = result.output.jwt.claims;
	return { schema, database: tsdb, user: sub, email, actor: actorOf(sub, email, name) };
}

/** Returns the schema that the authorizer verified; null where a request has no claims, or they name none. */
export function schemaOf(event: ApiEvent): string | null {
	const result = v.safeParse(authorizerSchema, event.requestContext.authorizer);
	return result.success ? result.output.jwt.claims.schema : null;
}

/** Returns who acts with a token. `sub` says it: nothing of an OpenID provider looks like an e-mail or a machine. */
function actorOf(sub: string, email: string | null, name: string | null): Actor {
	if (isOpenIdPerson(sub)) return { kind: 'person', id: sub, name: name ?? sub };
	const clientId = isProgram(sub) ? sub : clientIdOf(sub);
	return clientId === null
		? { kind: 'person', id: email === null ? sub : normalizeEmail(email), name: email ?? sub }
		: machineActor({ clientId, name: name ?? clientId });
}

const sessionSchema = v.object({ jwt: v.object({ claims: v.object({ sid: claim }) }) });

/** Returns the secret of the session of an OpenID provider that the token is of (`sid`); null: the token is of no such session. */
export function sidOf(event: ApiEvent): string | null {
	const result = v.safeParse(sessionSchema, event.requestContext.authorizer);
	return result.success ? result.output.jwt.claims.sid : null;
}

/** A claim that is a positive integer. 15 digits are always a safe integer. */
const numberClaim = v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/));
const ownerSchema = v.object({ jwt: v.object({ claims: v.object({ client: numberClaim }) }) });

/**
 * Returns the client at the identity provider that the caller's schema and database belong to.
 * @throws RequestError 403 when the token does not name it, as those of early releases
 */
export function ownerOf(event: ApiEvent): number {
	const result = v.safeParse(ownerSchema, event.requestContext.authorizer);
	if (!result.success)
		throw new RequestError(403, 'request', 'no_tenant', 'The token names no owner of the schema: sign in again.');
	return Number(result.output.jwt.claims.client);
}

/** The header by which the console says that a change was asked for on its pages. */
export const clientHeader = 'x-caudal-client';

/** Returns who asks for a change, by which way and with which request, for the journal of changes. */
export function changeOriginOf(event: ApiEvent): ChangeOrigin {
	return { actor: callerOf(event).actor, ...routeOf(event) };
}

/** Returns the way by which a request came, for the journal of changes. */
function routeOf(event: ApiEvent): Omit<ChangeOrigin, 'actor'> {
	const via = headerOf(event, clientHeader) === 'console' ? 'console' : 'api';
	return { via, requestId: event.requestContext.requestId };
}

/** Returns a function that adds a sign-in, or a refused one, to a schema's journal of changes with the origin of this request. */
export function sessionTeller(sessions: SessionJournal, event: ApiEvent) {
	return (schema: string, session: SessionEvent): Promise<void> => sessions.tell(schema, sessionEntry(session, routeOf(event)));
}
