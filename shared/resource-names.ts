import type { FunctionName } from './contract.ts';
import type { TableName } from './tables.ts';

/** The form of an environment's name, such as `dev` or `production`. It is short because AWS limits the names built from it. */
export const environmentName = /^[a-z][a-z0-9]{0,15}$/;

/**
 * Returns the names of an environment's AWS resources. The stacks create resources under these names, and the operators'
 * tools look them up.
 *
 * @example resourceNames('dev').table('signInFailures') // 'caudal-dev-sign-in-failures'
 */
export function resourceNames(environment: string) {
	return {
		stack: (name: 'issuer' | 'data' | 'service') => `caudal-${environment}-${name}`,
		function: (name: FunctionName) => `caudal-${environment}-${name}`,
		table: (table: TableName) => `caudal-${environment}-${kebabCase(table)}`,
		log: (name: FunctionName) => `/aws/lambda/caudal-${environment}-${name}`,
		/** Below `/aws/vendedlogs/` one resource policy lets API Gateway write to any number of log groups. */
		accessLog: (api: 'service' | 'issuer') => `/aws/vendedlogs/caudal/${environment}/access/${api}`,
		/** The topic of messages about the plants' alarms. */
		plantAlarms: `caudal-${environment}-plant-alarms`,
		/** The queue of those that SNS gave up to deliver. */
		undeliveredPlantAlarms: `caudal-${environment}-plant-alarms-undelivered`,
		/** The vault of the daily backups. */
		backupVault: `caudal-${environment}`,
		/** The role that restores tables. An account has one namespace of roles for all regions, and a lost region leaves its role behind. */
		restoreRole: (region: string) => `caudal-${environment}-restore-${region}`,
		/** The SSM parameter that holds the public keys and the id of the active one. */
		keyRing: `/caudal/${environment}/signing-keys`,
		/** The KMS alias of a signing key. `key` is its name in the environment's settings. */
		signingKey: (key: string) => `alias/caudal-${environment}-${key}`,
		/** The secret of the client of an OpenID provider, in Secrets Manager. `provider` is its name in the environment's settings. */
		openIdSecret: (provider: string) => `caudal/${environment}/openid-${provider}`,
		/** The other secrets in Secrets Manager. */
		secrets: {
			influxToken: `caudal/${environment}/influx-token`,
			idpToken: `caudal/${environment}/idp-token`,
			/** The application token of the canary's user. It exists where the canary is deployed. */
			canaryToken: `caudal/${environment}/canary-token`,
			/** The secret of the trusted proxy. It exists where the settings name one. */
			proxySecret: `caudal/${environment}/trusted-proxy`,
		},
	};
}

function kebabCase(name: string): string {
	return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
