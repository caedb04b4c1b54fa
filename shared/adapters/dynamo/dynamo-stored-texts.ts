import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { StoredTexts, TextKind, TextRewrite } from '#domain/ports/stored-texts.ts';
import { keysOfStoredEntry } from '../stored-change.ts';
import { sendTransaction } from './conditional-write.ts';
import type { Dynamo } from './dynamo-client.ts';
import { getItem } from './read-items.ts';
import { sendOrFail } from './send.ts';

const inSchema = ['schema', 'key'] as const;

/** The names of the attributes of a key, by table. */
const tableKeys = {
	variables: ['schema', 'id'],
	boards: inSchema,
	panels: ['schema'],
	alarmStates: inSchema,
	alarmEvents: inSchema,
	changes: inSchema,
	reportDays: inSchema,
	machines: ['clientId'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type TextTable = keyof typeof tableKeys;

/** The tables of each kind, and the attributes of their items with JSON. */
const places = {
	definitions: { tables: ['variables', 'boards', 'panels'], texts: ['body'] },
	alarmStates: { tables: ['alarmStates'], texts: ['body'] },
	alarmEvents: { tables: ['alarmEvents'], texts: ['body'] },
	changes: { tables: ['changes'], texts: ['entry', 'before'] },
	reportDays: { tables: ['reportDays'], texts: ['body'] },
	machines: { tables: ['machines'], texts: ['machine'] },
} as const satisfies Record<TextKind, { tables: readonly TextTable[]; texts: readonly string[] }>;

type Item = Readonly<Record<string, unknown>>;

const keySchema = v.record(v.string(), v.union([v.string(), v.number()]));
const itemSchema = v.record(v.string(), v.unknown());

/** `StoredTexts` in DynamoDB. */
export function createDynamoStoredTexts(dynamo: Dynamo, names: Readonly<Record<TextTable, string>>): StoredTexts {
	const rewriteItem = async (table: TextTable, texts: readonly string[], found: Item, rewrite: TextRewrite): Promise<void> => {
		const keyNames = tableKeys[table];
		const address = {
			TableName: names[table],
			Key: v.parse(keySchema, Object.fromEntries(keyNames.map((key) => [key, found[key]]))),
		};
		// The index of machines lacks the hashes of their secrets.
		const item = table === 'machines' ? v.parse(itemSchema, await getItem(dynamo, address)) : found;
		const name = [table, ...keyNames.map((key) => item[key])].join('#');
		const rewritten = texts.map((attribute) => {
			return [attribute, rewrittenOf(table, item[attribute], (text) => rewrite(text, name))] as const;
		});
		const [first] = rewritten.filter(([attribute, next]) => next !== item[attribute]);
		if (first === undefined) return;
		const next: Item = { ...item, ...Object.fromEntries(rewritten) };
		const keys = table === 'changes' ? keysOfStoredEntry(next['entry']) : {};
		if (keys === null) return;
		const unchanged = {
			ConditionExpression: '#text = :old',
			ExpressionAttributeNames: { '#text': first[0] },
			ExpressionAttributeValues: { ':old': item[first[0]] },
		};
		const put = { TableName: address.TableName, Item: { ...next, ...keys } };
		const isMoved = 'key' in keys && keys.key !== item['key'];
		const actions = isMoved ? [{ Delete: { ...address, ...unchanged } }, { Put: put }] : [{ Put: { ...put, ...unchanged } }];
		await sendTransaction(
			dynamo,
			actions.map((action) => ({ action, refusal: 'conflict' as const })),
		);
	};
	return {
		rewrite: async (schema, kind, rewrite) => {
			const place = places[kind];
			for (const table of place.tables) {
				const query = {
					TableName: names[table],
					...(table === 'machines' ? { IndexName: 'bySchema' } : { ConsistentRead: true }),
					KeyConditionExpression: '#schema = :schema',
					ExpressionAttributeNames: { '#schema': 'schema' },
					ExpressionAttributeValues: { ':schema': schema },
				};
				let ExclusiveStartKey: Item | undefined;
				do {
					// One page after another: the journal may be larger than the memory.
					const page = await sendOrFail(dynamo, new QueryCommand({ ...query, ExclusiveStartKey }));
					for (const item of page.Items ?? []) await rewriteItem(table, place.texts, item, rewrite);
					ExclusiveStartKey = page.LastEvaluatedKey;
				} while (ExclusiveStartKey !== undefined);
			}
		},
	};
}

/** Returns a rewritten text in its stored form; the stored value where nothing is replaced, or where it is no text, as in packs and damaged days. */
function rewrittenOf(table: TextTable, stored: unknown, rewrite: (text: string) => string): unknown {
	if (typeof stored === 'string') return rewrite(stored);
	if (table !== 'reportDays' || !(stored instanceof Uint8Array)) return stored;
	const text = textOf(stored);
	const next = text === null ? null : rewrite(text);
	return next === null || next === text ? stored : deflateRawSync(next);
}

function textOf(deflated: Uint8Array): string | null {
	try {
		return inflateRawSync(deflated).toString();
	} catch {
		return null;
	}
}
