import type { ApiOperation } from '../operation.ts';

/** The operations that sign a person in and renew the token. */
export const signInOperations = {
	loginSso: {
		id: 'signIn',
		tag: 'Sign-in',
		summary: 'Sign in',
		description:
			'Exchanges credentials of the identity provider for a token of one tenant. After 10 failures within 15 minutes for one e-mail from one source the answer is 429.',
		request: {
			schema: 'Credentials',
			required: true,
			examples: {
				demo: {
					summary: 'The demo tenant plant_a',
					value: { email: 'operator@plant-a.example', tokenApp: 'demo-a', schemaName: 'plant_a', tsdb_name: 'plant_a' },
				},
			},
		},
		answer: {
			description: 'A token, and the user that it is for.',
			schema: 'Session',
			examples: {
				session: {
					summary: 'A session',
					value: {
						token: 'eyJhbGciOiJSUzI1NiIsImtpZCI6ImxvY2FsIn0.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
						user: { id: 1, email: 'operator@plant-a.example', first_name: 'Ana', last_name: 'Ruiz', role: 'engineer' },
					},
				},
			},
		},
		others: { 401: 'SignInRefused', 429: 'SignInBlocked' },
	},
	renewToken: {
		id: 'renewToken',
		tag: 'Sign-in',
		summary: 'Renew the token',
		description:
			'Exchanges a token that is still valid for a new one, with the identity provider asked again. Tokens are renewed until the session ends, 12 hours after signing in unless the service is set otherwise: the claim `session_exp` says when. The held token stays valid until its own end. While the identity provider is down, what it said last holds.',
		answer: {
			description: 'A new token of the same session, and the user with the role of now.',
			schema: 'Session',
			examples: {
				renewed: {
					summary: 'A new token',
					value: {
						token: 'eyJhbGciOiJSUzI1NiIsImtpZCI6ImxvY2FsIn0.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
						user: { id: 1, email: 'operator@plant-a.example', first_name: 'Ana', last_name: 'Ruiz', role: 'operator' },
					},
				},
			},
		},
		others: { 403: 'RenewalRefused' },
	},
} as const satisfies Readonly<Record<string, ApiOperation>>;
