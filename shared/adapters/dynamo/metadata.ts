import { QueryCommand, type TransactWriteCommandInput, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type BoardKind, boardKinds } from '#domain/board/board-kinds.ts';
import { type MetadataCorrection, maxRows, minListedRevisions } from '#domain/ports/schema-store.ts';
import type { Growth } from '#domain/transaction/growth.ts';
import type { Dynamo } from './dynamo-client.ts';
import { counterAddress, metadataAddress, metadataOf, type SchemaTables } from './items.ts';
import { getItem, readPages } from './read-items.ts';
import { queryOfKind } from './read-rows.ts';
import { sendConditional } from './send.ts';
import { readRevision } from './snapshot.ts';

/** The list of changes grows to this length. Then a separate update trims it to `minListedRevisions`. */
const maxListedRevisions = minListedRevisions + 10;

type UpdateAction = NonNullable<NonNullable<TransactWriteCommandInput['TransactItems']>[number]['Update']>;

/**
 * Returns the part of a commit that advances the revision, counts rows and lists changes. It has no condition on the revision, so
 * that commits of different rows do not exclude each other. Only growth is limited: the rows of a full schema can still change.
 * @param listed the entry of the commit in the list of changes
 * @param uncounted the kinds of board without a stored count that the commit only deletes from. Their count stays absent
 */
export function metadataUpdate(
	tables: SchemaTables,
	schema: string,
	growth: Growth,
	listed: readonly number[],
	uncounted: readonly BoardKind[],
): UpdateAction {
	const counted = boardKinds.filter((kind) => growth[kind] !== 0 && !uncounted.includes(kind));
	const conditions = [
		'(attribute_not_exists(#changes) OR size(#changes) < :maxListed)',
		...(growth.variable > 0 ? ['(attribute_not_exists(#variables) OR #variables <= :variableRoom)'] : []),
		...counted.map((kind) => (growth[kind] > 0 ? `#${kind} <= :${kind}Room` : `attribute_exists(#${kind})`)),
		...uncounted.map((kind) => `attribute_not_exists(#${kind})`),
	];
	const growing = (['variable', ...counted] as const).filter((kind) => growth[kind] > 0);
	const boardNames = [...counted, ...uncounted].map((kind) => [`#${kind}`, kind]);
	return {
		...metadataAddress(tables, schema),
		UpdateExpression: `SET #changes = list_append(if_not_exists(#changes, :none), :changed)
			ADD #revision :one, #listed :one, #variables :variable${counted.map((kind) => `, #${kind} :${kind}`).join('')}`,
		ConditionExpression: conditions.join(' AND '),
		ExpressionAttributeNames: {
			'#revision': 'revision',
			'#variables': 'variables',
			'#listed': 'listed',
			'#changes': 'changes',
			...Object.fromEntries(boardNames),
		},
		ExpressionAttributeValues: {
			':one': 1,
			':none': [],
			':changed': [listed],
			':maxListed': maxListedRevisions,
			':variable': growth.variable,
			...Object.fromEntries(counted.map((kind) => [`:${kind}`, growth[kind]])),
			...Object.fromEntries(growing.map((kind) => [`:${kind}Room`, maxRows[kind] - growth[kind]])),
		},
	};
}

/**
 * Prepares the metadata item for a commit that its condition refused: trims the list of changes, and counts the boards of a kind that
 * the commit adds to and that has no count yet.
 * @returns the kinds of board without a count that the commit only deletes from; `full` when the schema has no room for the commit
 */
export async function makeRoom(
	dynamo: Dynamo,
	tables: SchemaTables,
	schema: string,
	growth: Growth,
): Promise<readonly BoardKind[] | 'full'> {
	// Where more is missing, the next attempt is refused as well, and this function is called again.
	if (await trimChanges(dynamo, tables, schema)) return [];
	// The number of rows stays the same, so only the list of changes was too long, and another commit has trimmed it meanwhile.
	if (Object.values(growth).every((each) => each === 0)) return [];
	const { variables, boards } = metadataOf(await getItem(dynamo, metadataAddress(tables, schema)));
	const absent = boardKinds.filter((kind) => growth[kind] !== 0 && boards[kind] === null);
	const added = absent.filter((kind) => growth[kind] > 0);
	for (const kind of added) await countBoards(dynamo, tables, schema, kind);
	// A kind that was counted just now still has null here, which passes. The next attempt compares its stored count.
	const counts = { variable: variables, ...boards };
	const isFull = (['variable', ...boardKinds] as const).some(
		(kind) => growth[kind] > 0 && (counts[kind] ?? 0) + growth[kind] > maxRows[kind],
	);
	return isFull ? 'full' : absent.filter((kind) => growth[kind] < 0);
}

/**
 * `SchemaStore.correctMetadata`: two updates, because the counter is an item of its own. When it is interrupted between them, the
 * next call finishes it.
 */
export async function correctMetadata(
	dynamo: Dynamo,
	tables: SchemaTables,
	schema: string,
	{ expectedRevision, variables, boards, lastId }: MetadataCorrection,
): Promise<'committed' | 'conflict'> {
	const counts = Object.entries({ variables, ...boards });
	const count = new UpdateCommand({
		...metadataAddress(tables, schema),
		UpdateExpression: `SET ${counts.map(([name]) => `#${name} = :${name}`).join(', ')}`,
		ConditionExpression: atRevision(expectedRevision),
		ExpressionAttributeNames: { '#revision': 'revision', ...Object.fromEntries(counts.map(([name]) => [`#${name}`, name])) },
		ExpressionAttributeValues: {
			':expected': expectedRevision,
			...Object.fromEntries(counts.map(([name, value]) => [`:${name}`, value])),
		},
	});
	if ((await sendConditional(dynamo, count)) !== undefined) return 'conflict';
	const raise = new UpdateCommand({
		...counterAddress(tables, schema),
		UpdateExpression: 'SET #lastId = :lastId',
		ConditionExpression: 'attribute_not_exists(#lastId) OR #lastId < :lastId',
		ExpressionAttributeNames: { '#lastId': 'lastId' },
		ExpressionAttributeValues: { ':lastId': lastId },
	});
	// Refused when the counter is ahead already.
	await sendConditional(dynamo, raise);
	return 'committed';
}

/** Trims the list of changes when it is too long. Returns whether it did. */
async function trimChanges(dynamo: Dynamo, tables: SchemaTables, schema: string): Promise<boolean> {
	const surplus = Array.from({ length: maxListedRevisions - minListedRevisions }, (_, index) => `#changes[${index}]`);
	const trim = new UpdateCommand({
		...metadataAddress(tables, schema),
		UpdateExpression: `REMOVE ${surplus.join(', ')}`,
		ConditionExpression: 'size(#changes) >= :maxListed',
		ExpressionAttributeNames: { '#changes': 'changes' },
		ExpressionAttributeValues: { ':maxListed': maxListedRevisions },
	});
	return (await sendConditional(dynamo, trim)) === undefined;
}

/** Counts the boards of a kind and stores the count, unless a write lands in between or another commit has counted them. */
async function countBoards(dynamo: Dynamo, tables: SchemaTables, schema: string, kind: BoardKind): Promise<void> {
	// Read in a transaction: a plain read can show the revision of a commit whose boards a query does not show yet.
	const revision = await readRevision(dynamo, tables, schema);
	const query = { ...queryOfKind(tables, schema, kind), ProjectionExpression: '#key' };
	const boards = await readPages(dynamo, (page) => new QueryCommand({ ...query, ...page }));
	const store = new UpdateCommand({
		...metadataAddress(tables, schema),
		UpdateExpression: 'SET #count = :count',
		ConditionExpression: `attribute_not_exists(#count) AND ${atRevision(revision)}`,
		ExpressionAttributeNames: { '#count': kind, '#revision': 'revision' },
		ExpressionAttributeValues: { ':count': boards.length, ':expected': revision },
	});
	await sendConditional(dynamo, store);
}

/** The condition that the metadata item is at the revision `:expected`. An item that was never advanced is at revision 0. */
function atRevision(expected: number): string {
	return expected === 0 ? '(attribute_not_exists(#revision) OR #revision = :expected)' : '#revision = :expected';
}
