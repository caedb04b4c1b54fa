import { randomUUID } from 'node:crypto';
import { createKmsTokenSigner, signMs } from '#adapters/aws/kms-token-signer.ts';
import { type Dynamo, openDynamo } from '#adapters/dynamo/dynamo-client.ts';
import { createDynamoGrants } from '#adapters/dynamo/dynamo-grants.ts';
import { createDynamoOpenIdSessionTokens } from '#adapters/dynamo/dynamo-openid-session-tokens.ts';
import { createDynamoOpenIdSessions } from '#adapters/dynamo/dynamo-openid-sessions.ts';
import { createDynamoOwners } from '#adapters/dynamo/dynamo-owners.ts';
import { createDynamoPeople } from '#adapters/dynamo/dynamo-people.ts';
import { digest, sessionIds } from '#adapters/session-ids.ts';
import { tenantRefusalReporter } from '#http/tenant-refusals.ts';
import { grantedTokenSchema, openIdSchema, readConfig, sessionTablesSchema } from '#shared/config.ts';
import { hasTimeFor, timeLeftMs } from './request-time.ts';
import type { Telemetry } from './telemetry.ts';
import { tokenSettingsOf } from './token-settings.ts';

/** The most requests to a provider that one request of ours needs: for its document, its tokens, its keys and its userinfo. */
const maxProviderRequests = 4;

/** Opens DynamoDB for a function that asks OpenID providers. It leaves time for them and for the signature, which follow its first requests. */
export function openProviderDynamo(): Dynamo {
	const { OPENID_TIMEOUT_MS: timeoutMs } = readConfig(openIdSchema);
	return openDynamo({ timeLeftMs: () => timeLeftMs(maxProviderRequests * timeoutMs + signMs) });
}

/** The requests to a provider that a refresh needs before its answer is stored: for the document and for the tokens. */
const refreshRequests = 2;
/** How long storing that answer takes: one slow attempt, and another one. */
const storeMs = 4000;

/** Returns whether time is left to ask a provider for new tokens, and to store them. */
export function hasTimeToRefresh(): boolean {
	const { OPENID_TIMEOUT_MS: timeoutMs } = readConfig(openIdSchema);
	return hasTimeFor(refreshRequests * timeoutMs + storeMs + signMs);
}

/** Opens the sessions of OpenID providers and their tokens, which are also stored where the provider took its whole time. */
export function openSessionTables(dynamo: Dynamo) {
	const config = readConfig(sessionTablesSchema);
	const lateDynamo = { ...dynamo, timeLeftMs: () => timeLeftMs(signMs) };
	return {
		openIdSessions: createDynamoOpenIdSessions(dynamo, config.TABLE_SESSIONS),
		sessionTokens: createDynamoOpenIdSessionTokens(lateDynamo, config.TABLE_SESSION_TOKENS),
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
		token: tokenSettingsOf(config.TOKEN_ISSUER, config),
	};
}
