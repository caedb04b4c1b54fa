import { GetCommand, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { HeadCorrection, SchemaHead } from '#domain/ports/schema-store.ts';
import type { Dynamo } from './dynamo-client.ts';
import { isConditionFailed } from './fault.ts';
import { counterPlace, headOf, headPlace, type Place, type SchemaTables } from './items.ts';
import { ask } from './send.ts';

const counterSchema = v.object({ lastId: v.optional(v.number(), 0) });

const itemAt = async (dynamo: Dynamo, place: Place): Promise<unknown> => {
	const { Item: item } = await ask(dynamo, (options) =>
		dynamo.client.send(new GetCommand({ ...place, ConsistentRead: true }), options),
	);
	return item ?? {};
};

/** `SchemaStore.head`: the head item, then the counter's. */
export const readHead = async (dynamo: Dynamo, tables: SchemaTables, schema: string): Promise<SchemaHead> => {
	const { revision, variables } = headOf(await itemAt(dynamo, headPlace(tables, schema)));
	const { lastId } = v.parse(counterSchema, await itemAt(dynamo, counterPlace(tables, schema)));
	return { revision, variables, lastId };
};

/** Updates an item. @returns whether its condition held */
const updateIf = (dynamo: Dynamo, input: UpdateCommandInput): Promise<boolean> =>
	ask(dynamo, async (options) => {
		try {
			await dynamo.client.send(new UpdateCommand(input), options);
			return true;
		} catch (error) {
			if (isConditionFailed(error)) return false;
			throw error;
		}
	});

/**
 * `SchemaStore.correctHead`: two updates, for the counter is an item of its own. Interrupted between them and called again, it
 * does what is left.
 */
export const correctHead = async (
	dynamo: Dynamo,
	tables: SchemaTables,
	schema: string,
	{ expectedRevision, variables, lastId }: HeadCorrection,
): Promise<'committed' | 'conflict'> => {
	const isStill = '#revision = :expected';
	const counted = await updateIf(dynamo, {
		...headPlace(tables, schema),
		UpdateExpression: 'SET #variables = :variables',
		// A head that is not there, or was never advanced, is at revision 0.
		ConditionExpression: expectedRevision === 0 ? `attribute_not_exists(#revision) OR ${isStill}` : isStill,
		ExpressionAttributeNames: { '#variables': 'variables', '#revision': 'revision' },
		ExpressionAttributeValues: { ':variables': variables, ':expected': expectedRevision },
	});
	if (!counted) return 'conflict';
	// Where the condition fails the counter is ahead already.
	await updateIf(dynamo, {
		...counterPlace(tables, schema),
		UpdateExpression: 'SET #lastId = :lastId',
		ConditionExpression: 'attribute_not_exists(#lastId) OR #lastId < :lastId',
		ExpressionAttributeNames: { '#lastId': 'lastId' },
		ExpressionAttributeValues: { ':lastId': lastId },
	});
	return 'committed';
};
