import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { ReportDays, ReportKey } from '#domain/ports/report-days.ts';
import { isKept, isRead, revisionOf, type StoredDay, type UnreadDay } from '#domain/report/stored-day.ts';
import { serializeDay, storedDayOf } from '../stored-report-day.ts';
import { sendTransaction, stampedAction } from './conditional-write.ts';
import type { Dynamo } from './dynamo-client.ts';
import { readPages } from './read-items.ts';

const keySchema = v.object({ key: v.string() });
const storedSchema = v.object({ body: v.instance(Uint8Array) });
/** An item that lost its stamp is replaced as others are (`stampCondition`). */
const stampedSchema = v.object({ ...keySchema.entries, stamp: v.fallback(v.number(), 0) });

/** Sorts after every date and revision. */
const afterAllKeys = '~';

/**
 * `ReportDays` in DynamoDB. Each day is one compressed item. A day of a report with 40 lines has about 3 KB. Replaced revisions have keys
 * of their own, so that reading a range of days skips them.
 */
export function createDynamoReportDays(dynamo: Dynamo, table: string): ReportDays {
	const query = (schema: string, from: string, to: string) => ({
		TableName: table,
		KeyConditionExpression: '#schema = :schema AND #key BETWEEN :from AND :to',
		ExpressionAttributeNames: { '#schema': 'schema', '#key': 'key' },
		ExpressionAttributeValues: { ':schema': schema, ':from': from, ':to': to },
	});
	const itemsBetween = async (schema: string, from: string, to: string) => {
		return readPages(dynamo, (page) => new QueryCommand({ ...query(schema, from, to), ...page }));
	};
	/** Returns the attributes of a day as it is stored. */
	const keptAttributes = async ({ schema, reportId }: ReportKey, day: StoredDay | UnreadDay) => {
		if (isRead(day)) return attributesOf(day);
		const ownKey = dayKey(reportId, day.date);
		const [item = {}] = await itemsBetween(schema, ownKey, ownKey);
		const { schema: _schema, key: _key, ...attributes } = v.parse(v.record(v.string(), v.unknown()), item);
		return attributes;
	};
	return {
		list: async (report, first, last) =>
			daysOf(report, await itemsBetween(report.schema, dayKey(report.reportId, first), dayKey(report.reportId, last))),
		newest: async ({ schema, reportId }) => {
			const newestFirst = {
				...query(schema, dayKey(reportId, ''), dayKey(reportId, afterAllKeys)),
				ScanIndexForward: false,
				Limit: 1,
			};
			const [item] = await readPages(dynamo, (page) => new QueryCommand({ ...newestFirst, ...page }), { limit: 1 });
			return item === undefined ? null : v.parse(keySchema, item).key.slice(dayKey(reportId, '').length);
		},
		revisions: async ({ schema, reportId }, date) => {
			const start = revisionStart(reportId, date);
			return daysOf({ schema, reportId }, await itemsBetween(schema, start, `${start}${afterAllKeys}`)).filter(isRead);
		},
		put: async (report, day, replaced) => {
			const address = (key: string) => ({ TableName: table, Key: { schema: report.schema, key } });
			const actions = [
				stampedAction(address(dayKey(report.reportId, day.date)), replaced?.rowVersion ?? null, attributesOf(day)),
				// The replaced day is kept as a revision, under a key of its own where nothing is stored yet.
				...(replaced !== null && isKept(replaced, day)
					? [stampedAction(address(revisionKey(report, replaced)), null, await keptAttributes(report, replaced))]
					: []),
			];
			return (await sendTransaction(dynamo, actions)) === 'committed';
		},
	};
}

/** The digits of a revision in a key, so that revisions sort by number. */
const revisionDigits = 6;

const dayKey = (reportId: number, date: string): string => `day#${reportId}#${date}`;

const revisionStart = (reportId: number, date: string): string => `revision#${reportId}#${date}#`;

const revisionKey = ({ reportId }: ReportKey, day: StoredDay | UnreadDay): string =>
	`${revisionStart(reportId, day.date)}${String(revisionOf(day)).padStart(revisionDigits, '0')}`;

const attributesOf = (day: StoredDay) => ({ stamp: day.rowVersion, body: deflateRawSync(serializeDay(day)) });

/** Parses items of days. A key is `day#ID#DATE`, or `revision#ID#DATE#NUMBER`. */
const daysOf = ({ schema, reportId }: ReportKey, items: readonly unknown[]): readonly (StoredDay | UnreadDay)[] =>
	items.map((item) => {
		const { key, stamp } = v.parse(stampedSchema, item);
		const [, , date = ''] = key.split('#');
		return storedDayOf(schema, { reportId, date, stamp }, () => inflateRawSync(v.parse(storedSchema, item).body).toString());
	});
