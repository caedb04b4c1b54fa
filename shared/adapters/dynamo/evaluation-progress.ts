import { randomUUID } from 'node:crypto';
import { DeleteCommand, PutCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type EvaluationProgress, evaluationProgressSchema } from '#domain/alarm-rows/alarm-rows.ts';
import { type EvaluatedSchema, leaseMs, type ProgressUpdate } from '#domain/ports/alarm-store.ts';
import { damagedProgress, type Evaluations, newProgress } from '../stored-alarm.ts';
import type { Dynamo } from './dynamo-client.ts';
import { getItem, readPages } from './read-items.ts';
import { sendConditional, sendOrRefused } from './send.ts';

const itemSchema = v.looseObject({ schema: v.string() });

/**
 * The evaluation of schemas in DynamoDB, one item each. Null is stored as an absent attribute. `write` is the id of the last update. An
 * update that is repeated after a lost answer finds its own id, which shows that it was applied.
 */
export function createDynamoEvaluations(dynamo: Dynamo, table: string): Evaluations {
	const address = (schema: string) => ({ TableName: table, Key: { schema } });
	return {
		evaluatedSchemas: async () =>
			(await readPages(dynamo, (page) => new ScanCommand({ TableName: table, ...page }))).map(evaluatedSchemaOf),
		progress: async (schema) => {
			const item = await getItem(dynamo, address(schema));
			return item === undefined ? null : evaluatedSchemaOf(item).progress;
		},
		startEvaluation: async (schema, now) => {
			const put = new PutCommand({
				TableName: table,
				Item: { schema, ...withoutNull(newProgress(now)) },
				ConditionExpression: 'attribute_not_exists(#schema)',
				ExpressionAttributeNames: { '#schema': 'schema' },
			});
			// Refused when the schema is evaluated already.
			await sendConditional(dynamo, put);
		},
		stopEvaluation: async (schema) => {
			const remove = new DeleteCommand({
				...address(schema),
				ConditionExpression: 'attribute_exists(#schema)',
				ExpressionAttributeNames: { '#schema': 'schema' },
			});
			return (await sendConditional(dynamo, remove)) === undefined;
		},
		acquireLease: async (schema, lease, now) => {
			const update = new UpdateCommand({
				...address(schema),
				UpdateExpression: 'SET #lease = :lease, #leaseUntil = :until',
				// Also accepts the lease of this request: the answer to its first attempt may have been lost.
				ConditionExpression: 'attribute_exists(#schema) AND (#leaseUntil <= :now OR #lease = :lease)',
				ExpressionAttributeNames: { '#schema': 'schema', '#lease': 'lease', '#leaseUntil': 'leaseUntil' },
				ExpressionAttributeValues: { ':lease': lease, ':until': now + leaseMs, ':now': now },
				ReturnValues: 'ALL_NEW',
			});
			const answer = await sendOrRefused(dynamo, update);
			return 'refusal' in answer ? null : progressOf(answer.output.Attributes);
		},
		updateProgress: async (schema, update) =>
			(await sendConditional(dynamo, new UpdateCommand({ ...address(schema), ...progressUpdate(update) }))) === undefined,
	};
}

/**
 * Returns the parts of an UpdateItem for a step of the evaluation. Its condition: the lease is held, and the schema is evaluated until
 * `expected`; or this very update was applied before.
 */
function progressUpdate({ lease, expected, release = false, ...fields }: ProgressUpdate) {
	const write = randomUUID();
	const given = Object.entries({ ...fields, write, ...(release ? { lease: null, leaseUntil: 0 } : {}) });
	const set = given.filter(([, value]) => value !== null);
	const removed = given.filter(([, value]) => value === null);
	const unchanged = expected === null ? 'attribute_not_exists(#evaluatedUntil)' : '#evaluatedUntil = :expected';
	return {
		UpdateExpression: [
			`SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')}`,
			...(removed.length === 0 ? [] : [`REMOVE ${removed.map(([name]) => `#${name}`).join(', ')}`]),
		].join(' '),
		ConditionExpression: `(#lease = :held AND ${unchanged}) OR #write = :write`,
		ExpressionAttributeNames: {
			'#lease': 'lease',
			'#evaluatedUntil': 'evaluatedUntil',
			...Object.fromEntries(given.map(([name]) => [`#${name}`, name])),
		},
		ExpressionAttributeValues: {
			':held': lease,
			...(expected === null ? {} : { ':expected': expected }),
			...Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
		},
	};
}

function evaluatedSchemaOf(item: unknown): EvaluatedSchema {
	const { schema, ...attributes } = v.parse(itemSchema, item);
	const progress = v.safeParse(evaluationProgressSchema, { ...absent, ...attributes });
	return { schema, progress: progress.success ? progress.output : damagedProgress };
}

/** The fields that may be null, which are stored as absent attributes. */
const absent = { evaluatedUntil: null, lease: null, lastSentAt: null, urgentSince: null };

const progressOf = (item: unknown): EvaluationProgress =>
	v.parse(evaluationProgressSchema, { ...absent, ...v.parse(itemSchema, item) });

const withoutNull = (progress: EvaluationProgress) =>
	Object.fromEntries(Object.entries(progress).filter(([, value]) => value !== null));
