import { type Dynamo, openDynamo } from '#adapters/dynamo/dynamo-client.ts';
import { createDynamoIdempotency } from '#adapters/dynamo/dynamo-idempotency.ts';
import { createDynamoSchemaStore } from '#adapters/dynamo/dynamo-schema-store.ts';
import { createDynamoSignInFailures } from '#adapters/dynamo/dynamo-sign-in-failures.ts';
import { createDynamoUsers } from '#adapters/dynamo/dynamo-users.ts';
import type { Idempotency } from '#domain/ports/idempotency.ts';
import type { SchemaStore } from '#domain/ports/schema-store.ts';
import type { SignInFailures } from '#domain/ports/sign-in-failures.ts';
import type { Users } from '#domain/ports/users.ts';
import { ConfigError } from '#shared/config.ts';
import { type TableName, tables } from '#shared/tables.ts';
import { createTables, type TableToCreate } from '../adapters/create-dynamo-tables.ts';
import { createSqliteIdempotency } from '../adapters/sqlite/sqlite-idempotency.ts';
import { createSqliteSchemaStore } from '../adapters/sqlite/sqlite-schema-store.ts';
import { createSqliteSignInFailures } from '../adapters/sqlite/sqlite-sign-in-failures.ts';
import { createSqliteUsers } from '../adapters/sqlite/sqlite-users.ts';
import type { LocalSettings } from './settings.ts';
import type { KeyValueStore, State } from './state.ts';

/** The tables of the service, behind the domain's ports. */
export interface Stores {
	readonly store: SchemaStore;
	readonly idempotency: Idempotency;
	readonly users: Users;
	readonly failures: SignInFailures;
	/** What was put into these tables once. */
	readonly seeded: KeyValueStore;
	close(): void;
}

/** The tables' names in an emulator, as the contract orders them. */
const names = {
	variables: 'caudal-variables',
	panels: 'caudal-panels',
	boards: 'caudal-boards',
	users: 'caudal-users',
	idempotency: 'caudal-idempotency',
	signInFailures: 'caudal-sign-in-failures',
} as const satisfies Record<TableName, string>;

/** The contract's tables under the names that they have in an emulator. */
export function tablesUnder(deployed: Readonly<Record<TableName, string>>): readonly TableToCreate[] {
	return [
		{ name: deployed.variables, ...tables.variables },
		{ name: deployed.panels, ...tables.panels },
		{ name: deployed.boards, ...tables.boards },
		{ name: deployed.users, ...tables.users },
		{ name: deployed.idempotency, ...tables.idempotency },
		{ name: deployed.signInFailures, ...tables.signInFailures },
	];
}

/** An emulator may forget its tables whenever it stops: each start seeds what it finds missing. */
const forgetful: KeyValueStore = { get: () => undefined, set: () => undefined };

/** The tables of a DynamoDB, which are there, under the names that they have. */
export function dynamoStores(dynamo: Dynamo, deployed: Readonly<Record<TableName, string>>): Stores {
	return {
		store: createDynamoSchemaStore(dynamo, deployed),
		idempotency: createDynamoIdempotency(dynamo, deployed.idempotency),
		users: createDynamoUsers(dynamo, deployed.users),
		failures: createDynamoSignInFailures(dynamo, deployed.signInFailures),
		seeded: forgetful,
		close: () => dynamo.close(),
	};
}

/**
 * Opens the tables: in the state's SQLite, or in the DynamoDB at DYNAMODB_ENDPOINT, where missing ones are created.
 * Throws ConfigError where that cannot be used.
 */
export async function openStores(settings: LocalSettings, { database, notes }: State): Promise<Stores> {
	if (settings.DYNAMODB_ENDPOINT !== undefined) return openDynamoStores(settings.DYNAMODB_ENDPOINT, settings);
	return {
		store: createSqliteSchemaStore(database),
		idempotency: createSqliteIdempotency(database),
		users: createSqliteUsers(database),
		failures: createSqliteSignInFailures(database),
		seeded: notes,
		close: () => undefined,
	};
}

async function openDynamoStores(endpoint: string, settings: LocalSettings): Promise<Stores> {
	const { AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = settings;
	const dynamo = openDynamo({
		endpoint,
		region: AWS_REGION,
		credentials: {
			accessKeyId: AWS_ACCESS_KEY_ID,
			secretAccessKey: AWS_SECRET_ACCESS_KEY,
			...(AWS_SESSION_TOKEN === undefined ? {} : { sessionToken: AWS_SESSION_TOKEN }),
		},
	});
	try {
		await createTables(dynamo, tablesUnder(names));
	} catch (cause) {
		dynamo.close();
		const reason = cause instanceof Error ? cause.message : String(cause);
		throw new ConfigError(`DYNAMODB_ENDPOINT ${endpoint} cannot be used: ${reason}`, { cause });
	}
	return dynamoStores(dynamo, names);
}
