import * as v from 'valibot';
import type { InteractiveProvider } from '#domain/identity/provider-settings.ts';
import type { GrantRefusal, ProviderTokens } from '#domain/ports/openid-providers.ts';
import { isSecretText, type Secret, withSecret } from '../secret.ts';
import { type AskProvider, bodyOf, type ProviderRequest, providerFailed } from './provider-request.ts';

const sentInHeader = v.pipe(v.string(), v.check(isSecretText));

/** A successful answer (RFC 6749, section 5.1; OpenID Connect Core, section 3.1.3.3). */
const tokensSchema = v.object({
	access_token: sentInHeader,
	id_token: v.nullish(v.string(), null),
	refresh_token: v.nullish(v.pipe(v.string(), v.nonEmpty()), null),
});

/** A refusal (RFC 6749, section 5.2). Its description may repeat what was sent. */
const refusalSchema = v.object({ error: v.pipe(v.string(), v.regex(/^[a-z_]{1,40}$/)) });

/** Requests of a client of a provider: with its secret, and never sent twice. */
export interface ClientRequests {
	/** Exchanges a code or a refresh token for tokens. @throws DomainError `dependency_failed`, `dependency_slow` */
	exchange(
		provider: InteractiveProvider,
		address: string,
		form: Readonly<Record<string, string>>,
	): Promise<ProviderTokens | GrantRefusal>;
	/** Revokes a refresh token (RFC 7009). @throws DomainError `dependency_failed`, `dependency_slow` */
	revoke(provider: InteractiveProvider, address: string, refreshToken: string): Promise<void>;
}

/** Time limit of a revocation, for which a person waits who signs out. */
const revokeMs = 2000;

/**
 * Creates the requests that clients send to their providers.
 * @param secrets returns the secret of a provider by its name
 */
export function createClientRequests(ask: AskProvider, secrets: (name: string) => Secret): ClientRequests {
	/** Secrets that a provider refused, by its name. The next request reads the secret again: a code is sent once only. */
	const refusedSecrets = new Map<string, string>();

	/** Returns the secret; null: the client has none. */
	const secretOf = async ({ name, secret: hasSecret }: InteractiveProvider, signal: AbortSignal): Promise<string | null> => {
		if (!hasSecret) return null;
		const secret = secrets(name);
		const refused = refusedSecrets.get(name);
		const current = { ...secret, value: () => (refused === undefined ? secret.value() : secret.refresh(refused)) };
		return withSecret(
			current,
			signal,
			async (text) => text,
			() => false,
		);
	};
	const send = async (
		operation: string,
		provider: InteractiveProvider,
		address: string,
		form: Readonly<Record<string, string>>,
		limitMs?: number,
	) => {
		let secret: string | null = null;
		const prepare = async (signal: AbortSignal) => {
			secret = await secretOf(provider, signal);
			return formRequest(provider, form, secret);
		};
		const answer = await ask(operation, address, prepare, limitMs);
		const error = answer.status < 500 && v.is(refusalSchema, answer.body) ? answer.body.error : null;
		if (error === 'invalid_client' && secret !== null) refusedSecrets.set(provider.name, secret);
		return { answer, error };
	};
	return {
		exchange: async (provider, address, form) => {
			const operation = `${provider.name} token endpoint`;
			const { answer, error } = await send(operation, provider, address, form);
			if (error === 'invalid_grant') return error;
			if (error !== null) throw providerFailed(operation, error);
			const tokens = bodyOf(tokensSchema, operation, answer);
			return { idToken: tokens.id_token, accessToken: tokens.access_token, refreshToken: tokens.refresh_token };
		},
		revoke: async (provider, address, token) => {
			await send(`${provider.name} revocation`, provider, address, { token, token_type_hint: 'refresh_token' }, revokeMs);
		},
	};
}

/** Builds a request with the credentials of the client (RFC 6749, section 2.3.1). */
function formRequest(
	{ clientId, clientAuthentication }: InteractiveProvider,
	form: Readonly<Record<string, string>>,
	secret: string | null,
): ProviderRequest {
	if (secret === null) return { method: 'POST', body: new URLSearchParams({ ...form, client_id: clientId }) };
	if (clientAuthentication === 'post')
		return { method: 'POST', body: new URLSearchParams({ ...form, client_id: clientId, client_secret: secret }) };
	const credentials = [clientId, secret].map((text) => new URLSearchParams({ _: text }).toString().slice(2)).join(':');
	const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
	return { method: 'POST', headers: { authorization }, body: new URLSearchParams(form) };
}
