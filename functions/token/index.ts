import { signMs } from '#adapters/aws/kms-token-signer.ts';
import { constantTimeEqual } from '#adapters/constant-time-equal.ts';
import { openDynamo } from '#adapters/dynamo/dynamo-client.ts';
import { createDynamoMachineLookup } from '#adapters/dynamo/dynamo-machines.ts';
import { createDynamoSessionJournal } from '#adapters/dynamo/dynamo-session-journal.ts';
import { machineSecrets } from '#adapters/machine-secrets.ts';
import { machineTokenFunctionSchema, readConfig } from '#shared/config.ts';
import { openGrantedTokens } from '#wiring/openid-deps.ts';
import { openOpenIdProviders } from '#wiring/openid-providers.ts';
import { timeLeftMs, withLambdaDeadline } from '#wiring/request-time.ts';
import { createTelemetry } from '#wiring/telemetry.ts';
import { openTrustedProxy } from '#wiring/trusted-proxy.ts';
import { createHandler } from './handler.ts';

const config = readConfig(machineTokenFunctionSchema);

const telemetry = createTelemetry();

// DynamoDB leaves time for the signature, which follows its first requests. Providers are asked before them.
const dynamo = openDynamo({ timeLeftMs: () => timeLeftMs(signMs) });

const granted = openGrantedTokens(dynamo, telemetry);
const openId = openOpenIdProviders(telemetry.metrics, config.TOKEN_ISSUER);

const tokenHandler = createHandler({
	...granted,
	constantTimeEqual,
	machines: createDynamoMachineLookup(dynamo, config.TABLE_MACHINES),
	secrets: machineSecrets,
	sessions: createDynamoSessionJournal(dynamo, { changes: config.TABLE_CHANGES }, config.CHANGE_DAYS),
	exchange: openId.providers.some(({ audiences }) => audiences.length > 0) ? { ...granted, openId } : null,
	trustedProxy: openTrustedProxy(telemetry.log),
});

export const handler = withLambdaDeadline(tokenHandler);
