import { randomUUID } from 'node:crypto';
import { createKmsTokenSigner, signMs } from '#adapters/aws/kms-token-signer.ts';
import { createSecretsManagerSecret } from '#adapters/aws/secrets-manager-secret.ts';
import { openDynamo } from '#adapters/dynamo/dynamo-client.ts';
import { createDynamoOwners } from '#adapters/dynamo/dynamo-owners.ts';
import { createDynamoPeople } from '#adapters/dynamo/dynamo-people.ts';
import { createDynamoUsers } from '#adapters/dynamo/dynamo-users.ts';
import { createIdpClient } from '#adapters/idp-client.ts';
import { instrumentedIdentityProvider } from '#adapters/instrumented.ts';
import { readConfig, renewTokenFunctionSchema } from '#shared/config.ts';
import { timeLeftMs } from './request-time.ts';
import { createTelemetry } from './telemetry.ts';
import { tokenSettingsOf } from './token-settings.ts';

/** Opens the dependencies of a handler that gives tokens to people, and the client on which further tables are opened. */
export function openSessionDeps() {
	// Signing in needs these settings, too, and more (`signInFunctionSchema`).
	const config = readConfig(renewTokenFunctionSchema);
	const { log, metrics } = createTelemetry();
	// DynamoDB leaves time for the identity provider and the signature, which follow its first requests.
	const dynamo = openDynamo({ timeLeftMs: () => timeLeftMs(config.IDP_TIMEOUT_MS + signMs) });
	const identityProvider = createIdpClient({
		url: config.AUTH_URL,
		token: createSecretsManagerSecret({ secretId: config.IDP_TOKEN_SECRET }),
		timeoutMs: config.IDP_TIMEOUT_MS,
	});
	const deps = {
		log,
		metrics,
		now: Date.now,
		newId: randomUUID,
		random: Math.random,
		users: createDynamoUsers(dynamo, config.TABLE_USERS),
		people: createDynamoPeople(dynamo, config.TABLE_PEOPLE),
		defaultRole: config.DEFAULT_ROLE,
		owners: createDynamoOwners(dynamo, config.TABLE_OWNERS),
		identityProvider: instrumentedIdentityProvider(identityProvider, metrics),
		signer: createKmsTokenSigner({ parameter: config.KEY_RING, metrics }),
		productId: config.IDP_PRODUCT_ID,
		token: tokenSettingsOf(config.TOKEN_ISSUER, config),
	};
	return { deps, dynamo };
}
