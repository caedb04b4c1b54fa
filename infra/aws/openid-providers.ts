import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenIdProvider } from '#domain/identity/provider-settings.ts';
import { endpoints } from '#shared/contract.ts';
import type { Environment } from './environment.ts';

/** The file in the folder of a function that holds the OpenID providers. It may be larger than the 4 KB of a function's variables. */
export const providersFile = 'openid-providers.json';

/**
 * Writes the OpenID providers of an environment beside the bundle of each function that uses them.
 * @param bundlesFolder the folder that `writeBundles` filled
 */
export function addProvidersFile({ openIdProviders }: Pick<Environment, 'openIdProviders'>, bundlesFolder: string): void {
	for (const { name, uses } of endpoints)
		if ('openIdProviders' in uses) writeFileSync(join(bundlesFolder, name, providersFile), JSON.stringify(openIdProviders));
}

/** Returns the providers whose client has a secret, which is in Secrets Manager. */
export function secretProviders({ openIdProviders }: Pick<Environment, 'openIdProviders'>): readonly OpenIdProvider[] {
	return openIdProviders.filter(({ secret }) => secret);
}
