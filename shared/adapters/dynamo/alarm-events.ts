import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type AlarmEvent, alarmEventKey, alarmEventKeyStart } from '#domain/alarm-rows/alarm-event.ts';
import { type EventPage, type EventPageRequest, maxEventPageBytes } from '#domain/ports/alarm-store.ts';
import { readable } from '../invalid-row.ts';
import { eventExpiry, parseStoredEvent } from '../stored-alarm.ts';
import type { ConditionalAction } from './conditional-write.ts';
import type { Dynamo } from './dynamo-client.ts';
import { expiryOf } from './expiry.ts';
import type { SchemaTables } from './items.ts';
import { callDeadline, sendOrFail } from './send.ts';

type EventTable = Pick<SchemaTables, 'alarmEvents'>;

/** The most bytes that DynamoDB reads for one query, counted before its filter is applied. */
const queryBytes = 1_000_000;
/** The events of one query for one alarm. An event has about 1 KB. */
const eventsPerQuery = 1000;
/** Most queries of one page. */
const maxQueries = maxEventPageBytes / queryBytes;

const itemSchema = v.object({ key: v.string(), body: v.fallback(v.string(), '') });

/** Returns the action that adds an event to the journal, on condition that its key is new. `days`: how long the event stays. */
export function eventAction(
	{ alarmEvents }: EventTable,
	schema: string,
	event: AlarmEvent,
	days: number,
): ConditionalAction<'conflict'> {
	const Item = {
		schema,
		key: alarmEventKey(event),
		alarmId: event.alarmId,
		body: JSON.stringify(event),
		expiresAt: expiryOf(eventExpiry(event, days)),
	};
	const condition = { ConditionExpression: 'attribute_not_exists(#key)', ExpressionAttributeNames: { '#key': 'key' } };
	return { action: { Put: { TableName: alarmEvents, Item, ...condition } }, refusal: 'conflict' };
}

/**
 * `AlarmStore.events`: reads the newest first. Reads one event more than the page holds, to know whether another page follows. Expiry is
 * compared with `now`, epoch milliseconds, because DynamoDB deletes expired items late.
 */
export async function readEventPage(
	dynamo: Dynamo,
	{ alarmEvents }: EventTable,
	schema: string,
	{ start, end, alarmId, limit, after }: EventPageRequest,
	now: number,
): Promise<EventPage> {
	// BETWEEN includes its bounds. They are exact all the same, because no stored key equals such a bound.
	const [first, last] = [alarmEventKeyStart(start), alarmEventKeyStart(end)];
	if (first >= last || (after !== null && after < first)) return { events: [], next: null };
	const query = {
		TableName: alarmEvents,
		KeyConditionExpression: '#schema = :schema AND #key BETWEEN :first AND :last',
		FilterExpression: `#expiresAt > :now${alarmId === null ? '' : ' AND #alarmId = :alarmId'}`,
		ExpressionAttributeNames: {
			'#schema': 'schema',
			'#key': 'key',
			'#expiresAt': 'expiresAt',
			...(alarmId === null ? {} : { '#alarmId': 'alarmId' }),
		},
		ExpressionAttributeValues: {
			':schema': schema,
			':first': first,
			':last': last,
			':now': now / 1000,
			...(alarmId === null ? {} : { ':alarmId': alarmId }),
		},
		ScanIndexForward: false,
		ConsistentRead: true,
	};
	const deadline = callDeadline(dynamo);
	const items: v.InferOutput<typeof itemSchema>[] = [];
	// DynamoDB refuses a start outside of the bounds.
	let from: Record<string, unknown> | undefined = after === null || after > last ? undefined : { schema, key: after };
	for (let queries = 0; queries < maxQueries && items.length <= limit; queries += 1) {
		// `Limit` also counts the items that the filter drops.
		const Limit = alarmId === null ? limit + 1 - items.length : eventsPerQuery;
		const page = await sendOrFail(dynamo, new QueryCommand({ ...query, Limit, ExclusiveStartKey: from }), deadline);
		items.push(...(page.Items ?? []).map((item) => v.parse(itemSchema, item)));
		from = page.LastEvaluatedKey;
		if (from === undefined) break;
	}
	const events = items.slice(0, limit);
	/** The key of the last event that the page covers; undefined: all were read. */
	const cutAt = items.length > limit ? events.at(-1)?.key : v.parse(v.optional(v.string()), from?.['key']);
	const parsed = readable(
		schema,
		events,
		({ body }) => parseStoredEvent(body),
		({ key }) => `alarmEvent#${key}`,
	);
	return { events: parsed, next: cutAt ?? null };
}
