import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { ChangeEntry } from '#domain/changes/change-entry.ts';
import { changeKeyStart, changeTimeStart, itemKeyText } from '#domain/changes/change-key.ts';
import type { ChangeJournal, ChangePage, ChangePageRequest } from '#domain/ports/change-journal.ts';
import { storedChangesOf, storedEntriesOf } from '../stored-change.ts';
import type { Dynamo } from './dynamo-client.ts';
import type { SchemaTables } from './items.ts';
import { readPages } from './read-items.ts';
import { callDeadline, sendOrFail } from './send.ts';

type ChangeTable = Pick<SchemaTables, 'changes'>;

/** The index by time (shared/tables.ts). */
const timeIndex = 'byTime';
/** Entries that one query looks at: about 1 MB, the most that DynamoDB reads before it applies a filter. An entry has about 600 bytes in the index. */
const entriesPerQuery = 1500;
/** Most queries of one page. A page whose filter drops nearly all entries ends after them, with a `next`. */
const maxQueries = 5;

/** Sorts after every row version. */
const lastVersion = '~';

/** An item without a text is an entry that cannot be read. */
const entrySchema = v.object({
	entry: v.fallback(v.string(), ''),
	expiresAt: v.fallback(v.optional(v.number()), undefined),
});
const indexedSchema = v.object({ ...entrySchema.entries, at: v.string() });
const storedSchema = v.object({
	...entrySchema.entries,
	key: v.string(),
	before: v.fallback(v.optional(v.nullable(v.string()), null), ''),
});

/** `ChangeJournal` in DynamoDB. `now`: epoch milliseconds. */
export function createDynamoChangeJournal(dynamo: Dynamo, tables: ChangeTable, now: () => number = Date.now): ChangeJournal {
	// Checked here, because DynamoDB deletes expired items late.
	const isAlive = ({ expiresAt }: { readonly expiresAt?: number | undefined }): boolean =>
		expiresAt === undefined || expiresAt * 1000 > now();
	return {
		page: async (schema, request) => {
			const { items, next } = await readIndexPage(dynamo, tables, schema, request);
			const alive = items.filter(isAlive).map(({ at: key, entry }) => ({ key, entry }));
			return { entries: storedEntriesOf(schema, alive), next };
		},
		history: async (schema, item, from, limit) => {
			const query = {
				TableName: tables.changes,
				KeyConditionExpression: '#schema = :schema AND #key BETWEEN :first AND :last',
				ExpressionAttributeNames: { '#schema': 'schema', '#key': 'key' },
				ExpressionAttributeValues: {
					':schema': schema,
					':first': changeKeyStart({ ...item, rowVersion: from }),
					':last': `${itemKeyText(item)}${lastVersion}`,
				},
				Limit: limit,
			};
			const items = await readPages(dynamo, (page) => new QueryCommand({ ...query, ...page }), { limit });
			return storedChangesOf(schema, items.map((stored) => v.parse(storedSchema, stored)).filter(isAlive));
		},
		all: (schema) => allEntries(dynamo, tables, schema, isAlive),
	};
}

/** Reads a page of the index by time, until it has `limit` entries that the client asks for. */
async function readIndexPage(
	dynamo: Dynamo,
	{ changes }: ChangeTable,
	schema: string,
	{ start, end, kinds, itemId, actor, limit, after }: ChangePageRequest,
): Promise<{ readonly items: readonly v.InferOutput<typeof indexedSchema>[]; readonly next: ChangePage['next'] }> {
	// BETWEEN includes its bounds. They are exact all the same, because no stored time key equals such a bound.
	const [first, last] = [changeTimeStart(start), changeTimeStart(end)];
	if (first >= last || kinds.length === 0 || (after !== null && after < first)) return { items: [], next: null };
	const filters = [
		`#kind IN (${kinds.map((_, index) => `:kind${index}`).join(', ')})`,
		...(itemId === null ? [] : ['#itemId = :itemId']),
		...(actor === null ? [] : ['#actor = :actor']),
	];
	const query = {
		TableName: changes,
		IndexName: timeIndex,
		KeyConditionExpression: '#schema = :schema AND #at BETWEEN :first AND :last',
		FilterExpression: filters.join(' AND '),
		ExpressionAttributeNames: {
			'#schema': 'schema',
			'#at': 'at',
			'#kind': 'kind',
			...(itemId === null ? {} : { '#itemId': 'itemId' }),
			...(actor === null ? {} : { '#actor': 'actor' }),
		},
		ExpressionAttributeValues: {
			':schema': schema,
			':first': first,
			// BETWEEN includes `after`, the last entry of the page before, which is left out below.
			':last': after === null || after > last ? last : after,
			...Object.fromEntries(kinds.map((kind, index) => [`:kind${index}`, kind])),
			...(itemId === null ? {} : { ':itemId': String(itemId) }),
			...(actor === null ? {} : { ':actor': actor }),
		},
		ScanIndexForward: false,
		Limit: entriesPerQuery,
	};
	const deadline = callDeadline(dynamo);
	const items: v.InferOutput<typeof indexedSchema>[] = [];
	let from: Record<string, unknown> | undefined;
	for (let queries = 0; queries < maxQueries; queries += 1) {
		const page = await sendOrFail(dynamo, new QueryCommand({ ...query, ExclusiveStartKey: from }), deadline);
		items.push(...(page.Items ?? []).map((item) => v.parse(indexedSchema, item)).filter(({ at }) => at !== after));
		from = page.LastEvaluatedKey;
		if (from === undefined || items.length > limit) break;
	}
	if (items.length > limit) return { items: items.slice(0, limit), next: items[limit - 1]?.at ?? null };
	return { items, next: v.parse(v.optional(v.string()), from?.['at']) ?? null };
}

async function allEntries(
	dynamo: Dynamo,
	{ changes }: ChangeTable,
	schema: string,
	isAlive: (item: v.InferOutput<typeof storedSchema>) => boolean,
): Promise<readonly ChangeEntry[]> {
	const query = {
		TableName: changes,
		KeyConditionExpression: '#schema = :schema',
		// Leaves out the replaced item, which may have 350 KB.
		ProjectionExpression: '#key, #entry, #expiresAt',
		ExpressionAttributeNames: { '#schema': 'schema', '#key': 'key', '#entry': 'entry', '#expiresAt': 'expiresAt' },
		ExpressionAttributeValues: { ':schema': schema },
	};
	const items = await readPages(dynamo, (page) => new QueryCommand({ ...query, ...page }));
	return storedEntriesOf(schema, items.map((item) => v.parse(storedSchema, item)).filter(isAlive));
}
