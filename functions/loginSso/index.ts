import { randomUUID } from 'node:crypto';
import { createKmsTokenSigner, signMs } from '#adapters/aws/kms-token-signer.ts';
import { createSecretsManagerSecret } from '#adapters/aws/secrets-manager-secret.ts';
import { constantTimeEqual } from '#adapters/constant-time-equal.ts';
import { openDynamo } from '#adapters/dynamo/dynamo-client.ts';
import { createDynamoOwners } from '#adapters/dynamo/dynamo-owners.ts';
import { createDynamoPeople } from '#adapters/dynamo/dynamo-people.ts';
import { createDynamoSessionJournal } from '#adapters/dynamo/dynamo-session-journal.ts';
import { createDynamoSignInAttempts } from '#adapters/dynamo/dynamo-sign-in-attempts.ts';
import { createDynamoUsers } from '#adapters/dynamo/dynamo-users.ts';
import { createDynamoWrittenSchemas } from '#adapters/dynamo/dynamo-written-schemas.ts';
import { createIdpClient } from '#adapters/idp-client.ts';
import { instrumentedIdentityProvider } from '#adapters/instrumented.ts';
import { readConfig, signInFunctionSchema } from '#shared/config.ts';
import { scopes } from '#shared/endpoint.ts';
import { timeLeftMs, withRequestTime } from '#wiring/request-time.ts';
import { createTelemetry } from '#wiring/telemetry.ts';
import { openTrustedProxy } from '#wiring/trusted-proxy.ts';
import { createHandler } from './handler.ts';

const config = readConfig(signInFunctionSchema);

const { log, metrics } = createTelemetry();

// DynamoDB leaves time for the identity provider and the signature, which follow its first requests.
const dynamo = openDynamo({ timeLeftMs: () => timeLeftMs(config.IDP_TIMEOUT_MS + signMs) });

const identityProvider = createIdpClient({
	url: config.AUTH_URL,
	token: createSecretsManagerSecret({ secretId: config.IDP_TOKEN_SECRET }),
	timeoutMs: config.IDP_TIMEOUT_MS,
});

const signInHandler = createHandler({
	log,
	metrics,
	now: Date.now,
	newId: randomUUID,
	random: Math.random,
	constantTimeEqual,
	trustedProxy: openTrustedProxy(log),
	users: createDynamoUsers(dynamo, config.TABLE_USERS),
	people: createDynamoPeople(dynamo, config.TABLE_PEOPLE),
	defaultRole: config.DEFAULT_ROLE,
	sessions: createDynamoSessionJournal(
		dynamo,
		{ changes: config.TABLE_CHANGES, people: config.TABLE_PEOPLE },
		config.CHANGE_DAYS,
	),
	attempts: createDynamoSignInAttempts(dynamo, config.TABLE_SIGN_IN_FAILURES),
	owners: createDynamoOwners(dynamo, config.TABLE_OWNERS),
	writtenSchemas: createDynamoWrittenSchemas(dynamo, config.TABLE_VARIABLES),
	unownedData: config.UNOWNED_DATA,
	identityProvider: instrumentedIdentityProvider(identityProvider, metrics),
	signer: createKmsTokenSigner({ parameter: config.KEY_RING, metrics }),
	productId: config.IDP_PRODUCT_ID,
	token: {
		issuer: config.TOKEN_ISSUER,
		audience: config.TOKEN_AUDIENCE,
		scopes,
		lifetimeSeconds: config.TOKEN_LIFETIME_SECONDS,
		sessionSeconds: config.SESSION_HOURS * 3600,
	},
});

export const handler = withRequestTime(signInHandler);
