import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { MetadataCorrection } from '#domain/ports/schema-store.ts';
import type { Dynamo } from './dynamo-client.ts';
import { counterAddress, metadataAddress, type SchemaTables } from './items.ts';
import { sendConditional } from './send.ts';

/**
 * `SchemaStore.correctMetadata`: two updates, because the counter is an item of its own. When it is interrupted between them, the
 * next call finishes it.
 */
export async function correctMetadata(
	dynamo: Dynamo,
	tables: SchemaTables,
	schema: string,
	{ expectedRevision, variables, lastId }: MetadataCorrection,
): Promise<'committed' | 'conflict'> {
	const isExpected = '#revision = :expected';
	const count = new UpdateCommand({
		...metadataAddress(tables, schema),
		UpdateExpression: 'SET #variables = :variables',
		// An item that does not exist, or was never advanced, is at revision 0.
		ConditionExpression: expectedRevision === 0 ? `attribute_not_exists(#revision) OR ${isExpected}` : isExpected,
		ExpressionAttributeNames: { '#variables': 'variables', '#revision': 'revision' },
		ExpressionAttributeValues: { ':variables': variables, ':expected': expectedRevision },
	});
	if ((await sendConditional(dynamo, count)) !== undefined) return 'conflict';
	const raise = new UpdateCommand({
		...counterAddress(tables, schema),
		UpdateExpression: 'SET #lastId = :lastId',
		ConditionExpression: 'attribute_not_exists(#lastId) OR #lastId < :lastId',
		ExpressionAttributeNames: { '#lastId': 'lastId' },
		ExpressionAttributeValues: { ':lastId': lastId },
	});
	// Refused when the counter is ahead already.
	await sendConditional(dynamo, raise);
	return 'committed';
}
