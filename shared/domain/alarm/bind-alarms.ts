import { type Alarm, isEnabled } from '../board/alarm.ts';
import { userOf } from '../changes/change-entry.ts';
import { chunksOf } from '../chunks-of.ts';
import type { AlarmStore } from '../ports/alarm-store.ts';
import type { BoardRow } from '../ports/schema-store.ts';
import { readNewest } from '../reading/newest.ts';
import type { ReadingDeps } from '../reading/read-now.ts';
import { readBoard, unitOf } from '../transaction/referenced-by.ts';
import { noRecord, runTransaction, type WriteDeps } from '../transaction/run-transaction.ts';
import { definitionEvents } from './definition-event.ts';
import { effectiveRules } from './effective-rules.ts';

/** The dependencies of binding alarms to a database. */
export interface BindDeps extends WriteDeps {
	readonly alarms: Pick<AlarmStore, 'alarms' | 'startEvaluation'>;
}

/** Alarms of one read of their values. */
const alarmsPerRead = 100;

/**
 * Binds the alarms of a schema that have no database yet, because they were saved before alarms were evaluated, and starts the
 * evaluation of the schema. Their versions stay: clients do not see a difference. May be interrupted and called again.
 * @returns the alarms that were bound
 * @throws DomainError as `runTransaction`
 */
export async function bindAlarms(deps: BindDeps, schema: string, database: string): Promise<readonly BoardRow[]> {
	const { alarms } = await deps.alarms.alarms(schema);
	const unbound = alarms.filter((row) => row.database === undefined);
	if (unbound.length === 0) return [];
	await deps.alarms.startEvaluation(schema, deps.now());
	const bound: BoardRow[] = [];
	for (const { board } of unbound) bound.push(...(await bindAlarm(deps, schema, board.content.id, database)));
	return bound;
}

/**
 * Returns the enabled alarms without a usable value at `now` (epoch milliseconds). Each is raised as `no_data` once it has been so for
 * its `noDataSeconds`.
 * @throws DomainError as `TimeSeries.read`
 */
export async function alarmsWithoutValue(
	deps: ReadingDeps,
	schema: string,
	database: string,
	now: number,
	rows: readonly BoardRow[],
): Promise<readonly Alarm[]> {
	const alarms = rows.flatMap(({ board }) => (board.kind === 'alarm' && isEnabled(board.content) ? [board.content] : []));
	const definitions = await deps.definitions.get(schema, [...new Set(alarms.map(({ varId }) => varId))]);
	const watching = alarms.filter((alarm) => {
		const definition = definitions.get(alarm.varId);
		// An alarm without its variable has no value either.
		return definition === undefined || effectiveRules(alarm, definition.variable).noDataMs !== null;
	});
	const silent: Alarm[] = [];
	for (const part of chunksOf(alarmsPerRead, watching)) {
		const states = await readNewest(deps, schema, { database, now, anew: true }, part);
		silent.push(...states.flatMap(([alarm, { value }]) => (value === null ? [alarm] : [])));
	}
	return silent;
}

/** Binds one alarm, unless it was deleted or saved meanwhile. */
function bindAlarm(deps: BindDeps, schema: string, id: number, database: string): Promise<readonly BoardRow[]> {
	const key = { kind: 'alarm', id } as const;
	return runTransaction(deps, schema, noRecord, async (read) => {
		const rows = await readBoard(read, { ...deps, schema }, key);
		const stored = rows.get(key);
		if (stored === null || stored.database !== undefined) return { changes: [], answer: [] };
		const row = { ...stored, database, rowVersion: stored.rowVersion + 1 };
		const comment = `From now on it is evaluated on the database ${database}.`;
		const events = definitionEvents('changed', row, {
			now: deps.now(),
			user: userOf(deps.origin),
			unit: unitOf(rows, row),
			comment,
		});
		return { changes: [{ key, row }], events, answer: [row] };
	});
}
