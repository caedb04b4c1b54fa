import { DomainError } from '../errors.ts';
import { type AlarmCommit, type AlarmStore, noRows } from '../ports/alarm-store.ts';
import type { BoardRow, SchemaReader } from '../ports/schema-store.ts';
import type { IdempotencyRecordFactory } from '../transaction/run-transaction.ts';
import type { OperatedAlarm } from './alarm-operation.ts';

/** The dependencies of an operation on alarms. `pause` waits before the next attempt (with jitter, longer for each attempt). */
export interface OperateDeps {
	readonly store: Pick<SchemaReader, 'get'>;
	readonly alarms: Pick<AlarmStore, 'rowsOf' | 'commit'>;
	readonly pause: (attempt: number) => Promise<void>;
}

/** The result of a decision: the commit (null when nothing changes), and the answer to the caller. */
export interface OperationDecision<Answer> {
	readonly commit: AlarmCommit | null;
	readonly answer: Answer;
}

/** Most attempts of one operation. It conflicts only with other operations on the alarm and with saves of it. */
const maxAttempts = 8;
const retryAfterMs = 1000;

/**
 * Reads alarms with their rows.
 * @returns the alarms by id; those that are not saved, and those with a row that cannot be parsed, are left out
 */
export async function readOperatedAlarms(
	{ store, alarms }: Pick<OperateDeps, 'store' | 'alarms'>,
	schema: string,
	ids: readonly number[],
): Promise<ReadonlyMap<number, OperatedAlarm>> {
	const [boards, { rows, unreadable }] = await Promise.all([
		store.get(
			schema,
			ids.map((id) => ({ kind: 'alarm', id }) as const),
		),
		alarms.rowsOf(schema, ids),
	]);
	const saved = boards.filter((row): row is BoardRow => row !== null);
	return new Map(
		saved.flatMap((row) => {
			const { id } = row.board.content;
			return unreadable.has(id) ? [] : [[id, { row, rows: rows.get(id) ?? noRows }]];
		}),
	);
}

/**
 * Decides an operation on one alarm, and commits it on condition that the alarm is still saved as it was read. After a conflict it starts
 * again with fresh reads.
 * @param decide is called once for each attempt; with null when there is no such alarm, or its rows cannot be read
 * @param first the alarm, if the caller has read it already; null: the caller found none; left out: it is read here
 * @throws DomainError `write_contention` after too many conflicts, `key_in_use` when another request took over the idempotency key, and
 * the errors of `decide` and of the stores
 */
export async function operateAlarm<Answer>(
	deps: OperateDeps,
	schema: string,
	id: number,
	decide: (alarm: OperatedAlarm | null) => OperationDecision<Answer> | Promise<OperationDecision<Answer>>,
	{
		createRecord,
		first,
	}: { readonly createRecord?: IdempotencyRecordFactory<Answer>; readonly first?: OperatedAlarm | null } = {},
): Promise<Answer> {
	for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
		const isReadByCaller = attempt === 1 && first !== undefined;
		const alarm = isReadByCaller ? first : ((await readOperatedAlarms(deps, schema, [id])).get(id) ?? null);
		const { commit, answer } = await decide(alarm);
		const record = createRecord?.(answer, commit !== null);
		if (commit === null && record === undefined) return answer;
		const checks = commit === null || alarm === null ? [] : [checkOf(alarm.row)];
		const outcome = await deps.alarms.commit(schema, {
			...(commit ?? { alarmId: id }),
			checks,
			...(record === undefined ? {} : { record }),
		});
		if (outcome === 'committed') return answer;
		if (outcome === 'claim_lost') throw new DomainError('key_in_use', { reason: 'running' });
		await deps.pause(attempt);
	}
	throw new DomainError('write_contention', { retryAfterMs });
}

function checkOf({ kind, board, rowVersion }: BoardRow) {
	return { key: { kind, id: board.content.id }, expected: rowVersion };
}
