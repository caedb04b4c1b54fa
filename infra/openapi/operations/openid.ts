import { pathOf } from '#shared/contract.ts';
import type { ApiOperation } from '../operation.ts';

const session = {
	token: 'eyJhbGciOiJSUzI1NiIsImtpZCI6ImxvY2FsIn0.eyJzdWIiOiJwIn0.c2lnbmF0dXJl',
	user: { id: 'person:9f86d081884c7d659a2feaa0c55ad015', name: 'ada@plant.example (entra)', provider: 'entra', role: 'engineer' },
	tenant: { schemaName: 'plant_a', tsdb_name: 'plant_a' },
	tenants: [
		{ schemaName: 'plant_a', tsdb_name: 'plant_a', role: 'engineer' },
		{ schemaName: 'plant_b', tsdb_name: 'plant_b', role: 'viewer' },
	],
} as const;

/** Where an endpoint exists only with providers. A part of several descriptions. */
const onlyWithProviders = 'It exists where the service has OpenID providers.';

/** Where an endpoint exists only with accounts. */
const onlyWithAccounts = 'It exists on one machine where the service has accounts of its own (ACCOUNTS=on).';

/** The answers where a provider must be asked, and fails. Signing out has none of them: it ends the session here all the same. */
const asksProvider = { 502: 'DependencyFailed', 504: 'DependencySlow' } as const;

/** The operations of people who sign in with OpenID providers. */
export const openIdOperations = {
	openIdProviders: {
		id: 'listWaysToSignIn',
		tag: 'Sign-in',
		summary: 'List the ways to sign in',
		description: `Returns the OpenID providers, and whether people sign in by \`signIn\` (credentials) or \`signInPassword\` (accounts), too.`,
		answer: {
			description: 'The ways to sign in.',
			schema: 'WaysToSignInAnswer',
			examples: {
				ways: {
					summary: 'One provider',
					value: {
						data: {
							credentials: false,
							accounts: false,
							consoleUrl: `https://caudal.example${pathOf('console')}`,
							providers: [{ name: 'entra', label: 'Plant account' }],
						},
					},
				},
			},
		},
	},
	openIdProvider: {
		id: 'getOpenIdProvider',
		tag: 'Sign-in',
		summary: 'Get what a page needs to send a person to a provider',
		description: `The page adds \`response_type=code\`, \`state\`, \`nonce\` and \`code_challenge\` (S256). ${onlyWithProviders}`,
		parameters: ['ProviderName'],
		answer: {
			description: 'The provider.',
			schema: 'OpenIdProviderAnswer',
			examples: {
				provider: {
					summary: 'A provider',
					value: {
						data: {
							authorizationEndpoint: 'https://login.plant.example/authorize',
							issuer: 'https://login.plant.example',
							requiresIssuer: true,
							clientId: 'caudal',
							scope: 'openid email profile',
							parameters: {},
							redirectUri: `https://caudal.example${pathOf('console')}`,
						},
					},
				},
			},
		},
		others: { 404: 'NoSuchProvider', ...asksProvider },
	},
	signInOpenId: {
		id: 'signInOpenId',
		tag: 'Sign-in',
		summary: 'Sign in with an OpenID provider',
		description: `Exchanges the code that a person brings back from a provider for a token. A code is used once: begin again after an error. After 60 failures within 15 minutes from one source the answer is 429. ${onlyWithProviders}`,
		request: {
			schema: 'OpenIdSignIn',
			required: true,
			examples: {
				code: {
					summary: 'A code',
					value: {
						provider: 'entra',
						code: 'SplxlOBeZQQYbYS6WxSbIA',
						codeVerifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
						nonce: 'n-0S6_WzA2MjAyNi0xMS0yOC0wMDAwMDAwMDAwMDAwM',
					},
				},
			},
		},
		answer: {
			description: 'A token, the person, and the person’s tenants.',
			schema: 'OpenIdSession',
			examples: { session: { summary: 'A session', value: session } },
		},
		others: { 401: 'OpenIdRefused', 403: 'NoGrant', 404: 'NoSuchProvider', 429: 'SignInBlocked' },
	},
	signInPassword: {
		id: 'signInPassword',
		tag: 'Sign-in',
		summary: 'Sign in with an account',
		description: `Exchanges the e-mail and the password of an account for a token, as \`signInOpenId\` does. ${onlyWithAccounts}`,
		request: {
			schema: 'PasswordSignIn',
			required: true,
			examples: {
				password: {
					summary: 'A password',
					value: { email: 'ada@plant.example', password: 'correct horse battery staple' },
				},
			},
		},
		answer: {
			description: 'A token, the person, and the person’s tenants.',
			schema: 'OpenIdSession',
			examples: { session: { summary: 'A session', value: session } },
		},
		others: { 401: 'PasswordRefused', 403: 'NoGrant', 429: 'SignInBlocked' },
	},
	setSecondFactor: {
		id: 'saveSecondFactor',
		tag: 'Sign-in',
		summary: 'Set up a second factor',
		description: `Offers a secret for an authenticator app. With that secret and a code of the app it is set, and the recovery codes are told. ${onlyWithAccounts}`,
		request: {
			schema: 'SecondFactorInput',
			required: true,
			examples: {
				offer: { summary: 'Ask for a secret', value: { email: 'ada@plant.example', password: 'correct horse battery staple' } },
			},
		},
		answer: {
			description: 'A secret that is offered, or was set.',
			schema: 'SecondFactor',
			examples: {
				offered: {
					summary: 'A new secret',
					value: {
						secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
						address: 'otpauth://totp/Caudal:ada%40plant.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Caudal',
						recoveryCodes: null,
					},
				},
			},
		},
		others: { 401: 'PasswordRefused', 403: 'SecondFactorLate', 409: 'SecondFactorSet', 429: 'SignInBlocked' },
	},
	setPassword: {
		id: 'savePassword',
		tag: 'Sign-in',
		summary: 'Set the password of an account',
		description: `Takes what follows \`set-password=\` in a link that the operator made. It is used once, within 72 hours. A password that others would guess soon is refused, and the link can be used again. ${onlyWithAccounts}`,
		request: {
			schema: 'NewPassword',
			required: true,
			examples: {
				password: {
					summary: 'A new password',
					value: { token: 'n-0S6_WzA2MjAyNi0xMS0yOC0wMDAwMDAwMDAwMDAwM', password: 'correct horse battery staple' },
				},
			},
		},
		answer: {
			description: 'The password is set.',
			schema: 'PasswordSet',
			examples: { set: { summary: 'Set', value: { email: 'ada@plant.example' } } },
		},
		others: { 403: 'LinkEnded', 429: 'SignInBlocked' },
	},
	renewOpenId: {
		id: 'renewOpenIdToken',
		tag: 'Sign-in',
		summary: 'Renew the token of an OpenID session',
		description: `Exchanges a token that is still valid for a new one of the same session, of another tenant where the body asks for it. The provider and the grants are asked again, at most once a minute. While the provider is down, what it said last holds, until the session ends. ${onlyWithProviders}`,
		request: {
			schema: 'TenantRequest',
			required: true,
			examples: {
				same: { summary: 'The same tenant', value: {} },
				other: { summary: 'Another tenant', value: { schemaName: 'plant_b' } },
			},
		},
		answer: {
			description: 'A new token of the same session.',
			schema: 'OpenIdSession',
			examples: { session: { summary: 'A session', value: session } },
		},
		others: { 403: 'RenewalRefused' },
	},
	signOut: {
		id: 'signOut',
		tag: 'Sign-in',
		summary: 'Sign out',
		description: `Ends the session of the token: it writes no more, and reads until it ends. ${onlyWithProviders}`,
		answer: {
			description: 'The session is ended.',
			schema: 'SignedOut',
			examples: {
				provider: {
					summary: 'The provider has a page for it',
					value: { address: 'https://login.plant.example/logout?client_id=caudal' },
				},
			},
		},
	},
	backchannelLogout: {
		id: 'logOutFromProvider',
		tag: 'Sign-in',
		summary: 'Tell a logout (for providers)',
		description: `A provider tells that a person signed out there: OpenID Connect Back-Channel Logout 1.0. ${onlyWithProviders}`,
		request: {
			schema: 'LogoutRequest',
			required: true,
			isForm: true,
			examples: { token: { summary: 'A logout token', value: { logout_token: 'eyJhbGciOiJSUzI1NiJ9.e30.c2lnbmF0dXJl' } } },
		},
		answer: {
			description: 'The sessions are ended.',
			schema: 'LoggedOut',
			headers: ['CacheControl'],
			examples: { done: { summary: 'Done', value: {} } },
		},
		others: { 400: 'TokenRefused', ...asksProvider },
	},
} as const satisfies Readonly<Record<string, ApiOperation>>;
