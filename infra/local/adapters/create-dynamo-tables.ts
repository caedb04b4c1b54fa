import {
	CreateTableCommand,
	type CreateTableCommandInput,
	DescribeTimeToLiveCommand,
	type GlobalSecondaryIndex,
	type KeySchemaElement,
	UpdateTimeToLiveCommand,
	waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import type { Dynamo } from '#adapters/dynamo/dynamo-client.ts';
import { sendConditional, sendOrFail, storeFailed } from '#adapters/dynamo/send.ts';
import type { IndexDefinition, TableDefinition } from '#shared/tables.ts';

/** A table and the name under which it is created. */
export interface TableToCreate extends TableDefinition {
	readonly name: string;
}

/** How long the SDK waits until a new table can be used, and how often it asks, in seconds. */
const tableWait = { maxWaitTime: 60, minDelay: 1, maxDelay: 1 };

/** Creates the tables that do not exist yet. For emulators only: on AWS, CDK creates them. @throws DomainError `store_failed` */
export async function createTables(dynamo: Dynamo, tables: readonly TableToCreate[]): Promise<void> {
	for (const table of tables) {
		// DynamoDB refuses this when the table exists. The refusal is ignored.
		await sendConditional(dynamo, new CreateTableCommand(inputOf(table)), 'ResourceInUseException');
		try {
			await waitUntilTableExists({ client: dynamo.client, ...tableWait }, { TableName: table.name });
		} catch (error) {
			throw storeFailed(error);
		}
		if (table.ttlAttribute !== undefined) await enableTtl(dynamo, table.name, table.ttlAttribute);
	}
}

function inputOf({ name, indexes = [], ...keys }: TableToCreate): CreateTableCommandInput {
	// Each attribute once, by its name: a table and its indexes may share some.
	const attributes = new Map([keys, ...indexes].flatMap(keyAttributes).map((attribute) => [attribute.name, attribute]));
	return {
		TableName: name,
		BillingMode: 'PAY_PER_REQUEST',
		AttributeDefinitions: [...attributes.values()].map(({ name, type }) => ({ AttributeName: name, AttributeType: type })),
		KeySchema: keySchemaOf(keys),
		...(indexes.length === 0 ? {} : { GlobalSecondaryIndexes: indexes.map(indexOf) }),
	};
}

const indexOf = (index: IndexDefinition): GlobalSecondaryIndex => ({
	IndexName: index.name,
	KeySchema: keySchemaOf(index),
	Projection:
		index.attributes.length === 0
			? { ProjectionType: 'KEYS_ONLY' }
			: { ProjectionType: 'INCLUDE', NonKeyAttributes: [...index.attributes] },
});

type Keys = Pick<TableDefinition, 'partitionKey' | 'sortKey'>;

const keyAttributes = ({ partitionKey, sortKey }: Keys) => [partitionKey, ...(sortKey === undefined ? [] : [sortKey])];

const keySchemaOf = (keys: Keys): KeySchemaElement[] =>
	keyAttributes(keys).map(({ name }, index) => ({ AttributeName: name, KeyType: index === 0 ? 'HASH' : 'RANGE' }));

/** Lets DynamoDB delete the rows whose time in an attribute has passed. */
async function enableTtl(dynamo: Dynamo, TableName: string, AttributeName: string): Promise<void> {
	const update = new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: { Enabled: true, AttributeName } });
	const refusal = await sendConditional(dynamo, update, 'ValidationException');
	if (refusal === undefined) return;
	// DynamoDB also refuses when time to live is enabled already. That refusal is ignored.
	const { TimeToLiveDescription: ttl } = await sendOrFail(dynamo, new DescribeTimeToLiveCommand({ TableName }));
	if (ttl?.TimeToLiveStatus !== 'ENABLED' && ttl?.TimeToLiveStatus !== 'ENABLING') throw storeFailed(refusal);
}
