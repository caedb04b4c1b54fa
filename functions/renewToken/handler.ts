import * as v from 'valibot';
import { DomainError } from '#domain/errors.ts';
import { normalizeEmail } from '#domain/ports/users.ts';
import { type HeldToken, type RenewTokenDeps, renewToken } from '#domain/use-cases/renew-token.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiEvent, ApiHandler } from '#http/event.ts';
import type { HandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { outageReporter } from '#http/outage-reporter.ts';
import { checkBody } from '#http/request.ts';
import { sessionResponse } from '#http/session-response.ts';

/** The dependencies of `renewToken`. */
export interface RenewDeps extends HandlerDeps, Omit<RenewTokenDeps, 'reportOutage'> {
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/** Seconds since the epoch. The gateway passes every claim as text. The text must begin with a digit, because `Number('')` is 0. */
const seconds = v.pipe(v.string(), v.regex(/^\d/), v.transform(Number), v.finite());

const authorizerSchema = v.object({
	jwt: v.object({ claims: v.object({ iat: seconds, auth_time: v.optional(seconds) }) }),
});

/** POST /renewToken: exchanges a token that is still valid for a new one of the same session. */
export function createHandler(deps: RenewDeps): ApiHandler {
	const reportOutage = outageReporter(deps.log);
	return createLambdaHandler(deps.log, async (event) => {
		checkBody(event);
		return sessionResponse(await renewToken({ ...deps, reportOutage }, heldTokenOf(event), deps.now()));
	});
}

/**
 * Returns the token of a request. A token of an earlier version has no `auth_time`: its session began when it was issued.
 * @throws DomainError `renewal_refused` for the token of a machine, which has no e-mail, and for one without times
 */
function heldTokenOf(event: ApiEvent): HeldToken {
	const { schema, database, user, email } = callerOf(event);
	const times = v.safeParse(authorizerSchema, event.requestContext.authorizer);
	if (email === null || !times.success) throw new DomainError('renewal_refused', {});
	const { iat, auth_time: authTime = iat } = times.output.jwt.claims;
	return { email: normalizeEmail(email), userId: user, schema, database, authTime };
}
