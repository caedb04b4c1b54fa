import { setTimeout as sleep } from 'node:timers/promises';
import {
	CreateTableCommand,
	type CreateTableCommandInput,
	DescribeTableCommand,
	DescribeTimeToLiveCommand,
	UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import type { Dynamo } from '#adapters/dynamo/dynamo-client.ts';
import { isInvalid } from '#adapters/dynamo/fault.ts';
import { sendOrFail } from '#adapters/dynamo/send.ts';
import { DomainError } from '#domain/errors.ts';

interface KeyAttribute {
	readonly name: string;
	readonly type: 'S' | 'N';
}

/** A table to make: its key, and which attribute says when an item may be deleted. */
export interface TableToCreate {
	/** The name under which it is deployed. */
	readonly name: string;
	readonly partitionKey: KeyAttribute;
	readonly sortKey?: KeyAttribute;
	readonly ttlAttribute?: string;
}

const pollMs = 100;

const maxPolls = 600;

/**
 * Makes those of the tables that are missing, for emulators: in the cloud the tables are the infrastructure's. Throws `store_failed`.
 */
export async function createTables(dynamo: Dynamo, tables: readonly TableToCreate[]): Promise<void> {
	for (const table of tables) {
		if (!(await isActive(dynamo, table.name))) {
			await create(dynamo, table);
			await isActive(dynamo, table.name);
		}
		if (table.ttlAttribute !== undefined) await expire(dynamo, table.name, table.ttlAttribute);
	}
}

/** Waits until a table can be used; false where there is none. */
async function isActive(dynamo: Dynamo, name: string): Promise<boolean> {
	for (let poll = 0; poll < maxPolls; poll += 1) {
		const status = await sendOrFail(dynamo, async (options) => {
			try {
				return (await dynamo.client.send(new DescribeTableCommand({ TableName: name }), options)).Table?.TableStatus;
			} catch (error) {
				if (isNamed(error, 'ResourceNotFoundException')) return undefined;
				throw error;
			}
		});
		if (status === undefined) return false;
		if (status === 'ACTIVE') return true;
		await sleep(pollMs);
	}
	throw new DomainError('store_failed', { cause: `The table ${name} does not become active.` });
}

const create = (dynamo: Dynamo, table: TableToCreate): Promise<void> =>
	sendOrFail(dynamo, async (options) => {
		try {
			await dynamo.client.send(new CreateTableCommand(definitionOf(table)), options);
		} catch (error) {
			// Another process was first, or an earlier attempt.
			if (!isNamed(error, 'ResourceInUseException')) throw error;
		}
	});

async function expire(dynamo: Dynamo, name: string, attribute: string): Promise<void> {
	if (await expires(dynamo, name)) return;
	const TimeToLiveSpecification = { Enabled: true, AttributeName: attribute };
	await sendOrFail(dynamo, async (options) => {
		try {
			await dynamo.client.send(new UpdateTimeToLiveCommand({ TableName: name, TimeToLiveSpecification }), options);
		} catch (error) {
			if (!isInvalid(error) || !(await expires(dynamo, name))) throw error;
		}
	});
}

const isNamed = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;

function definitionOf({ name, partitionKey, sortKey }: TableToCreate): CreateTableCommandInput {
	const attributes = [partitionKey, ...(sortKey === undefined ? [] : [sortKey])];
	return {
		TableName: name,
		BillingMode: 'PAY_PER_REQUEST',
		AttributeDefinitions: attributes.map(({ name, type }) => ({ AttributeName: name, AttributeType: type })),
		KeySchema: attributes.map(({ name }, index) => ({ AttributeName: name, KeyType: index === 0 ? 'HASH' : 'RANGE' })),
	};
}

async function expires(dynamo: Dynamo, name: string): Promise<boolean> {
	const { TimeToLiveDescription: now } = await sendOrFail(dynamo, (options) =>
		dynamo.client.send(new DescribeTimeToLiveCommand({ TableName: name }), options),
	);
	return now?.TimeToLiveStatus === 'ENABLED' || now?.TimeToLiveStatus === 'ENABLING';
}
