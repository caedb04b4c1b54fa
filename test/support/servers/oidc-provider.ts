import { generateKeyPairSync } from 'node:crypto';
import type { RequestListener } from 'node:http';
import Provider, { type AdapterFactory, type AdapterPayload, type ClientMetadata, type JWK } from 'oidc-provider';
import { type AuthorizationRequest, authorize } from '../authorize.ts';
import type { FormBrowser } from '../form-browser.ts';
import { listen } from './http-server.ts';

/** The claims of a user, beside `sub`, which is the name that they sign in with. */
export type UserClaims = Readonly<Record<string, unknown>>;

/** A client of the provider. */
export interface OidcClient {
	readonly clientId: string;
	/** Left out: the client has none. */
	readonly secret?: string;
	readonly redirectUris: readonly string[];
	readonly postLogoutRedirectUris?: readonly string[];
	/** Where logout tokens are sent. */
	readonly backchannelLogoutUri?: string;
}

/** How the provider behaves. */
export interface OidcProviderOptions {
	readonly clients: readonly OidcClient[];
	/** The users by the name that they sign in with. A test may change them while the provider runs. */
	readonly users: Map<string, UserClaims>;
	/** Whether each refresh token is used once. A second use ends everything that the sign-in gave. By default it is so. */
	readonly rotateRefreshTokens?: boolean;
	/** Whether ID tokens hold `sub` only, so that the other claims are at the userinfo endpoint. By default they hold all. */
	readonly thinIdTokens?: boolean;
	/** Whether its pages cut the link to the window that opened them, as many providers do. */
	readonly cutsOpener?: boolean;
}

/** oidc-provider, a certified OpenID provider, on this machine. */
export interface OidcProvider {
	readonly issuer: string;
	/** Returns the number of requests to a path: `/token`, `/jwks`, `/me`, `/token/revocation`, `/session/end`. */
	count(path: string): number;
	/** Paths that answer with status 500 from now on. */
	readonly failing: Set<string>;
	/** Paths that do not answer from now on. */
	readonly silent: Set<string>;
	/** Paths whose requests are carried out from now on, and whose answers are lost. */
	readonly losing: Set<string>;
	/** Signs a user in without a browser, and returns the query with which the provider sends the person back. */
	authorize(user: string, request: AuthorizationRequest, browser?: FormBrowser): Promise<URLSearchParams>;
	close(): void;
}

const key: JWK = {
	...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
	kty: 'RSA',
	kid: 'oidc-provider',
	use: 'sig',
	alg: 'RS256',
};

const hourSeconds = 3600;

/**
 * Starts a provider on a free port. Its first page has the field Name and the button Sign in. A page with the button Allow follows, once in a
 * session of a browser; the parameter `prompt=consent` brings it back. Signing out asks nothing. A resource that a request
 * names (RFC 8707) gets access tokens as JWTs; clients with a secret may have them for themselves, too.
 */
export async function startOidcProvider(options: OidcProviderOptions): Promise<OidcProvider> {
	const counts = new Map<string, number>();
	const failing = new Set<string>();
	const silent = new Set<string>();
	const losing = new Set<string>();
	let answer: RequestListener = (_, response) => void response.end();
	const { url: issuer, close } = await listen((request, response) => {
		const path = new URL(request.url ?? '/', 'http://localhost').pathname;
		counts.set(path, (counts.get(path) ?? 0) + 1);
		if (silent.has(path)) return;
		if (losing.has(path)) response.end = () => response.destroy();
		if (failing.has(path)) response.writeHead(500).end();
		else answer(request, response);
	});
	const provider = createProvider(issuer, options);
	provider.use(async (context, next) => {
		if (options.cutsOpener === true) context.set('cross-origin-opener-policy', 'same-origin');
		if (context.path.startsWith('/interaction/')) await interact(provider, context);
		else await next();
	});
	answer = provider.callback();

	return {
		issuer,
		count: (path) => counts.get(path) ?? 0,
		failing,
		silent,
		losing,
		authorize: (user, request, browser) => authorize(`${issuer}/auth`, request, { login: user }, browser),
		close,
	};
}

function createProvider(issuer: string, options: OidcProviderOptions): Provider {
	const { clients, users, rotateRefreshTokens = true, thinIdTokens = false } = options;
	return new Provider(issuer, {
		clients: clients.map(metadataOf),
		jwks: { keys: [key] },
		adapter: memoryAdapters(),
		// Its dispatcher sends nothing to loopback.
		fetch: (address, { dispatcher, ...request } = {}) => fetch(address, request),
		cookies: { keys: ['a-test'] },
		claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username', 'groups'] },
		conformIdTokenClaims: thinIdTokens,
		rotateRefreshToken: rotateRefreshTokens,
		// Also without the scope offline_access, which needs a consent.
		issueRefreshToken: async (_, client) => client.grantTypeAllowed('refresh_token'),
		pkce: { required: () => true },
		interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
		findAccount: (_, accountId) => {
			const claims = users.get(accountId);
			return claims && { accountId, claims: async () => ({ sub: accountId, ...claims }) };
		},
		ttl: {
			AccessToken: hourSeconds,
			ClientCredentials: hourSeconds,
			IdToken: hourSeconds,
			RefreshToken: 24 * hourSeconds,
			Grant: 24 * hourSeconds,
			Interaction: hourSeconds,
			Session: 24 * hourSeconds,
		},
		features: {
			devInteractions: { enabled: false },
			revocation: { enabled: true, allowedPolicy: async (_, client, token) => token.clientId === client.clientId },
			clientCredentials: { enabled: true },
			backchannelLogout: { enabled: true },
			rpInitiatedLogout: {
				enabled: true,
				logoutSource: async (context, form) => {
					const confirmed = form.replace('</form>', '<input type="hidden" name="logout" value="yes"/></form>');
					context.body = `<!DOCTYPE html><title>Sign out</title>${confirmed}<script>document.forms[0].submit()</script>`;
				},
			},
			resourceIndicators: {
				enabled: true,
				useGrantedResource: async () => true,
				getResourceServerInfo: async (_, resource) => ({
					scope: 'openid email profile',
					audience: resource,
					accessTokenFormat: 'jwt',
					jwt: { sign: { alg: 'RS256' } },
				}),
			},
		},
	});
}

/** Keeps what the provider stores in memory: its own store for that warns of itself. */
function memoryAdapters(): AdapterFactory {
	const stored = new Map<string, AdapterPayload>();
	return (model) => {
		const find = async (isIt: (payload: AdapterPayload, key: string) => boolean) =>
			[...stored].find(([key, payload]) => key.startsWith(`${model}:`) && isIt(payload, key))?.[1];
		return {
			upsert: async (id, payload) => void stored.set(`${model}:${id}`, payload),
			find: async (id) => stored.get(`${model}:${id}`),
			findByUid: (uid) => find((payload) => payload.uid === uid),
			findByUserCode: (userCode) => find((payload) => payload.userCode === userCode),
			consume: async (id) => {
				const payload = stored.get(`${model}:${id}`);
				if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
			},
			destroy: async (id) => void stored.delete(`${model}:${id}`),
			revokeByGrantId: async (grantId) => {
				for (const [key, payload] of stored) if (payload.grantId === grantId) stored.delete(key);
			},
		};
	};
}

function metadataOf(client: OidcClient): ClientMetadata {
	return {
		client_id: client.clientId,
		...(client.secret === undefined
			? { token_endpoint_auth_method: 'none' }
			: { client_secret: client.secret, token_endpoint_auth_method: 'client_secret_basic' }),
		grant_types: ['authorization_code', 'refresh_token', ...(client.secret === undefined ? [] : ['client_credentials'])],
		redirect_uris: [...client.redirectUris],
		post_logout_redirect_uris: [...(client.postLogoutRedirectUris ?? [])],
		...(client.backchannelLogoutUri === undefined
			? {}
			: { backchannel_logout_uri: client.backchannelLogoutUri, backchannel_logout_session_required: true }),
	};
}

/** Shows the page on which people sign in or consent, and takes what it sends. */
async function interact(provider: Provider, context: Parameters<Parameters<Provider['use']>[0]>[0]): Promise<void> {
	const { prompt, params, session, grantId } = await provider.interactionDetails(context.req, context.res);
	if (context.method !== 'POST') {
		const field = prompt.name === 'login' ? '<label>Name <input name="login" autofocus required></label>' : '';
		const button = `<button>${prompt.name === 'login' ? 'Sign in' : 'Allow'}</button>`;
		context.type = 'html';
		context.body = `<!DOCTYPE html><title>Provider</title><form method="post" action="${context.path}">${field}${button}</form>`;
		return;
	}
	if (prompt.name === 'login') {
		const accountId = new URLSearchParams(await textOf(context.req)).get('login') ?? '';
		return provider.interactionFinished(context.req, context.res, { login: { accountId } });
	}
	const clientId = String(params['client_id']);
	const grant =
		(grantId === undefined ? undefined : await provider.Grant.find(grantId)) ??
		new provider.Grant({ accountId: session?.accountId, clientId });
	grant.addOIDCScope(String(params['scope']));
	for (const resource of [params['resource'] ?? []].flat()) grant.addResourceScope(String(resource), String(params['scope']));
	const consent = { grantId: await grant.save() };
	return provider.interactionFinished(context.req, context.res, { consent }, { mergeWithLastSubmission: true });
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of stream) chunks.push(chunk);
	return Buffer.concat(chunks).toString();
}
