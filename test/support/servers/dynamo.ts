import { randomUUID } from 'node:crypto';
import { DeleteTableCommand, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { describe, inject } from 'vitest';
import { createDynamoAlarmStore } from '#adapters/dynamo/dynamo-alarm-store.ts';
import { createDynamoChangeJournal } from '#adapters/dynamo/dynamo-change-journal.ts';
import { type Dynamo, type DynamoLimits, openDynamo } from '#adapters/dynamo/dynamo-client.ts';
import { createDynamoIdempotency } from '#adapters/dynamo/dynamo-idempotency.ts';
import { createDynamoMachines } from '#adapters/dynamo/dynamo-machines.ts';
import { createDynamoOpenIdSessionTokens } from '#adapters/dynamo/dynamo-openid-session-tokens.ts';
import { createDynamoOpenIdSessions } from '#adapters/dynamo/dynamo-openid-sessions.ts';
import { createDynamoOwners } from '#adapters/dynamo/dynamo-owners.ts';
import { createDynamoPeople } from '#adapters/dynamo/dynamo-people.ts';
import { createDynamoReportClosings } from '#adapters/dynamo/dynamo-report-closings.ts';
import { createDynamoReportDays } from '#adapters/dynamo/dynamo-report-days.ts';
import { createDynamoRoles } from '#adapters/dynamo/dynamo-roles.ts';
import { createDynamoSchemaImports } from '#adapters/dynamo/dynamo-schema-imports.ts';
import { createDynamoSchemaStore } from '#adapters/dynamo/dynamo-schema-store.ts';
import { createDynamoSessionJournal } from '#adapters/dynamo/dynamo-session-journal.ts';
import { createDynamoSignInAttempts } from '#adapters/dynamo/dynamo-sign-in-attempts.ts';
import { createDynamoStoredGrants } from '#adapters/dynamo/dynamo-stored-grants.ts';
import { createDynamoStoredTexts } from '#adapters/dynamo/dynamo-stored-texts.ts';
import { createDynamoUsers } from '#adapters/dynamo/dynamo-users.ts';
import { createDynamoWrittenSchemas } from '#adapters/dynamo/dynamo-written-schemas.ts';
import { createDynamoPacks } from '#adapters/dynamo/packs.ts';
import { sendOrFail } from '#adapters/dynamo/send.ts';
import { createTables } from '#infra/local/adapters/create-dynamo-tables.ts';
import { tablesUnder } from '#infra/local/wiring/stores.ts';
import type { TableName } from '#shared/tables.ts';

/** `describe`, skipped when this machine cannot run DynamoDB Local. */
export const describeDynamo = describe.skipIf(inject('dynamoDbEndpoint') === null);

/** The names of the tables in every test database. */
export const names = {
	variables: 'test-variables',
	panels: 'test-panels',
	boards: 'test-boards',
	evaluations: 'test-evaluations',
	alarmStates: 'test-alarm-states',
	alarmEvents: 'test-alarm-events',
	changes: 'test-changes',
	reportDays: 'test-report-days',
	users: 'test-users',
	people: 'test-people',
	machines: 'test-machines',
	owners: 'test-owners',
	grants: 'test-grants',
	sessions: 'test-sessions',
	sessionTokens: 'test-session-tokens',
	idempotency: 'test-idempotency',
	signInFailures: 'test-sign-in-failures',
} as const satisfies Record<TableName, string>;

/** The options of a client of DynamoDB Local. */
export interface DynamoOptions {
	/** The address of a proxy in front of DynamoDB Local, instead of its own. */
	readonly endpoint?: string;
	readonly database?: string;
	readonly limits?: Partial<DynamoLimits>;
	readonly timeLeftMs?: () => number;
}

/** Limits for hundreds of requests at once, for which DynamoDB Local takes seconds on a busy machine. */
export const patient = { connectTimeoutMs: 60_000, requestTimeoutMs: 60_000, deadlineMs: 60_000 };

/** The databases that `newDatabase` has named and `deleteDatabases` has not deleted yet. */
const databases = new Set<string>();

/** Returns the name of a new database in DynamoDB Local, which keeps one for each access key. */
export function newDatabase(): string {
	const name = randomUUID().replaceAll('-', '');
	databases.add(name);
	return name;
}

/** Deletes the tables of all databases of this worker. DynamoDB Local runs ten threads for each database that has tables. */
export async function deleteDatabases(): Promise<void> {
	// Tests that are skipped have named databases, too.
	if (inject('dynamoDbEndpoint') === null) return;
	// One after another: a hundred new connections at once would not all be accepted in time.
	for (const database of databases) {
		const dynamo = openLocalDynamo({ database, limits: patient });
		try {
			const { TableNames = [] } = await sendOrFail(dynamo, new ListTablesCommand({}));
			for (const TableName of TableNames) await sendOrFail(dynamo, new DeleteTableCommand({ TableName }));
		} finally {
			dynamo.close();
		}
	}
	databases.clear();
}

/** Opens a client of DynamoDB Local, by default of a new database. */
export function openLocalDynamo({ endpoint, database = newDatabase(), limits = {}, ...time }: DynamoOptions = {}): Dynamo {
	return openDynamo({
		endpoint: endpoint ?? inject('dynamoDbEndpoint') ?? '',
		region: 'local',
		credentials: { accessKeyId: database, secretAccessKey: 'local' },
		limits,
		...time,
	});
}

/** Days for which the journal of changes keeps an entry. */
const forEver = 0;

/** Creates every adapter for one client. */
export function adaptersOf(dynamo: Dynamo) {
	return {
		dynamo,
		names,
		store: createDynamoSchemaStore(dynamo, names),
		packs: createDynamoPacks(dynamo, names),
		imports: createDynamoSchemaImports(dynamo, names),
		changes: createDynamoChangeJournal(dynamo, names),
		sessions: createDynamoSessionJournal(dynamo, names, forEver),
		alarms: createDynamoAlarmStore(dynamo, names),
		reportDays: createDynamoReportDays(dynamo, names.reportDays),
		closings: createDynamoReportClosings(dynamo, names.reportDays),
		idempotency: createDynamoIdempotency(dynamo, names.idempotency),
		users: createDynamoUsers(dynamo, names.users),
		people: { ...createDynamoPeople(dynamo, names.people), ...createDynamoRoles(dynamo, names, forEver) },
		machines: createDynamoMachines(dynamo, names, forEver),
		owners: createDynamoOwners(dynamo, names.owners),
		grants: createDynamoStoredGrants(dynamo, names, forEver),
		openIdSessions: createDynamoOpenIdSessions(dynamo, names.sessions),
		openIdSessionTokens: createDynamoOpenIdSessionTokens(dynamo, names.sessionTokens),
		writtenSchemas: createDynamoWrittenSchemas(dynamo, names.variables),
		attempts: createDynamoSignInAttempts(dynamo, names.signInFailures),
		texts: createDynamoStoredTexts(dynamo, names),
	};
}

/** Creates empty tables, and every adapter for them. */
export async function openAdapters(options?: DynamoOptions) {
	const dynamo = openLocalDynamo(options);
	await createTables(dynamo, tablesUnder(names));
	return adaptersOf(dynamo);
}
