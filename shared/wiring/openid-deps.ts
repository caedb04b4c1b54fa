import { randomUUID } from 'node:crypto';
import { createKmsTokenSigner, signMs } from '#adapters/aws/kms-token-signer.ts';
import { createSecretsManagerSecret } from '#adapters/aws/secrets-manager-secret.ts';
import { type Dynamo, openDynamo } from '#adapters/dynamo/dynamo-client.ts';
import { createDynamoGrants } from '#adapters/dynamo/dynamo-grants.ts';
import { createDynamoOpenIdSessionTokens } from '#adapters/dynamo/dynamo-openid-session-tokens.ts';
import { createDynamoOpenIdSessions } from '#adapters/dynamo/dynamo-openid-sessions.ts';
import { createDynamoOwners } from '#adapters/dynamo/dynamo-owners.ts';
import { createDynamoPeople } from '#adapters/dynamo/dynamo-people.ts';
import { instrumentedOpenIdProviders } from '#adapters/instrumented.ts';
import { createOpenIdProviders } from '#adapters/openid/openid-providers.ts';
import type { Secret } from '#adapters/secret.ts';
import { digest, sessionIds } from '#adapters/session-ids.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { OpenIdProviders } from '#domain/ports/openid-providers.ts';
import { tenantRefusalReporter } from '#http/tenant-refusals.ts';
import { grantedTokenSchema, openIdClientSchema, openIdSchema, readConfig, sessionTablesSchema } from '#shared/config.ts';
import { scopes } from '#shared/endpoint.ts';
import { providersBesideBundle } from './openid-settings.ts';
import { timeLeftMs } from './request-time.ts';
import type { Telemetry } from './telemetry.ts';

/** The most requests to a provider that one request of ours needs: for its document, its tokens, its keys and its userinfo. */
const maxProviderRequests = 4;

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

/** Opens DynamoDB for a function that asks OpenID providers. It leaves time for them and for the signature, which follow its first requests. */
export function openProviderDynamo(): Dynamo {
	const { OPENID_TIMEOUT_MS: timeoutMs } = readConfig(openIdSchema);
	return openDynamo({ timeLeftMs: () => timeLeftMs(maxProviderRequests * timeoutMs + signMs) });
}

/** Opens the sessions of OpenID providers and their tokens. */
export function openSessionTables(dynamo: Dynamo) {
	const config = readConfig(sessionTablesSchema);
	return {
		openIdSessions: createDynamoOpenIdSessions(dynamo, config.TABLE_SESSIONS),
		sessionTokens: createDynamoOpenIdSessionTokens(dynamo, config.TABLE_SESSION_TOKENS),
		sessionIds,
		digest,
	};
}

/** Opens what gives tokens by grants: tables, signer and the contents of tokens. */
export function openGrantedTokens(dynamo: Dynamo, { log, metrics }: Pick<Telemetry, 'log' | 'metrics'>) {
	const config = readConfig(grantedTokenSchema);
	return {
		log,
		metrics,
		now: Date.now,
		newId: randomUUID,
		random: Math.random,
		grants: createDynamoGrants(dynamo, config.TABLE_GRANTS),
		owners: createDynamoOwners(dynamo, config.TABLE_OWNERS),
		people: createDynamoPeople(dynamo, config.TABLE_PEOPLE),
		openIdSessions: createDynamoOpenIdSessions(dynamo, config.TABLE_SESSIONS),
		sessionIds,
		digest,
		reportTenantRefusal: tenantRefusalReporter({ log, metrics }),
		signer: createKmsTokenSigner({ parameter: config.KEY_RING, metrics }),
		token: {
			issuer: config.TOKEN_ISSUER,
			audience: config.TOKEN_AUDIENCE,
			scopes,
			lifetimeSeconds: config.TOKEN_LIFETIME_SECONDS,
			sessionSeconds: config.SESSION_HOURS * 3600,
		},
	};
}
