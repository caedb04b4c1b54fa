import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { isSecretText } from '#adapters/secret.ts';
import { messageOf } from '#domain/errors.ts';
import { isInteractive, type OpenIdProvider, openIdProvidersSchema, providerFaults } from '#domain/identity/provider-settings.ts';
import { ConfigError } from '#shared/config.ts';

/** The OpenID providers of this machine, and the secrets of their clients by the names of the providers. */
export interface OpenIdSettings {
	readonly openIdProviders: readonly OpenIdProvider[];
	readonly openIdSecrets: ReadonlyMap<string, string>;
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Reads the list of OpenID providers from the JSON file that OPENID_PROVIDERS names (shared/domain/identity/README.md#settings), and the
 * secrets of their clients from OPENID_SECRET_NAME.
 * @throws ConfigError that names everything that is missing or wrong
 */
export function readOpenIdSettings(environment: Variables): OpenIdSettings {
	const file = environment['OPENID_PROVIDERS'];
	if (file === undefined) return { openIdProviders: [], openIdSecrets: new Map() };
	const providers = parseProviders(file);
	const secrets = new Map(
		providers.filter(({ secret }) => secret).map(({ name }) => [name, environment[secretVariable(name)] ?? ''] as const),
	);
	const faults = [
		// The console has an address on one machine in any case, and the issuer of the service is known only when it listens.
		...providerFaults(providers, { ownIssuer: environment['PUBLIC_URL'] ?? '', consoleUrl: '', httpToo: false }),
		...[...secrets]
			.filter(([, secret]) => !isSecretText(secret))
			.map(([name]) => `${secretVariable(name)} is required: visible ASCII characters without spaces.`),
	];
	if (faults.length > 0) throw new ConfigError(`OPENID_PROVIDERS ${file}: ${faults.join(' ')}`);
	return { openIdProviders: providers, openIdSecrets: secrets };
}

/** Returns whether people sign in by a button of the list. */
export function hasButtons({ openIdProviders }: Pick<OpenIdSettings, 'openIdProviders'>): boolean {
	return openIdProviders.some(isInteractive);
}

/** Returns the name of the variable with the secret of a provider's client: `OPENID_SECRET_MY_COMPANY` of `my-company`. */
function secretVariable(name: string): string {
	return `OPENID_SECRET_${name.toUpperCase().replaceAll('-', '_')}`;
}

function parseProviders(file: string): readonly OpenIdProvider[] {
	let sent: unknown;
	try {
		sent = JSON.parse(readFileSync(file, 'utf8'));
	} catch (cause) {
		throw new ConfigError(`OPENID_PROVIDERS ${file} cannot be read as JSON: ${messageOf(cause)}`, { cause });
	}
	const result = v.safeParse(openIdProvidersSchema, sent);
	if (result.success) return result.output;
	const lines = result.issues.map((issue) => `${v.getDotPath(issue) ?? 'the list'} ${issue.message}`);
	throw new ConfigError(`OPENID_PROVIDERS ${file}: ${lines.join(' ')}`);
}
