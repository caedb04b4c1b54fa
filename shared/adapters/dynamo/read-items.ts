import { GetCommand, type ServiceInputTypes, type ServiceOutputTypes } from '@aws-sdk/lib-dynamodb';
import type { Dynamo } from './dynamo-client.ts';
import type { ItemAddress } from './items.ts';
import { callDeadline, type DynamoCommand, sendOrFail } from './send.ts';

/** The part of a query's or scan's input that selects a page. An index has no strongly consistent reads. */
interface PageInput<Consistent extends boolean = true> {
	readonly ConsistentRead: Consistent;
	readonly ExclusiveStartKey: StartKey;
}

/** Where a page starts; undefined: at the first item. */
type StartKey = Record<string, unknown> | undefined;

/** A page of a query or a scan: at most 1 MB, however few items. */
type Page = ServiceOutputTypes & {
	readonly Items?: readonly unknown[] | undefined;
	/** Where the next page starts; absent on the last. */
	readonly LastEvaluatedKey?: Record<string, unknown> | undefined;
};

/** Reads one item, strongly consistent; undefined when it does not exist. Throws DomainError `store_failed`. */
export async function getItem(dynamo: Dynamo, address: ItemAddress): Promise<unknown> {
	return (await sendOrFail(dynamo, new GetCommand({ ...address, ConsistentRead: true }))).Item;
}

/** Reads every item of a query of an index. It may lack changes of the last moment. Throws DomainError `store_failed`. */
export async function readIndex<Input extends ServiceInputTypes, Output extends Page>(
	dynamo: Dynamo,
	commandFor: (page: PageInput<false>) => DynamoCommand<Input, Output>,
): Promise<readonly unknown[]> {
	return collectPages(dynamo, (start) => commandFor({ ConsistentRead: false, ExclusiveStartKey: start }), callDeadline(dynamo));
}

/**
 * Reads the items of a query or a scan, strongly consistent. Reads pages until the last one or until `isEnough`, and returns at most
 * `limit` items. Throws DomainError `store_failed`.
 * @param commandFor builds the command that reads one page
 */
export async function readPages<Input extends ServiceInputTypes, Output extends Page>(
	dynamo: Dynamo,
	commandFor: (page: PageInput) => DynamoCommand<Input, Output>,
	{
		limit = Number.POSITIVE_INFINITY,
		deadline = callDeadline(dynamo),
		isEnough = (items: readonly unknown[]) => items.length >= limit,
	} = {},
): Promise<readonly unknown[]> {
	const commandFrom = (start: StartKey) => commandFor({ ConsistentRead: true, ExclusiveStartKey: start });
	return (await collectPages(dynamo, commandFrom, deadline, isEnough)).slice(0, limit);
}

/** Reads pages until the last one or until `isEnough`. */
async function collectPages<Input extends ServiceInputTypes, Output extends Page>(
	dynamo: Dynamo,
	commandFrom: (start: StartKey) => DynamoCommand<Input, Output>,
	deadline: AbortSignal,
	isEnough: (items: readonly unknown[]) => boolean = () => false,
): Promise<readonly unknown[]> {
	const items: unknown[] = [];
	let start: StartKey;
	do {
		const page = await sendOrFail(dynamo, commandFrom(start), deadline);
		items.push(...(page.Items ?? []));
		start = page.LastEvaluatedKey;
	} while (start !== undefined && !isEnough(items));
	return items;
}
