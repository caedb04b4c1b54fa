import { createSecretsManagerSecret } from '#adapters/aws/secrets-manager-secret.ts';
import { instrumentedOpenIdProviders } from '#adapters/instrumented.ts';
import { createOpenIdProviders } from '#adapters/openid/openid-providers.ts';
import type { Secret } from '#adapters/secret.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { OpenIdProviders } from '#domain/ports/openid-providers.ts';
import { openIdClientSchema, openIdSchema, readConfig } from '#shared/config.ts';
import { providersBesideBundle } from './openid-settings.ts';

/** Opens the OpenID providers of the environment's settings, without the secrets of their clients. Their calls are measured. */
export function openOpenIdProviders(metrics: Metrics, ownIssuer?: string): OpenIdProviders {
	return openProviders(metrics, ownIssuer, noSecret);
}

/** Opens the OpenID providers of the environment's settings, with the secrets of their clients. Their calls are measured. */
export function openOpenIdClients(metrics: Metrics, ownIssuer?: string): OpenIdProviders {
	const { OPENID_SECRET_PREFIX: prefix } = readConfig(openIdClientSchema);
	const secrets = new Map<string, Secret>();
	return openProviders(metrics, ownIssuer, (name) => {
		const secret = secrets.get(name) ?? createSecretsManagerSecret({ secretId: `${prefix}${name}` });
		secrets.set(name, secret);
		return secret;
	});
}

function openProviders(metrics: Metrics, ownIssuer: string | undefined, secrets: (name: string) => Secret): OpenIdProviders {
	const config = readConfig(openIdSchema);
	const httpToo = config.OPENID_HTTP === 'on';
	const providers = providersBesideBundle(config, ownIssuer);
	const opened = createOpenIdProviders({ providers, secrets, timeoutMs: config.OPENID_TIMEOUT_MS, httpToo, now: Date.now });
	return instrumentedOpenIdProviders(opened, metrics);
}

function noSecret(name: string): never {
	throw new TypeError(`This function may not read the secret of ${name}.`);
}
