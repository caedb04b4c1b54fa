import { DomainError } from '#domain/errors.ts';
import { logOutFromProvider, type ProviderLogoutDeps } from '#domain/use-cases/log-out-from-provider.ts';
import type { ApiHandler } from '#http/event.ts';
import type { HandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { formTextOf } from '#http/request.ts';

/** The largest form, in bytes. */
const maxFormBytes = 32_768;

const notStored = { 'cache-control': 'no-store' } as const;
const refusal = {
	status: 400,
	headers: notStored,
	body: { error: 'invalid_request', error_description: 'Send logout_token, as OpenID Connect Back-Channel Logout 1.0 says.' },
} as const;

/** POST /backchannelLogout: a provider tells that a person signed out there (OpenID Connect Back-Channel Logout 1.0). */
export function createHandler(deps: HandlerDeps & ProviderLogoutDeps): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const tokens = new URLSearchParams(formTextOf(event, maxFormBytes) ?? '').getAll('logout_token');
		const [token] = tokens;
		if (token === undefined || tokens.length > 1) return refusal;
		try {
			await logOutFromProvider(deps, token);
			return { status: 200, headers: notStored, body: {} };
		} catch (error) {
			if (!(error instanceof DomainError && error.code === 'sign_in_refused')) throw error;
			deps.log.info('A logout of a provider was refused.', { cause: error.payload });
			return refusal;
		}
	});
}
