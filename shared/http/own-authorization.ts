import { createHash } from 'node:crypto';
import { machineSubject } from '#domain/access/actor.ts';
import { createLruCache } from '#domain/lru-cache.ts';
import { minuteMs } from '#domain/milliseconds.ts';
import type { SessionJournal } from '#domain/ports/session-journal.ts';
import { checkMachine, type MachineCheckDeps } from '#domain/use-cases/sign-in-machine.ts';
import { scopesOf } from '#shared/endpoint.ts';
import type { ApiResponse } from './api-response.ts';
import type { Authorizer } from './authorizer.ts';
import { sessionTeller } from './caller.ts';
import { basicChallenge, basicCredentialsOf } from './client-credentials.ts';
import type { ApiEvent, ApiHandler } from './event.ts';
import type { HandlerDeps } from './handler-deps.ts';
import { type Admitting, createLambdaHandler } from './lambda-handler.ts';
import { headerOf } from './request.ts';
import { sourceOf, type TrustedProxy } from './trusted-proxy.ts';

/** What endpoints need that check credentials themselves (`auth: 'basic'`). */
export interface OwnAuthorizationDeps extends Omit<MachineCheckDeps, 'tell'> {
	/** Checks bearer tokens as the gateway does. */
	readonly authorizer: Authorizer;
	readonly sessions: SessionJournal;
	/** Null: clients call the gateway themselves. */
	readonly trustedProxy: TrustedProxy | null;
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/** Returns the event of a request with the claims of its caller, as the gateway's authorizer adds them; or the response that refuses it. */
export type OwnAuthorization = (event: ApiEvent) => Promise<ApiEvent | ApiResponse>;

/** The dependencies of a handler that checks credentials itself. */
export interface OwnAuthorizationHandlerDeps extends HandlerDeps {
	readonly authorization: OwnAuthorization;
}

/** How long a machine's credentials are not checked again, so that a removed secret works for as long at most. */
const checkedMs = minuteMs;

/** Most machines whose credentials are remembered. */
const maxChecked = 1000;

/** The claims of a caller, and until when (epoch milliseconds) they hold without another check. */
interface Checked {
	readonly claims: Readonly<Record<string, string>>;
	readonly until: number;
}

/**
 * Creates the check of the header Authorization: a bearer token, or as Basic the client id and the secret of a machine, which may then read
 * as a viewer (shared/domain/access/README.md#machines). Refusals look like those of the gateway.
 */
export function createOwnAuthorization(deps: OwnAuthorizationDeps): OwnAuthorization {
	const checked = createLruCache<string, Checked>(maxChecked);
	const claimsOfMachine = async (event: ApiEvent, header: string): Promise<Checked['claims'] | null> => {
		const now = deps.now();
		// The cache holds no secrets.
		const key = createHash('sha256').update(header).digest('base64');
		const known = checked.get(key);
		if (known !== undefined && known.until > now) return known.claims;
		const sent = basicCredentialsOf(header);
		if (sent === null) return null;
		const tell = sessionTeller(deps.sessions, event);
		const machine = await checkMachine({ ...deps, tell }, sent, await sourceOf(event, deps.trustedProxy), now);
		if (machine === null) return null;
		const { clientId, name, schema, database, owner, expiresAt } = machine;
		const claims = { sub: machineSubject(clientId), name, schema, tsdb: database, client: String(owner) };
		checked.set(key, { claims, until: Math.min(now + checkedMs, expiresAt) });
		return claims;
	};
	return async (event) => {
		const header = headerOf(event, 'authorization');
		if (header !== undefined && /^basic /i.test(header)) {
			const claims = await claimsOfMachine(event, header);
			return claims === null ? unauthorized : withClaims(event, claims);
		}
		const authorization = await deps.authorizer(header, scopesOf({ role: 'viewer' }));
		if (authorization.outcome === 'allowed') return withClaims(event, authorization.claims);
		if (authorization.outcome === 'unauthorized') return unauthorized;
		return { status: 403, body: { message: 'Forbidden' }, headers: { 'www-authenticate': authorization.challenge } };
	};
}

/** Creates the handler of an endpoint that checks credentials itself. @param respond returns the response to an event with claims @param responseTo as that of `createLambdaHandler` */
export function createAuthorizedHandler(
	{ log, authorization }: OwnAuthorizationHandlerDeps,
	respond: (event: ApiEvent) => Promise<ApiResponse>,
	responseTo?: (error: unknown, requestId: string) => ApiResponse,
): ApiHandler {
	const authorized = async (event: ApiEvent, admit: Admitting): Promise<ApiResponse> => {
		const outcome = await authorization(event);
		if ('status' in outcome) return outcome;
		admit(outcome);
		return respond(outcome);
	};
	return createLambdaHandler(log, authorized, responseTo);
}

const unauthorized: ApiResponse = { status: 401, body: { message: 'Unauthorized' }, headers: basicChallenge };

const withClaims = (event: ApiEvent, claims: Checked['claims']): ApiEvent => ({
	...event,
	requestContext: { ...event.requestContext, authorizer: { jwt: { claims } } },
});
