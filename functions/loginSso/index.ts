import { constantTimeEqual } from '#adapters/constant-time-equal.ts';
import { createDynamoSessionJournal } from '#adapters/dynamo/dynamo-session-journal.ts';
import { createDynamoSignInAttempts } from '#adapters/dynamo/dynamo-sign-in-attempts.ts';
import { createDynamoWrittenSchemas } from '#adapters/dynamo/dynamo-written-schemas.ts';
import { readConfig, signInFunctionSchema } from '#shared/config.ts';
import { withLambdaDeadline } from '#wiring/request-time.ts';
import { openSessionDeps } from '#wiring/session-deps.ts';
import { openTrustedProxy } from '#wiring/trusted-proxy.ts';
import { createHandler } from './handler.ts';

// All settings are read before anything is opened, so that an error names all that are missing.
const config = readConfig(signInFunctionSchema);

const { deps, dynamo } = openSessionDeps();

const journalTables = { changes: config.TABLE_CHANGES, people: config.TABLE_PEOPLE };

const signInHandler = createHandler({
	...deps,
	constantTimeEqual,
	trustedProxy: openTrustedProxy(deps.log),
	sessions: createDynamoSessionJournal(dynamo, journalTables, config.CHANGE_DAYS),
	attempts: createDynamoSignInAttempts(dynamo, config.TABLE_SIGN_IN_FAILURES),
	writtenSchemas: createDynamoWrittenSchemas(dynamo, config.TABLE_VARIABLES),
	unownedData: config.UNOWNED_DATA,
});

export const handler = withLambdaDeadline(signInHandler);
