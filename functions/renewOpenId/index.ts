import { setTimeout } from 'node:timers/promises';
import { openIdRenewSchema, readConfig } from '#shared/config.ts';
import { hasTimeToRefresh, openGrantedTokens, openProviderDynamo, openSessionTables } from '#wiring/openid-deps.ts';
import { openOpenIdClients } from '#wiring/openid-providers.ts';
import { withLambdaDeadline } from '#wiring/request-time.ts';
import { createTelemetry } from '#wiring/telemetry.ts';
import { createHandler } from './handler.ts';

// All settings are read before anything is opened, so that an error names all that are missing.
const { TOKEN_ISSUER } = readConfig(openIdRenewSchema);

const telemetry = createTelemetry();
const dynamo = openProviderDynamo();

const renewHandler = createHandler({
	...openGrantedTokens(dynamo, telemetry),
	...openSessionTables(dynamo),
	openId: openOpenIdClients(telemetry.metrics, TOKEN_ISSUER),
	wait: (milliseconds) => setTimeout(milliseconds),
	hasTimeToRefresh,
	// They are on one machine only.
	accounts: null,
});

export const handler = withLambdaDeadline(renewHandler);
