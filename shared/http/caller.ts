import * as v from 'valibot';
import type { ApiEvent } from './event.ts';
import { RequestError } from './request-error.ts';

/** Who calls: the tenant that every stored key and every query is scoped by (design section 1). */
export interface Caller {
	readonly schema: string;
	readonly database: string;
	/** The user's id, as the token has it. */
	readonly user: string;
}

const claim = v.pipe(v.string(), v.nonEmpty());

const authorizerSchema = v.object({
	jwt: v.object({ claims: v.object({ schema: claim, tsdb: claim, sub: v.optional(v.string(), '') }) }),
});

/** The caller, from the claims that the authorizer verified; never from the body. Throws RequestError 403 where they lack. */
export function callerOf(event: ApiEvent): Caller {
	const result = v.safeParse(authorizerSchema, event.requestContext.authorizer);
	if (!result.success) throw new RequestError(403, 'request', 'The token names no schema and database: sign in again.');
	const { schema, tsdb, sub } = result.output.jwt.claims;
	return { schema, database: tsdb, user: sub };
}
