/** Settings of sign-in as they are in cdk.json: a provider with a button and a secret, and one whose tokens are exchanged. */
export const openIdSettings = {
	openIdProviders: [
		{ name: 'entra', label: 'Plant account', issuer: 'https://login.utility.test/v2.0', clientId: 'caudal', secret: true },
		{ name: 'github', label: 'Pipelines', issuer: 'https://actions.utility.test', audiences: ['caudal'], actors: 'programs' },
	],
	consoleUrl: 'https://dashboard.utility.test/console',
} as const;
