import { GetCommand, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { MetadataCorrection, SchemaMetadata } from '#domain/ports/schema-store.ts';
import type { Dynamo } from './dynamo-client.ts';
import { isConditionFailed } from './fault.ts';
import { counterAddress, type ItemAddress, metadataAddress, metadataOf, type SchemaTables } from './items.ts';
import { sendOrFail } from './send.ts';

const counterSchema = v.object({ lastId: v.optional(v.number(), 0) });

/** `SchemaStore.head`: the head item, then the counter's. */
export async function readMetadata(dynamo: Dynamo, tables: SchemaTables, schema: string): Promise<SchemaMetadata> {
	const { revision, variables } = metadataOf(await itemAt(dynamo, metadataAddress(tables, schema)));
	const { lastId } = v.parse(counterSchema, await itemAt(dynamo, counterAddress(tables, schema)));
	return { revision, variables, lastId };
}

/**
 * `SchemaStore.correctHead`: two updates, for the counter is an item of its own. Interrupted between them and called again, it
 * does what is left.
 */
export async function correctMetadata(
	dynamo: Dynamo,
	tables: SchemaTables,
	schema: string,
	{ expectedRevision, variables, lastId }: MetadataCorrection,
): Promise<'committed' | 'conflict'> {
	const isStill = '#revision = :expected';
	const counted = await updateIf(dynamo, {
		...metadataAddress(tables, schema),
		UpdateExpression: 'SET #variables = :variables',
		// A head that is not there, or was never advanced, is at revision 0.
		ConditionExpression: expectedRevision === 0 ? `attribute_not_exists(#revision) OR ${isStill}` : isStill,
		ExpressionAttributeNames: { '#variables': 'variables', '#revision': 'revision' },
		ExpressionAttributeValues: { ':variables': variables, ':expected': expectedRevision },
	});
	if (!counted) return 'conflict';
	// Where the condition fails the counter is ahead already.
	await updateIf(dynamo, {
		...counterAddress(tables, schema),
		UpdateExpression: 'SET #lastId = :lastId',
		ConditionExpression: 'attribute_not_exists(#lastId) OR #lastId < :lastId',
		ExpressionAttributeNames: { '#lastId': 'lastId' },
		ExpressionAttributeValues: { ':lastId': lastId },
	});
	return 'committed';
}

async function itemAt(dynamo: Dynamo, place: ItemAddress): Promise<unknown> {
	const { Item: item } = await sendOrFail(dynamo, (options) =>
		dynamo.client.send(new GetCommand({ ...place, ConsistentRead: true }), options),
	);
	return item ?? {};
}

/** Updates an item. @returns whether its condition held */
const updateIf = (dynamo: Dynamo, input: UpdateCommandInput): Promise<boolean> =>
	sendOrFail(dynamo, async (options) => {
		try {
			await dynamo.client.send(new UpdateCommand(input), options);
			return true;
		} catch (error) {
			if (isConditionFailed(error)) return false;
			throw error;
		}
	});
