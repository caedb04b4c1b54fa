import { randomUUID } from 'node:crypto';
import { createKmsTokenSigner, signMs } from '#adapters/aws/kms-token-signer.ts';
import { createSecretsManagerSecret } from '#adapters/aws/secrets-manager-secret.ts';
import { constantTimeEqual } from '#adapters/constant-time-equal.ts';
import { openDynamo } from '#adapters/dynamo/dynamo-client.ts';
import { createDynamoSignInFailures } from '#adapters/dynamo/dynamo-sign-in-failures.ts';
import { createDynamoUsers } from '#adapters/dynamo/dynamo-users.ts';
import { createIdpClient } from '#adapters/idp-client.ts';
import { instrumentedIdentityProvider } from '#adapters/instrumented.ts';
import { readConfig, signInFunctionSchema } from '#shared/config.ts';
import { requiredScope } from '#shared/contract.ts';
import { timeLeftMs, withRequestTime } from '#wiring/request-time.ts';
import { createTelemetry } from '#wiring/telemetry.ts';
import { createHandler } from './handler.ts';

const config = readConfig(signInFunctionSchema);

const { log, metrics } = createTelemetry();

const dynamo = openDynamo({ timeLeftMs: () => timeLeftMs(config.IDP_TIMEOUT_MS + signMs) });

const identityProvider = createIdpClient({
	url: config.AUTH_URL,
	token: createSecretsManagerSecret({ secretId: config.IDP_TOKEN_SECRET }),
	timeoutMs: config.IDP_TIMEOUT_MS,
});

const signInHandler = createHandler({
	log,
	now: Date.now,
	newId: randomUUID,
	constantTimeEqual,
	users: createDynamoUsers(dynamo, config.TABLE_USERS),
	failures: createDynamoSignInFailures(dynamo, config.TABLE_SIGN_IN_FAILURES),
	identityProvider: instrumentedIdentityProvider(identityProvider, metrics),
	signer: createKmsTokenSigner({ parameter: config.KEY_RING, metrics }),
	productId: config.IDP_PRODUCT_ID,
	token: {
		issuer: config.TOKEN_ISSUER,
		audience: config.TOKEN_AUDIENCE,
		scope: requiredScope,
		lifetimeSeconds: config.TOKEN_LIFETIME_SECONDS,
	},
});

export const handler = withRequestTime(signInHandler);
