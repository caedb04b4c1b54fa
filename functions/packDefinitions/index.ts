import { createDynamoOwners } from '#adapters/dynamo/dynamo-owners.ts';
import { createDynamoPacks } from '#adapters/dynamo/packs.ts';
import { packDefinitionsSchema, readConfig } from '#shared/config.ts';
import { withLambdaDeadline } from '#wiring/request-time.ts';
import { openTables } from '#wiring/store-deps.ts';
import { createHandler } from './handler.ts';

const config = readConfig(packDefinitionsSchema);

const { deps, dynamo, tables } = openTables();

const packing = {
	...deps,
	owners: createDynamoOwners(dynamo, config.TABLE_OWNERS),
	packs: createDynamoPacks(dynamo, tables),
	now: Date.now,
};

export const handler = withLambdaDeadline(createHandler(packing));
