import { openIdClientSchema, readConfig } from '#shared/config.ts';
import { openProviderDynamo, openSessionTables } from '#wiring/openid-deps.ts';
import { openOpenIdClients } from '#wiring/openid-providers.ts';
import { withLambdaDeadline } from '#wiring/request-time.ts';
import { createTelemetry } from '#wiring/telemetry.ts';
import { createHandler } from './handler.ts';

const { CONSOLE_URL: consoleUrl = '' } = readConfig(openIdClientSchema);

const { log, metrics } = createTelemetry();

const signOutHandler = createHandler({
	log,
	now: Date.now,
	...openSessionTables(openProviderDynamo()),
	openId: openOpenIdClients(metrics),
	consoleUrl,
});

export const handler = withLambdaDeadline(signOutHandler);
