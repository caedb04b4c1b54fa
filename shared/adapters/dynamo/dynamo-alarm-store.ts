import { randomUUID } from 'node:crypto';
import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { EvaluatorState, OperatorState, Outbox } from '#domain/alarm-rows/alarm-rows.ts';
import {
	type AlarmCommit,
	type AlarmCommitOutcome,
	type AlarmRowWrite,
	type AlarmStore,
	maxEventsPerCommit,
} from '#domain/ports/alarm-store.ts';
import { alarmRowKinds, alarmRowsOf, defaultAlarmEventDays, storedAlarmsOf, type UnparsedAlarmRow } from '../stored-alarm.ts';
import { eventAction, readEventPage } from './alarm-events.ts';
import { rowAction } from './commit.ts';
import { type ConditionalAction, checkTransactionSize, sendCommit, sendTransaction, stampedAction } from './conditional-write.ts';
import type { Dynamo } from './dynamo-client.ts';
import { recordAction } from './dynamo-idempotency.ts';
import { createDynamoEvaluations } from './evaluation-progress.ts';
import { getItems } from './get-items.ts';
import { type ItemAddress, type SchemaTables, stampCondition, storedTextOf } from './items.ts';
import { readPages } from './read-items.ts';
import { queryOfKind } from './read-rows.ts';

/** The deployed names of the tables that the store of alarms reads and writes. */
export interface AlarmTables extends SchemaTables {
	readonly evaluations: string;
	readonly alarmStates: string;
}

type AlarmRow = EvaluatorState | OperatorState | Outbox;

/** A row of an alarm that a commit relies on, with its address. */
interface AddressedWrite extends AlarmRowWrite<AlarmRow>, ItemAddress {}

/** An item without a text is a row that cannot be parsed. */
const rowSchema = v.object({ key: v.string(), body: v.fallback(v.string(), '') });

/**
 * `AlarmStore` in DynamoDB (shared/domain/alarm/EVALUATION.md#stored-rows).
 * @param eventDays how many days events stay in the journal
 * @param now epoch milliseconds, with which the expiry of events is compared
 */
export function createDynamoAlarmStore(
	dynamo: Dynamo,
	tables: AlarmTables,
	eventDays: number = defaultAlarmEventDays,
	now: () => number = Date.now,
): AlarmStore {
	const { alarmStates } = tables;
	return {
		...createDynamoEvaluations(dynamo, tables.evaluations),
		alarms: async (schema) => {
			const query = queryOfKind(tables, schema, 'alarm');
			const items = await readPages(dynamo, (page) => new QueryCommand({ ...query, ...page }));
			return storedAlarmsOf(items.flatMap((item) => storedTextOf(schema, item) ?? []));
		},
		rows: async (schema) => {
			const query = {
				TableName: alarmStates,
				KeyConditionExpression: '#schema = :schema',
				ExpressionAttributeNames: { '#schema': 'schema' },
				ExpressionAttributeValues: { ':schema': schema },
			};
			return alarmRowsOf((await readPages(dynamo, (page) => new QueryCommand({ ...query, ...page }))).flatMap(unparsedRow));
		},
		rowsOf: async (schema, alarmIds) => {
			const addresses = [...new Set(alarmIds)].flatMap((alarmId) =>
				alarmRowKinds.map((kind) => ({ TableName: alarmStates, Key: { schema, key: `${kind}#${alarmId}` } })),
			);
			return alarmRowsOf((await getItems(dynamo, addresses)).flatMap(unparsedRow));
		},
		commit: (schema, commit) => commitAlarm(dynamo, tables, schema, commit, eventDays),
		events: (schema, page) => readEventPage(dynamo, tables, schema, page, now()),
	};
}

/** `AlarmStore.commit`. A single row is stored by a plain write, which costs half as much as a transaction. */
async function commitAlarm(
	dynamo: Dynamo,
	tables: AlarmTables,
	schema: string,
	commit: AlarmCommit,
	eventDays: number,
): Promise<AlarmCommitOutcome> {
	const { alarmId, checks = [], events = [], record } = commit;
	if (events.length > maxEventsPerCommit)
		throw new RangeError(`A commit takes ${maxEventsPerCommit} events; this has ${events.length}.`);
	const writes = alarmRowKinds.flatMap((kind): readonly AddressedWrite[] => {
		const write: AlarmRowWrite<AlarmRow> | undefined = commit[kind];
		const address = { TableName: tables.alarmStates, Key: { schema, key: `${kind}#${alarmId}` } };
		return write === undefined ? [] : [{ ...address, ...write }];
	});
	// A plain write stores a row. Deleting one, and checking one that stays, take a transaction.
	const [only] = writes;
	const isAlone = writes.length === 1 && checks.length === 0 && events.length === 0 && record === undefined;
	if (isAlone && only?.put) return putAlone(dynamo, only, only.put);
	const actions: ConditionalAction<'conflict' | 'claim_lost'>[] = [
		...writes.map((write) => stampedAction(write, write.expected, write.put && attributesOf(write.put))),
		...checks.map(({ key, expected }) => rowAction(tables, schema, { key, expected })),
		...events.map((event) => eventAction(tables, schema, event, eventDays)),
	];
	if (record !== undefined) actions.push(recordAction(tables.idempotency, record));
	if (actions.length === 0) return 'committed';
	checkTransactionSize([...events.map((event) => JSON.stringify(event)), ...(record ? [record.response] : [])]);
	return sendTransaction(dynamo, actions);
}

/**
 * Stores one row by a plain write. `write` is the id of the write. A repetition after a lost answer finds it in the row, which shows that
 * the first attempt succeeded.
 */
function putAlone(
	dynamo: Dynamo,
	{ TableName, Key, expected }: AddressedWrite,
	row: AlarmRow,
): Promise<'committed' | 'conflict'> {
	const write = randomUUID();
	const { ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues } = stampCondition(expected);
	const command = new PutCommand({
		TableName,
		Item: { ...Key, ...attributesOf(row), write },
		ConditionExpression: `${ConditionExpression} OR #write = :write`,
		ExpressionAttributeNames: { ...ExpressionAttributeNames, '#write': 'write' },
		ExpressionAttributeValues: { ...ExpressionAttributeValues, ':write': write },
	});
	return sendCommit(
		dynamo,
		(options) => dynamo.client.send(command, options),
		(error) => (error instanceof Error && error.name === 'ConditionalCheckFailedException' ? 'conflict' : undefined),
	);
}

/** Returns the attributes of a row beside its key. */
const attributesOf = (row: AlarmRow) => ({ stamp: row.rowVersion, body: JSON.stringify(row) });

/** Returns the row of an item; an empty list for a kind of row that a later version added. */
function unparsedRow(item: unknown): readonly UnparsedAlarmRow[] {
	const { key, body } = v.parse(rowSchema, item);
	const [name, id] = key.split('#');
	const kind = alarmRowKinds.find((each) => each === name);
	return kind === undefined ? [] : [{ alarmId: Number(id), kind, body }];
}
