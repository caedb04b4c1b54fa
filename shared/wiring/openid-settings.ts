import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { messageOf } from '#domain/errors.ts';
import {
	type OpenIdProvider,
	openIdProvidersSchema,
	type ProviderSurroundings,
	providerFaults,
} from '#domain/identity/provider-settings.ts';
import { ConfigError, type openIdListSchema } from '#shared/config.ts';

type ListSettings = Omit<v.InferOutput<typeof openIdListSchema>, 'LOGIN_SSO'>;

/**
 * Reads the list of OpenID providers from the JSON file that OPENID_PROVIDERS names (shared/domain/identity/README.md#settings).
 * @throws ConfigError that names everything that is wrong
 */
export function readOpenIdProviders(file: string, surroundings: ProviderSurroundings): readonly OpenIdProvider[] {
	const providers = parseProviders(file);
	const faults = providerFaults(providers, surroundings);
	if (faults.length > 0) throw new ConfigError(`OPENID_PROVIDERS ${file}: ${faults.join(' ')}`);
	return providers;
}

/**
 * Reads the list of OpenID providers beside the bundle of a function on AWS.
 * @param ownIssuer the issuer of the service's tokens; left out: another function checks it, which gives tokens
 * @throws ConfigError that names everything that is wrong
 */
export function providersBesideBundle(
	{ LAMBDA_TASK_ROOT, OPENID_PROVIDERS, OPENID_HTTP, CONSOLE_URL }: ListSettings,
	ownIssuer = '',
): readonly OpenIdProvider[] {
	const surroundings = { ownIssuer, consoleUrl: CONSOLE_URL ?? null, httpToo: OPENID_HTTP === 'on' };
	return readOpenIdProviders(join(LAMBDA_TASK_ROOT, OPENID_PROVIDERS), surroundings);
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
