import { DomainError } from '#domain/errors.ts';
import { type OpenIdRenewDeps, renewOpenId } from '#domain/use-cases/renew-openid.ts';
import { askedTenantSchema } from '#domain/use-cases/sign-in-openid.ts';
import { callerOf, sidOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { HandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { openIdResponse } from '#http/openid-response.ts';
import { outageReporter } from '#http/outage-reporter.ts';
import { bodyOf } from '#http/request.ts';
import { parseSent } from '#http/sent-input.ts';

/** The dependencies of `renewOpenId`. */
export interface RenewOpenIdDeps extends HandlerDeps, Omit<OpenIdRenewDeps, 'reportOutage'> {}

/** POST /renewOpenId: exchanges a token that is still valid for a new one of the same session, of another tenant if it is asked for. */
export function createHandler(deps: RenewOpenIdDeps): ApiHandler {
	const reportOutage = outageReporter(deps.log);
	return createLambdaHandler(deps.log, async (event) => {
		const asked = parseSent(askedTenantSchema, bodyOf(event));
		const { schema, database, user: person } = callerOf(event);
		const sid = sidOf(event);
		if (sid === null) throw new DomainError('renewal_refused', {});
		return openIdResponse(await renewOpenId({ ...deps, reportOutage }, { sid, person, schema, database }, asked));
	});
}
