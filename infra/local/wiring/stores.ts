import { createDynamoAlarmStore } from '#adapters/dynamo/dynamo-alarm-store.ts';
import { createDynamoChangeJournal } from '#adapters/dynamo/dynamo-change-journal.ts';
import { type Dynamo, openDynamo } from '#adapters/dynamo/dynamo-client.ts';
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
import type { JournalDays } from '#adapters/stored-change.ts';
import { messageOf } from '#domain/errors.ts';
import type { Accounts } from '#domain/ports/accounts.ts';
import type { AlarmStore } from '#domain/ports/alarm-store.ts';
import type { ChangeJournal } from '#domain/ports/change-journal.ts';
import type { StoredGrants } from '#domain/ports/grants.ts';
import type { Idempotency } from '#domain/ports/idempotency.ts';
import type { Machines } from '#domain/ports/machines.ts';
import type { OpenIdSessions, OpenIdSessionTokens } from '#domain/ports/openid-sessions.ts';
import type { Owners, WrittenSchemas } from '#domain/ports/owners.ts';
import { noPacks, type Packs } from '#domain/ports/packs.ts';
import type { People } from '#domain/ports/people.ts';
import type { ReportClosings } from '#domain/ports/report-closings.ts';
import type { ReportDays } from '#domain/ports/report-days.ts';
import type { SchemaImports } from '#domain/ports/schema-imports.ts';
import type { SchemaStore } from '#domain/ports/schema-store.ts';
import type { SessionJournal } from '#domain/ports/session-journal.ts';
import type { SignInAttempts } from '#domain/ports/sign-in-attempts.ts';
import type { StoredTexts } from '#domain/ports/stored-texts.ts';
import type { Users } from '#domain/ports/users.ts';
import { ConfigError } from '#shared/config.ts';
import { type TableName, tableNames, tables } from '#shared/tables.ts';
import { createTables, type TableToCreate } from '../adapters/create-dynamo-tables.ts';
import { createSqliteAccounts } from '../adapters/sqlite/sqlite-accounts.ts';
import { createSqliteAlarmStore } from '../adapters/sqlite/sqlite-alarm-store.ts';
import { createSqliteChangeJournal } from '../adapters/sqlite/sqlite-change-journal.ts';
import { createSqliteGrants } from '../adapters/sqlite/sqlite-grants.ts';
import { createSqliteIdempotency } from '../adapters/sqlite/sqlite-idempotency.ts';
import { createSqliteMachines } from '../adapters/sqlite/sqlite-machines.ts';
import { createSqliteOpenIdSessions, createSqliteOpenIdSessionTokens } from '../adapters/sqlite/sqlite-openid-sessions.ts';
import { createSqliteOwners, createSqliteWrittenSchemas } from '../adapters/sqlite/sqlite-owners.ts';
import { createSqlitePeople } from '../adapters/sqlite/sqlite-people.ts';
import { createSqliteReportClosings } from '../adapters/sqlite/sqlite-report-closings.ts';
import { createSqliteReportDays } from '../adapters/sqlite/sqlite-report-days.ts';
import { createSqliteSchemaImports } from '../adapters/sqlite/sqlite-schema-imports.ts';
import { createSqliteSchemaStore } from '../adapters/sqlite/sqlite-schema-store.ts';
import { createSqliteSessionJournal } from '../adapters/sqlite/sqlite-session-journal.ts';
import { createSqliteSignInAttempts } from '../adapters/sqlite/sqlite-sign-in-attempts.ts';
import { createSqliteStoredTexts } from '../adapters/sqlite/sqlite-stored-texts.ts';
import { createSqliteUsers } from '../adapters/sqlite/sqlite-users.ts';
import type { LocalSettings } from './settings.ts';
import { openFiles, type State } from './state.ts';

/** The tables of the service, as the ports of the domain. */
export interface Stores {
	readonly store: SchemaStore;
	readonly packs: Packs;
	readonly imports: SchemaImports;
	readonly changes: ChangeJournal;
	readonly alarms: AlarmStore;
	readonly reportDays: ReportDays;
	readonly closings: ReportClosings;
	readonly idempotency: Idempotency;
	readonly users: Users;
	readonly sessions: SessionJournal;
	readonly people: People;
	readonly machines: Machines;
	readonly owners: Owners;
	readonly grants: StoredGrants;
	readonly openIdSessions: OpenIdSessions;
	readonly openIdSessionTokens: OpenIdSessionTokens;
	readonly writtenSchemas: WrittenSchemas;
	readonly attempts: SignInAttempts;
	readonly texts: StoredTexts;
	close(): void;
}

/** The tables of the service on one machine. The accounts are in SQLite, also where DynamoDB holds the other tables. */
export interface LocalStores extends Stores {
	readonly accounts: Accounts;
}

/** The names of the tables in a DynamoDB emulator. */
const emulatorNames = {
	variables: 'caudal-variables',
	panels: 'caudal-panels',
	boards: 'caudal-boards',
	evaluations: 'caudal-evaluations',
	alarmStates: 'caudal-alarm-states',
	alarmEvents: 'caudal-alarm-events',
	changes: 'caudal-changes',
	reportDays: 'caudal-report-days',
	users: 'caudal-users',
	people: 'caudal-people',
	machines: 'caudal-machines',
	owners: 'caudal-owners',
	grants: 'caudal-grants',
	sessions: 'caudal-sessions',
	sessionTokens: 'caudal-session-tokens',
	idempotency: 'caudal-idempotency',
	signInFailures: 'caudal-sign-in-failures',
} as const satisfies Record<TableName, string>;

/** Returns the definitions of all tables under the given names. */
export function tablesUnder(names: Readonly<Record<TableName, string>>): readonly TableToCreate[] {
	return tableNames.map((name) => ({ name: names[name], ...tables[name] }));
}

/** Builds the stores on existing DynamoDB tables. `days`: how many days entries stay in the journals of alarms and of changes. */
export function dynamoStores(dynamo: Dynamo, names: Readonly<Record<TableName, string>>, days: JournalDays): Stores {
	return {
		store: createDynamoSchemaStore(dynamo, names, days),
		packs: createDynamoPacks(dynamo, names),
		imports: createDynamoSchemaImports(dynamo, names),
		changes: createDynamoChangeJournal(dynamo, names),
		sessions: createDynamoSessionJournal(dynamo, names, days.changes),
		alarms: createDynamoAlarmStore(dynamo, names, days.events),
		reportDays: createDynamoReportDays(dynamo, names.reportDays),
		closings: createDynamoReportClosings(dynamo, names.reportDays),
		idempotency: createDynamoIdempotency(dynamo, names.idempotency),
		users: createDynamoUsers(dynamo, names.users),
		people: { ...createDynamoPeople(dynamo, names.people), ...createDynamoRoles(dynamo, names, days.changes) },
		machines: createDynamoMachines(dynamo, names, days.changes),
		owners: createDynamoOwners(dynamo, names.owners),
		grants: createDynamoStoredGrants(dynamo, names, days.changes),
		openIdSessions: createDynamoOpenIdSessions(dynamo, names.sessions),
		openIdSessionTokens: createDynamoOpenIdSessionTokens(dynamo, names.sessionTokens),
		writtenSchemas: createDynamoWrittenSchemas(dynamo, names.variables),
		attempts: createDynamoSignInAttempts(dynamo, names.signInFailures),
		texts: createDynamoStoredTexts(dynamo, names),
		close: () => dynamo.close(),
	};
}

/**
 * Opens the stores: in the SQLite database of the state, or in the DynamoDB at DYNAMODB_ENDPOINT, creating missing tables.
 * @throws ConfigError when that database, or that DynamoDB, cannot be used
 */
export async function openStores(settings: LocalSettings, { database }: State): Promise<LocalStores> {
	const { DYNAMODB_ENDPOINT: endpoint } = settings;
	const days = { events: settings.ALARM_EVENT_DAYS, changes: settings.CHANGE_DAYS };
	if (endpoint === undefined)
		return openFiles(settings.STATE_DIR, () => ({
			store: createSqliteSchemaStore(database, days),
			packs: noPacks,
			imports: createSqliteSchemaImports(database),
			changes: createSqliteChangeJournal(database),
			sessions: createSqliteSessionJournal(database, days.changes),
			alarms: createSqliteAlarmStore(database, days.events),
			reportDays: createSqliteReportDays(database),
			closings: createSqliteReportClosings(database),
			idempotency: createSqliteIdempotency(database),
			users: createSqliteUsers(database),
			people: createSqlitePeople(database, days.changes),
			machines: createSqliteMachines(database, days.changes),
			owners: createSqliteOwners(database),
			grants: createSqliteGrants(database, days.changes),
			openIdSessions: createSqliteOpenIdSessions(database),
			openIdSessionTokens: createSqliteOpenIdSessionTokens(database),
			accounts: createSqliteAccounts(database),
			writtenSchemas: createSqliteWrittenSchemas(database),
			attempts: createSqliteSignInAttempts(database),
			texts: createSqliteStoredTexts(database),
			// The state owns the database.
			close: () => undefined,
		}));
	const dynamo = openDynamo({
		endpoint,
		region: settings.AWS_REGION,
		credentials: {
			accessKeyId: settings.AWS_ACCESS_KEY_ID,
			secretAccessKey: settings.AWS_SECRET_ACCESS_KEY,
			...(settings.AWS_SESSION_TOKEN === undefined ? {} : { sessionToken: settings.AWS_SESSION_TOKEN }),
		},
	});
	try {
		await createTables(dynamo, tablesUnder(emulatorNames));
	} catch (cause) {
		dynamo.close();
		throw new ConfigError(`DYNAMODB_ENDPOINT ${endpoint} cannot be used: ${messageOf(cause)}`, { cause });
	}
	return { ...dynamoStores(dynamo, emulatorNames, days), accounts: createSqliteAccounts(database) };
}
