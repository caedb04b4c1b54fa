import { randomUUID } from 'node:crypto';
import { jitteredPause } from '#adapters/jittered-pause.ts';
import { serializeRow } from '#adapters/stored-row.ts';
import { boardKinds } from '#domain/board/board-kinds.ts';
import { DomainError } from '#domain/errors.ts';
import type { AlarmRows, AlarmStore } from '#domain/ports/alarm-store.ts';
import { idOfRow, maxRowsPerCommit, type Row, type RowKey, type SchemaStore } from '#domain/ports/schema-store.ts';
import { keyText, panelKey } from '#domain/transaction/read-set.ts';
import { ConfigError } from '#shared/config.ts';
import type { SchemaContents } from './contents.ts';

/** Most bytes of the rows of one commit. A transaction of DynamoDB holds 4 MB. */
const maxBytesPerCommit = 3_000_000;
/** Attempts to store the rows of a commit, each after another write to the schema. */
const maxAttempts = 12;
/** The time until the next attempt that the error advises. */
const retryAfterMs = 1000;

/** The order in which boards are stored. The task `closeReportDays` counts the days of a report as soon as the report is stored, so reports come last. */
const boardOrder = [...boardKinds.filter((kind) => kind !== 'report'), 'report'] as const;

/** Divides the rows of a schema into commits, always in the same way. */
export function commitsOf({ variables, boards, panel }: SchemaContents): readonly (readonly Row[])[] {
	const orderedBoards = boardOrder.flatMap((kind) => boards.filter((row) => row.kind === kind));
	const commits: Row[][] = [];
	let bytes = 0;
	for (const row of [...variables, ...orderedBoards, ...(panel === null ? [] : [panel])]) {
		const size = Buffer.byteLength(serializeRow(row));
		const commit = commits.at(-1);
		if (commit === undefined || commit.length === maxRowsPerCommit || bytes + size > maxBytesPerCommit) {
			commits.push([row]);
			bytes = size;
		} else {
			commit.push(row);
			bytes += size;
		}
	}
	return commits;
}

/**
 * Stores the rows of one commit, except those that are stored already. Never replaces a row.
 * @returns the keys of stored rows that differ, because somebody saved them meanwhile
 * @throws ConfigError when the schema is full
 * @throws DomainError `store_failed`; `outcome_unknown`; `write_contention`
 */
export async function putRows(store: SchemaStore, schema: string, rows: readonly Row[]): Promise<readonly string[]> {
	let missing = rows;
	const keptKeys: string[] = [];
	for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
		const outcome = await store.commit(
			schema,
			missing.map((put) => ({ key: keyOf(put), expected: null, put })),
		);
		if (outcome === 'committed') return keptKeys;
		if (outcome === 'full')
			throw new ConfigError(
				'Others have saved so much meanwhile that the schema is full: delete some of it, then run this again.',
			);
		const stored = await store.get(schema, missing.map(keyOf));
		const stillMissing = missing.filter((_, index) => stored[index] === null);
		for (const [index, row] of missing.entries()) {
			const found = stored[index] ?? null;
			if (found !== null && serializeRow(found) !== serializeRow(row)) keptKeys.push(keyText(keyOf(row)));
		}
		if (stillMissing.length === 0) return keptKeys;
		// No stored row was in the way, so another write to the schema was. It gets time to finish.
		if (stillMissing.length === missing.length) await jitteredPause(attempt);
		missing = stillMissing;
	}
	throw new DomainError('write_contention', { retryAfterMs });
}

/**
 * Stores the rows of one alarm's state, except those that are stored already.
 * @returns whether the stored rows are now the given ones
 * @throws DomainError `store_failed`; `outcome_unknown`; `write_contention`
 */
export async function putAlarmRows(alarms: AlarmStore, schema: string, alarmId: number, rows: AlarmRows): Promise<boolean> {
	const { state, operator, outbox } = rows;
	for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
		const outcome = await alarms.commit(schema, {
			alarmId,
			...(state === null ? {} : { state: { expected: null, put: state } }),
			...(operator === null ? {} : { operator: { expected: null, put: operator } }),
			...(outbox === null ? {} : { outbox: { expected: null, put: outbox } }),
		});
		if (outcome === 'committed') return true;
		const stored = (await alarms.rowsOf(schema, [alarmId])).rows.get(alarmId);
		if (stored !== undefined) return JSON.stringify(stored) === JSON.stringify({ state, operator, outbox });
		await jitteredPause(attempt);
	}
	throw new DomainError('write_contention', { retryAfterMs });
}

/** Continues the evaluation of the alarms at the time in the export, unless an evaluator has begun meanwhile. */
export async function resumeEvaluation(alarms: AlarmStore, { schema, progress }: SchemaContents, now: number): Promise<void> {
	if (progress === null) return;
	const { createdAt, evaluatedUntil, lastSentAt, failing, urgentSince } = progress;
	await alarms.startEvaluation(schema, createdAt);
	const lease = randomUUID();
	const current = await alarms.acquireLease(schema, lease, now);
	if (current === null) return;
	const exported = {
		...(evaluatedUntil === null ? {} : { evaluatedUntil }),
		...(lastSentAt === null ? {} : { lastSentAt }),
		failing,
		urgentSince,
	};
	await alarms.updateProgress(schema, {
		lease,
		expected: current.evaluatedUntil,
		...(current.evaluatedUntil === null ? exported : {}),
		release: true,
	});
}

function keyOf(row: Row): RowKey {
	return row.kind === 'panel' ? panelKey : { kind: row.kind, id: idOfRow(row) };
}
