import type { Role } from '#domain/access/role.ts';

/** A tenant that a person of an OpenID provider may use, as requests name it. */
export interface TenantName {
	readonly schemaName: string;
	readonly tsdb_name: string;
}

/** How people sign in to this service. */
export interface SignInWays {
	/** Whether the identity provider of the specification is there, with its form. */
	readonly credentials: boolean;
	/** The address of the console to which providers send people back; null without providers. */
	readonly consoleUrl: string | null;
	readonly providers: { readonly name: string; readonly label: string }[];
}

/** What the page needs to send a person to a provider. */
export interface Authorization {
	readonly authorizationEndpoint: string;
	readonly issuer: string;
	/** Whether the provider names itself in its answer (RFC 9207). */
	readonly requiresIssuer: boolean;
	readonly clientId: string;
	readonly scope: string;
	readonly parameters: Readonly<Record<string, string>>;
	readonly redirectUri: string;
}

/** The answer to a sign-in with a provider, and to its renewal. */
export interface OpenIdAnswer {
	readonly token: string;
	readonly user: { readonly id: string; readonly name: string; readonly provider: string; readonly role: Role };
	readonly tenant: TenantName;
	readonly tenants: (TenantName & { readonly role: Role })[];
}

/** What `getPeople` and `savePerson` answer, beside the fields of everybody, of a person of an OpenID provider. */
export interface OpenIdOrigin {
	/** The name that is shown. */
	readonly name?: string | null;
	/** The name of the provider. */
	readonly provider?: string | null;
	/** The role that the provider's grants gave when the person signed in or was renewed last. */
	readonly granted?: Role | null;
}

/** The requests of signing in with a provider, in the form of `Paths` (infra/openapi/api.ts). */
export interface OpenIdPaths {
	readonly '/openIdProviders': { readonly get: Operation<{ readonly data: SignInWays }> };
	readonly '/openIdProvider': {
		readonly get: Operation<{ readonly data: Authorization }, { readonly query: { readonly name: string } }>;
	};
	readonly '/signInOpenId': {
		readonly post: Operation<OpenIdAnswer> &
			Body<
				Partial<TenantName> & {
					readonly provider: string;
					readonly code: string;
					readonly codeVerifier: string;
					readonly nonce: string;
				}
			>;
	};
	readonly '/renewOpenId': { readonly post: Operation<OpenIdAnswer> & Body<Partial<TenantName>> };
	readonly '/signOut': { readonly post: Operation<{ readonly address: string | null }> & Body<Readonly<Record<string, never>>> };
}

interface Operation<Answer, Parameters = Readonly<Record<string, never>>> {
	readonly parameters: Parameters;
	readonly responses: {
		readonly 200: { readonly content: { readonly 'application/json': Answer } };
		readonly default: { readonly content: { readonly 'application/json': unknown } };
	};
}

interface Body<Sent> {
	readonly requestBody: { readonly content: { readonly 'application/json': Sent } };
}
