import { randomUUID } from 'node:crypto';
import { describe, inject } from 'vitest';
import { type Dynamo, openDynamo } from '#adapters/dynamo/dynamo-client.ts';
import { createDynamoIdempotency } from '#adapters/dynamo/dynamo-idempotency.ts';
import { createDynamoSchemaStore } from '#adapters/dynamo/dynamo-schema-store.ts';
import { createDynamoSignInFailures } from '#adapters/dynamo/dynamo-sign-in-failures.ts';
import { createDynamoUsers } from '#adapters/dynamo/dynamo-users.ts';
import type { Limits } from '#adapters/dynamo/limits.ts';
import { createTables } from '#infra/local/adapters/create-dynamo-tables.ts';
import { tablesUnder } from '#infra/local/wiring/stores.ts';
import type { TableName } from '#shared/tables.ts';

/** `describe`, skipped where DynamoDB Local cannot be had. */
export const describeDynamo = describe.skipIf(inject('dynamoDbEndpoint') === null);

/** A database of its own within DynamoDB Local, which keeps one for each access key. */
export const newDatabase = (): string => randomUUID().replaceAll('-', '');

/** The tables' names in every such database. */
const names = {
	variables: 'test-variables',
	panels: 'test-panels',
	boards: 'test-boards',
	users: 'test-users',
	idempotency: 'test-idempotency',
	signInFailures: 'test-sign-in-failures',
} as const satisfies Record<TableName, string>;

export interface DynamoOptions {
	/** Where to send requests instead: a proxy before DynamoDB Local. */
	readonly endpoint?: string;
	readonly database?: string;
	readonly limits?: Partial<Limits>;
}

/** A client of DynamoDB Local. */
export const openLocalDynamo = ({ endpoint, database = newDatabase(), limits = {} }: DynamoOptions = {}): Dynamo =>
	openDynamo({
		endpoint: endpoint ?? inject('dynamoDbEndpoint') ?? '',
		region: 'local',
		credentials: { accessKeyId: database, secretAccessKey: 'local' },
		limits,
	});

/** Every adapter over one client. */
export const adaptersOf = (dynamo: Dynamo) => ({
	dynamo,
	names,
	store: createDynamoSchemaStore(dynamo, names),
	idempotency: createDynamoIdempotency(dynamo, names.idempotency),
	users: createDynamoUsers(dynamo, names.users),
	failures: createDynamoSignInFailures(dynamo, names.signInFailures),
});

/** Every adapter over a new database with empty tables. */
export const openAdapters = async (options?: DynamoOptions) => {
	const dynamo = openLocalDynamo(options);
	await createTables(dynamo, tablesUnder(names));
	return adaptersOf(dynamo);
};
