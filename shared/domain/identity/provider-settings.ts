import * as v from 'valibot';

/** Most providers that one service may have. */
export const maxOpenIdProviders = 10;

/** Parameters of the authorization request that the page writes (RFC 6749, section 4.1.1; OpenID Connect Core, section 3.1.2.1; RFC 7636). */
const pageParameters = [
	'response_type',
	'client_id',
	'redirect_uri',
	'scope',
	'state',
	'nonce',
	'code_challenge',
	'code_challenge_method',
];

const providerName = /^[a-z0-9-]{1,20}$/;
const name = v.pipe(v.string(), v.regex(providerName, 'must be 1 to 20 characters of a-z, 0-9 and -.'));
const text = v.pipe(v.string(), v.nonEmpty('must not be empty.'));
const texts = v.array(text);

/** Returns whether a text may be the name of a provider. */
export function isProviderName(text: string): boolean {
	return providerName.test(text);
}

/**
 * Returns whether requests may go to an address of a provider, and pages to it: https without a password, or http of this machine, where nobody
 * is on the way (shared/domain/identity/README.md#addresses).
 */
export function isProviderAddress(text: string, httpToo: boolean): boolean {
	const url = URL.parse(text);
	if (url === null || url.username !== '' || url.password !== '') return false;
	return url.protocol === 'https:' || (url.protocol === 'http:' && (httpToo || isLoopback(url)));
}

/**
 * Returns whether requests may go to an address that the document of a provider names. A provider elsewhere names neither this machine nor
 * its neighbours on the link, such as the metadata service of a cloud, nor http where its issuer is https.
 */
export function isDocumentAddress(text: string, issuer: string, httpToo: boolean): boolean {
	const [url, own] = [URL.parse(text), URL.parse(issuer)];
	if (url === null || own === null || !isProviderAddress(text, httpToo)) return false;
	return isLoopback(own) || ((url.protocol === 'https:' || own.protocol === 'http:') && !isLocal(url));
}

const isLoopback = ({ hostname }: URL): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

const isLocal = ({ hostname }: URL): boolean => [localHost, embeddedHost].some((pattern) => pattern.test(hostname));

/** Hosts of this machine and of its link (RFC 6761, 6890, 3927, 4291), as URLs write them: also with a dot at their end. */
const localHost = /^((.*\.)?localhost|(0|127)(\.\d+){3}|169\.254(\.\d+){2}|\[fe[89ab].*\]|\[fd00:ec2:.*\])\.?$/;

/** The IPv4 ones within IPv6 (RFC 4291, section 2.5.5; RFC 6052), and the IPv6 address of this machine. */
const embeddedHost = /^\[(::(ffff:)?|64:ff9b::)(([0-9a-f]{1,2}|7f[0-9a-f]{2}|a9fe):)?[0-9a-f]{0,4}\]$/;

/** One provider of the list, as it is written in the settings (shared/domain/identity/README.md#settings). */
export const openIdProviderSchema = v.pipe(
	v.strictObject({
		name,
		/** What the button shows. */
		label: v.pipe(text, v.maxLength(40, 'must have at most 40 characters.')),
		/** Byte for byte as the provider writes it: Auth0 and authentik have a slash at its end. */
		issuer: text,
		/** Left out: nobody signs in by a button, and only tokens of others are exchanged. */
		clientId: v.optional(text),
		/** Whether the client has a secret. */
		secret: v.optional(v.boolean(), false),
		clientAuthentication: v.optional(v.picklist(['basic', 'post'], 'must be basic or post.'), 'basic'),
		scopes: v.optional(
			v.pipe(
				v.string(),
				v.check((text) => text.split(' ').includes('openid'), 'must hold openid.'),
			),
			'openid email profile',
		),
		/** More parameters of the authorization request. */
		parameters: v.optional(
			v.pipe(
				v.record(v.string(), v.string()),
				v.check(
					(parameters) => !pageParameters.some((each) => Object.hasOwn(parameters, each)),
					`must not hold ${pageParameters.join(', ')}.`,
				),
			),
			{},
		),
		/** Whether the claims of the userinfo endpoint are joined to those of the ID token. */
		userinfo: v.optional(v.boolean(), false),
		/** Whether a renewal asks the provider again. */
		recheck: v.optional(v.picklist(['refresh', 'none'], 'must be refresh or none.'), 'refresh'),
		/** Whether the redirect address names the provider: for one that does not name itself in its answer (RFC 9207). */
		via: v.optional(v.boolean(), false),
		/** Whether signing out here signs out at the provider, too. */
		signOut: v.optional(v.picklist(['provider', 'here'], 'must be provider or here.'), 'provider'),
		/** A whole address in place of the provider's `end_session_endpoint`. */
		signOutUrl: v.optional(text),
		/** Audiences of the tokens that are exchanged; none: no token is. */
		audiences: v.optional(texts, []),
		/** The `azp` or `client_id` of the tokens that are exchanged; none: any. */
		clients: v.optional(texts, []),
		/** Whom the exchanged tokens are for. */
		actors: v.optional(v.picklist(['people', 'programs'], 'must be people or programs.'), 'people'),
		/** A key set (RFC 7517) in place of the provider's `jwks_uri`: for clusters that nobody reaches. */
		keys: v.optional(v.looseObject({ keys: v.array(v.looseObject({ kty: v.string() })) })),
	}),
	v.check(
		({ clientId, audiences }) => clientId === undefined || !audiences.includes(clientId),
		'audiences must not hold clientId: an ID token would be exchanged.',
	),
	v.check(
		({ actors, clientId }) => actors === 'people' || clientId === undefined,
		'must have no clientId with actors programs: programs have no button.',
	),
	v.check(
		({ clientId, audiences }) => clientId !== undefined || audiences.length > 0,
		'needs clientId or audiences: otherwise nobody signs in with it.',
	),
);

/** One provider of the list, with the defaults. */
export type OpenIdProvider = v.InferOutput<typeof openIdProviderSchema>;

/** A provider that people sign in with by a button. */
export interface InteractiveProvider extends OpenIdProvider {
	readonly clientId: string;
}

/** The list of providers, as it is written in the settings. */
export const openIdProvidersSchema = v.pipe(
	v.array(openIdProviderSchema),
	v.maxLength(maxOpenIdProviders, `must have at most ${maxOpenIdProviders} providers.`),
	v.check((list) => new Set(list.map((each) => each.name)).size === list.length, 'must have unique names.'),
	v.check((list) => {
		const audiences = list.flatMap((each) => each.audiences.map((audience) => `${each.issuer}\n${audience}`));
		return new Set(audiences).size === audiences.length;
	}, 'must not have two providers with one issuer and a common audience: a token would belong to both.'),
	v.check((list) => {
		const isExchanged = ({ issuer, clientId = '' }: OpenIdProvider): boolean =>
			list.some((each) => each.issuer === issuer && each.audiences.includes(clientId));
		return !list.some(isExchanged);
	}, 'must not have a clientId among the audiences of another provider with the same issuer: an ID token would be exchanged.'),
);

/** What only the whole of the settings says of the providers. */
export interface ProviderSurroundings {
	/** The issuer of the service's own tokens. */
	readonly ownIssuer: string;
	/** The address of the console, with which a provider's answer comes back; null: there is none. */
	readonly consoleUrl: string | null;
	/** Whether providers without TLS are allowed: those of a private network. */
	readonly httpToo: boolean;
}

/** Returns what is wrong with a list of providers beside its form, a sentence each. */
export function providerFaults(
	providers: readonly OpenIdProvider[],
	{ ownIssuer, consoleUrl, httpToo }: ProviderSurroundings,
): readonly string[] {
	return providers.flatMap((provider) => {
		const addresses = [provider.issuer, ...(provider.signOutUrl === undefined ? [] : [provider.signOutUrl])];
		return [
			...addresses
				.filter((address) => !isProviderAddress(address, httpToo))
				.map((address) => `${provider.name}: ${address} must be an https:// address without a password.`),
			...(provider.issuer === ownIssuer ? [`${provider.name}: the service cannot be its own provider.`] : []),
			...(provider.clientId !== undefined && consoleUrl === null
				? [`${provider.name}: consoleUrl is required with a clientId.`]
				: []),
		];
	});
}

/** Returns whether people sign in with a provider by a button. */
export function isInteractive(provider: OpenIdProvider): provider is InteractiveProvider {
	return provider.clientId !== undefined;
}

/** Returns the provider with a name, if people sign in with it by a button. */
export function interactiveProvider(providers: readonly OpenIdProvider[], name: string): InteractiveProvider | null {
	return providers.filter(isInteractive).find((each) => each.name === name) ?? null;
}

/** Returns the address to which a provider sends people back, as it must be registered there. */
export function redirectAddress({ name, via }: Pick<OpenIdProvider, 'name' | 'via'>, consoleUrl: string): string {
	return via ? `${consoleUrl}?via=${name}` : consoleUrl;
}
