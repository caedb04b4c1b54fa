import { createDynamoSessionJournal } from '#adapters/dynamo/dynamo-session-journal.ts';
import { createDynamoSignInAttempts } from '#adapters/dynamo/dynamo-sign-in-attempts.ts';
import { openIdSignInSchema, readConfig } from '#shared/config.ts';
import { openGrantedTokens, openProviderDynamo, openSessionTables } from '#wiring/openid-deps.ts';
import { openOpenIdClients } from '#wiring/openid-providers.ts';
import { withLambdaDeadline } from '#wiring/request-time.ts';
import { createTelemetry } from '#wiring/telemetry.ts';
import { openTrustedProxy } from '#wiring/trusted-proxy.ts';
import { createHandler } from './handler.ts';

// All settings are read before anything is opened, so that an error names all that are missing.
const config = readConfig(openIdSignInSchema);

const telemetry = createTelemetry();
const dynamo = openProviderDynamo();

const journalTables = { changes: config.TABLE_CHANGES, people: config.TABLE_PEOPLE };

const signInHandler = createHandler({
	...openGrantedTokens(dynamo, telemetry),
	...openSessionTables(dynamo),
	openId: openOpenIdClients(telemetry.metrics, config.TOKEN_ISSUER),
	consoleUrl: config.CONSOLE_URL ?? '',
	trustedProxy: openTrustedProxy(telemetry.log),
	sessions: createDynamoSessionJournal(dynamo, journalTables, config.CHANGE_DAYS),
	attempts: createDynamoSignInAttempts(dynamo, config.TABLE_SIGN_IN_FAILURES),
});

export const handler = withLambdaDeadline(signInHandler);
