import { randomUUID } from 'node:crypto';
import { createKmsTokenSigner, signMs } from '#adapters/aws/kms-token-signer.ts';
import { constantTimeEqual } from '#adapters/constant-time-equal.ts';
import { openDynamo } from '#adapters/dynamo/dynamo-client.ts';
import { createDynamoMachineLookup } from '#adapters/dynamo/dynamo-machines.ts';
import { createDynamoOwners } from '#adapters/dynamo/dynamo-owners.ts';
import { createDynamoSessionJournal } from '#adapters/dynamo/dynamo-session-journal.ts';
import { machineSecrets } from '#adapters/machine-secrets.ts';
import { machineTokenFunctionSchema, readConfig } from '#shared/config.ts';
import { scopes } from '#shared/endpoint.ts';
import { timeLeftMs, withLambdaDeadline } from '#wiring/request-time.ts';
import { createTelemetry } from '#wiring/telemetry.ts';
import { openTrustedProxy } from '#wiring/trusted-proxy.ts';
import { createHandler } from './handler.ts';

const config = readConfig(machineTokenFunctionSchema);

const { log, metrics } = createTelemetry();

// DynamoDB leaves time for the signature, which follows its first requests.
const dynamo = openDynamo({ timeLeftMs: () => timeLeftMs(signMs) });

const tokenHandler = createHandler({
	log,
	now: Date.now,
	newId: randomUUID,
	random: Math.random,
	constantTimeEqual,
	machines: createDynamoMachineLookup(dynamo, config.TABLE_MACHINES),
	secrets: machineSecrets,
	sessions: createDynamoSessionJournal(dynamo, { changes: config.TABLE_CHANGES }, config.CHANGE_DAYS),
	trustedProxy: openTrustedProxy(log),
	owners: createDynamoOwners(dynamo, config.TABLE_OWNERS),
	signer: createKmsTokenSigner({ parameter: config.KEY_RING, metrics }),
	token: {
		issuer: config.TOKEN_ISSUER,
		audience: config.TOKEN_AUDIENCE,
		scopes,
		lifetimeSeconds: config.TOKEN_LIFETIME_SECONDS,
	},
});

export const handler = withLambdaDeadline(tokenHandler);
