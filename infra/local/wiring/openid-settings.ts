import * as v from 'valibot';
import { isSecretText } from '#adapters/secret.ts';
import type { OpenIdProvider } from '#domain/identity/provider-settings.ts';
import { httpUrl, nonEmpty, readConfig } from '#shared/config.ts';
import { readOpenIdProviders } from '#wiring/openid-settings.ts';

/** The OpenID providers of this machine, and the secrets of their clients by the names of the providers. */
export interface OpenIdSettings {
	readonly openIdProviders: readonly OpenIdProvider[];
	readonly openIdSecrets: ReadonlyMap<string, string>;
}

const listSchema = v.object({ OPENID_PROVIDERS: v.optional(nonEmpty), PUBLIC_URL: v.optional(httpUrl) });

const secretText = v.pipe(nonEmpty, v.check(isSecretText, 'must be visible ASCII characters without spaces.'));

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Reads the list of OpenID providers from the JSON file that OPENID_PROVIDERS names (shared/domain/identity/README.md#settings), and the
 * secrets of their clients from OPENID_SECRET_NAME.
 * @throws ConfigError that names everything that is missing or wrong
 */
export function readOpenIdSettings(environment?: Variables): OpenIdSettings {
	const { OPENID_PROVIDERS: file, PUBLIC_URL: ownIssuer = '' } = readConfig(listSchema, environment);
	if (file === undefined) return { openIdProviders: [], openIdSecrets: new Map() };
	// The console has an address on one machine in any case. Without PUBLIC_URL, the service knows its issuer only when it listens.
	const providers = readOpenIdProviders(file, { ownIssuer, consoleUrl: '', httpToo: false });
	const names = providers.filter(({ secret }) => secret).map(({ name }) => name);
	const secretsSchema = v.object(Object.fromEntries(names.map((name) => [secretVariable(name), secretText])));
	const secrets = readConfig(secretsSchema, environment);
	return {
		openIdProviders: providers,
		openIdSecrets: new Map(names.map((name) => [name, secrets[secretVariable(name)] ?? ''])),
	};
}

/** Returns the name of the variable with the secret of a provider's client: `OPENID_SECRET_MY_COMPANY` of `my-company`. */
function secretVariable(name: string): string {
	return `OPENID_SECRET_${name.toUpperCase().replaceAll('-', '_')}`;
}
