import { definitionEvents } from '../alarm/definition-event.ts';
import type { Board } from '../board/board.ts';
import { userOf } from '../changes/change-entry.ts';
import type { AlarmStore } from '../ports/alarm-store.ts';
import type { BoardRow } from '../ports/schema-store.ts';
import type { VersionMatch } from '../transaction/checks.ts';
import { unitOf } from '../transaction/referenced-by.ts';
import type { IdempotencyRecordFactory, WriteDeps } from '../transaction/run-transaction.ts';
import { saveBoard } from './save-board.ts';

/** The dependencies of a save of an alarm. */
export interface SaveAlarmDeps extends WriteDeps {
	readonly alarms: Pick<AlarmStore, 'startEvaluation'>;
}

/** The tenant of an alarm that is saved. */
export interface AlarmTenant {
	readonly schema: string;
	/** The time-series database of the user's token. The alarm is evaluated on it. */
	readonly database: string;
}

/**
 * Saves an alarm as `saveBoard` does, binds it to the tenant's database, and adds a `changed` event to the journal. Before that
 * it starts the evaluation of the schema: should the save fail, a schema without alarms is evaluated, which does no harm.
 * @throws DomainError as `saveBoard`
 */
export async function saveAlarm(
	deps: SaveAlarmDeps,
	{ schema, database }: AlarmTenant,
	alarm: Board,
	match: VersionMatch = null,
	createRecord?: IdempotencyRecordFactory<BoardRow>,
): Promise<BoardRow> {
	return saveBoard(deps, schema, alarm, match, createRecord, async ({ rows, stored, row }) => {
		const now = deps.now();
		await deps.alarms.startEvaluation(schema, now);
		const change = { now, user: userOf(deps.origin), unit: unitOf(rows, row), ...rebinding(stored, database) };
		const bound = { ...row, database };
		return { row: bound, events: definitionEvents('changed', bound, change) };
	});
}

/** Returns the comment on a save that changes the database of an alarm. */
function rebinding(stored: BoardRow | null, database: string): { readonly comment?: string } {
	if (stored === null || stored.database === database) return {};
	const before = stored.database === undefined ? '' : ` instead of ${stored.database}`;
	return { comment: `From now on it is evaluated on the database ${database}${before}.` };
}
