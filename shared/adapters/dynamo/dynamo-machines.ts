import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Change } from '#domain/changes/change-entry.ts';
import type { Machines } from '#domain/ports/machines.ts';
import { readable } from '../invalid-row.ts';
import { parseListedMachine, parseStoredMachine, storedMachineOf } from '../stored-machine.ts';
import { changeAction } from './change-action.ts';
import { type ConditionalAction, sendTransaction } from './conditional-write.ts';
import type { Dynamo } from './dynamo-client.ts';
import { type ItemAddress, type SchemaTables, stampCondition } from './items.ts';
import { getItem, readIndex } from './read-items.ts';
import { sendConditional } from './send.ts';

/** The index by schema (shared/tables.ts). */
const schemaIndex = 'bySchema';

const keySchema = v.object({ clientId: v.string() });
const listedSchema = v.object({ machine: v.string(), lastUsedAt: v.optional(v.number()) });
const storedSchema = v.object({
	...keySchema.entries,
	schema: v.string(),
	version: v.fallback(v.nullable(v.number()), null),
	machine: v.fallback(v.string(), ''),
	hashes: v.fallback(v.string(), ''),
	lastUsedAt: v.fallback(v.optional(v.number()), undefined),
});

/** The table of machines, and the table of the journal that records their changes. */
type MachineTables = Pick<SchemaTables, 'changes'> & { readonly machines: string };

/** `Machines` in DynamoDB. `days`: how many days entries stay in the journal of changes; 0: for ever. */
export function createDynamoMachines(dynamo: Dynamo, tables: MachineTables, days: number): Machines {
	const commit = async (schema: string, action: ConditionalAction['action'], change: Change): Promise<boolean> => {
		const actions = [{ action, refusal: 'conflict' } as const, changeAction(tables, schema, change, days)];
		return (await sendTransaction(dynamo, actions)) === 'committed';
	};
	return {
		...createDynamoMachineLookup(dynamo, tables.machines),
		save: async (saved, replaced, change) => {
			const { schema, clientId, version } = saved;
			const { machine, hashes } = storedMachineOf(saved);
			const { ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues } = stampCondition(replaced, stampNames);
			const Update = {
				...machineAddress(tables.machines, clientId),
				UpdateExpression: 'SET #schema = :schema, #stamp = :version, machine = :machine, hashes = :hashes',
				ConditionExpression,
				ExpressionAttributeNames: { ...ExpressionAttributeNames, '#schema': 'schema' },
				ExpressionAttributeValues: {
					...ExpressionAttributeValues,
					':schema': schema,
					':version': version,
					':machine': machine,
					':hashes': hashes,
				},
			};
			return (await commit(schema, { Update }, change)) ? 'saved' : 'conflict';
		},
		remove: async ({ schema, clientId, version }, change) => {
			const Delete = { ...machineAddress(tables.machines, clientId), ...stampCondition(version, stampNames) };
			return (await commit(schema, { Delete }, change)) ? 'removed' : 'conflict';
		},
	};
}

/** Finds and lists machines in DynamoDB, and notes their sign-ins, for functions that save none. */
export function createDynamoMachineLookup(dynamo: Dynamo, table: string): Omit<Machines, 'save' | 'remove'> {
	return {
		find: async (clientId) => {
			const item = await getItem(dynamo, machineAddress(table, clientId));
			const parse = (found: unknown) => {
				const { lastUsedAt = null, ...stored } = v.parse(storedSchema, found);
				return parseStoredMachine(stored, lastUsedAt);
			};
			// A row without a schema is nobody's machine.
			return readable(null, item === undefined ? [] : [item], parse, () => `machine#${clientId}`)[0] ?? null;
		},
		list: async (schema) => {
			const query = {
				TableName: table,
				IndexName: schemaIndex,
				KeyConditionExpression: '#schema = :schema',
				ExpressionAttributeNames: { '#schema': 'schema' },
				ExpressionAttributeValues: { ':schema': schema },
			};
			const items = await readIndex(dynamo, (page) => new QueryCommand({ ...query, ...page }));
			const parse = (item: unknown) => {
				const { machine, lastUsedAt = null } = v.parse(listedSchema, item);
				return parseListedMachine(machine, lastUsedAt);
			};
			return readable(schema, items, parse, (item) => `machine#${v.parse(keySchema, item).clientId}`);
		},
		noteUse: async (clientId, at) => {
			const command = new UpdateCommand({
				...machineAddress(table, clientId),
				UpdateExpression: 'SET lastUsedAt = :at',
				// Without the condition, the update would create a deleted row again.
				ConditionExpression: 'attribute_exists(clientId)',
				ExpressionAttributeValues: { ':at': at },
			});
			await sendConditional(dynamo, command);
		},
	};
}

/** The attributes of an item for `stampCondition`. */
const stampNames = { stamp: 'version', key: 'clientId' };

const machineAddress = (table: string, clientId: string): ItemAddress => ({ TableName: table, Key: { clientId } });
