import type { BoardKind } from '#domain/board/board-kinds.ts';
import {
	type CommitOutcome,
	checkCommitSize,
	type IdempotencyRecord,
	type JournalEntries,
	type RowCommit,
} from '#domain/ports/schema-store.ts';
import { changedDefinitions, growthOf } from '#domain/transaction/growth.ts';
import { listedChange } from '../listed-changes.ts';
import { type JournalDays, storedChangeOf } from '../stored-change.ts';
import { changesRows } from '../stored-row.ts';
import { eventAction } from './alarm-events.ts';
import { changeAction } from './change-action.ts';
import { type ConditionalAction, checkTransactionSize, sendTransaction, stampedAction } from './conditional-write.ts';
import type { Dynamo } from './dynamo-client.ts';
import { recordAction } from './dynamo-idempotency.ts';
import { addressOf, itemOf, type SchemaTables } from './items.ts';
import { makeRoom, metadataUpdate } from './metadata.ts';

/** The parameters of `SchemaStore.commit`. */
interface SchemaCommit {
	readonly rows: readonly RowCommit[];
	readonly record?: IdempotencyRecord | undefined;
	readonly journals?: JournalEntries | undefined;
}

/** Most times that one commit is sent. Before each repetition, `makeRoom` prepares the metadata item. */
const maxAttempts = 5;

/**
 * `SchemaStore.commit` as one transaction (`sendTransaction`). Where the condition on the metadata item fails, that item is prepared
 * (`makeRoom`), and a new transaction is sent.
 * @param days how many days the entries stay in the journals
 * @throws DomainError `store_failed`; `outcome_unknown`; `too_large` when one transaction cannot hold the rows
 */
export async function commitRows(
	dynamo: Dynamo,
	tables: SchemaTables,
	schema: string,
	{ rows, record, journals = {} }: SchemaCommit,
	days: JournalDays,
): Promise<CommitOutcome> {
	checkCommitSize(rows, journals);
	const { events = [], changes = [] } = journals;
	checkTransactionSize([
		...rows.flatMap(({ put }) => (put ? [itemOf(put).body] : [])),
		...events.map((event) => JSON.stringify(event)),
		...changes.map((change) => JSON.stringify(storedChangeOf(change))),
		...(record ? [record.response] : []),
	]);
	const growth = growthOf(rows);
	/** The kinds of board without a stored count that the commit only deletes from. */
	let uncounted: readonly BoardKind[] = [];
	const listed = listedChange(changedDefinitions(rows));
	for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
		const actions: ConditionalAction[] = [
			...rows.map((row) => rowAction(tables, schema, row)),
			...events.map((event) => eventAction(tables, schema, event, days.events)),
			...changes.map((change) => changeAction(tables, schema, change, days.changes)),
		];
		if (changesRows(rows)) {
			const update = metadataUpdate(tables, schema, growth, listed, uncounted);
			actions.push({ action: { Update: update }, refusal: 'metadata' });
		}
		if (record !== undefined) actions.push(recordAction(tables.idempotency, record));
		if (actions.length === 0) return 'committed';
		const outcome = await sendTransaction(dynamo, actions);
		if (outcome !== 'metadata') return outcome;
		const room = await makeRoom(dynamo, tables, schema, growth);
		if (room === 'full') return 'full';
		uncounted = room;
	}
	return 'conflict';
}

/** Returns the action of a row's change. Without `put` the row does not change, and the action only checks it. */
export function rowAction(
	tables: SchemaTables,
	schema: string,
	{ key, expected, put }: RowCommit,
): ConditionalAction<'conflict'> {
	return stampedAction(addressOf(tables, schema, key), expected, put && itemOf(put));
}
