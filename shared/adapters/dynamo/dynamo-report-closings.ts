import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { aheadMs, type Closing, damagedClosing, type ReportClosings } from '#domain/ports/report-closings.ts';
import type { Dynamo } from './dynamo-client.ts';
import { getItems } from './get-items.ts';
import { sendConditional, sendOrFail } from './send.ts';

/** The sort key of the item, which no day and no revision has. */
const key = 'closing';

const keySchema = v.looseObject({ schema: v.string() });
const itemSchema = v.pipe(
	v.object({ dueAt: v.number(), failingSince: v.optional(v.number()), stopped: v.optional(v.boolean(), false) }),
	v.transform(({ dueAt, failingSince = null, stopped }): Closing => ({ dueAt, failingSince, isStopped: stopped })),
);

/** `ReportClosings` in DynamoDB: one item of each schema, in the table of the stored days. Null is stored as an absent attribute. */
export function createDynamoReportClosings(dynamo: Dynamo, table: string): ReportClosings {
	const address = (schema: string) => ({ TableName: table, Key: { schema, key } });
	return {
		find: async (schemas) => {
			const items = await getItems(dynamo, schemas.map(address));
			return new Map(
				items.map((item) => [v.parse(keySchema, item).schema, v.parse(v.fallback(itemSchema, damagedClosing), item)]),
			);
		},
		begin: async (schema, now, until) => {
			const update = new UpdateCommand({
				...address(schema),
				UpdateExpression: 'SET dueAt = :until, failingSince = if_not_exists(failingSince, :now)',
				ConditionExpression:
					'attribute_not_exists(#schema) OR ((dueAt <= :now OR dueAt > :latest OR NOT attribute_type(dueAt, :number)) AND attribute_not_exists(stopped))',
				ExpressionAttributeNames: { '#schema': 'schema' },
				ExpressionAttributeValues: { ':until': until, ':now': now, ':latest': now + aheadMs, ':number': 'N' },
			});
			return (await sendConditional(dynamo, update)) === undefined;
		},
		end: async (schema, { dueAt, failed }) => {
			const update = new UpdateCommand({
				...address(schema),
				UpdateExpression: `SET dueAt = :dueAt${failed ? '' : ' REMOVE failingSince'}`,
				ExpressionAttributeValues: { ':dueAt': dueAt },
			});
			await sendOrFail(dynamo, update);
		},
		stop: async (schema) => {
			const update = new UpdateCommand({
				...address(schema),
				UpdateExpression: 'SET stopped = :true, dueAt = if_not_exists(dueAt, :never)',
				ExpressionAttributeValues: { ':true': true, ':never': 0 },
			});
			await sendOrFail(dynamo, update);
		},
		restart: async (schema) => {
			await sendOrFail(dynamo, new DeleteCommand(address(schema)));
		},
	};
}
