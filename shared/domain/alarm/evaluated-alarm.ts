import type { AlarmRows, AlarmStore } from '../ports/alarm-store.ts';
import type { BoardRow, Definition } from '../ports/schema-store.ts';
import type { DefinitionCache } from '../reading/definition-cache.ts';
import type { AlarmDefinition } from './fold.ts';

/** A saved alarm that is evaluated, with its variable. */
export interface EvaluatedAlarm extends AlarmDefinition {
	/** Of the alarm's row. */
	readonly rowVersion: number;
	/** The time-series database to read. */
	readonly database: string;
}

/** The alarms of a schema with everything that a tick needs of them. */
export interface LoadedAlarms {
	/** By ascending id, with the disabled ones: an evaluation sets their state to disabled. */
	readonly evaluated: readonly EvaluatedAlarm[];
	/** The ids of all saved alarms, also of those that cannot be evaluated. */
	readonly saved: ReadonlySet<number>;
	/** The stored rows, by the id of the alarm. */
	readonly rows: ReadonlyMap<number, AlarmRows>;
	/** The ids of alarms that cannot be evaluated, because a row of theirs or their variable cannot be read, or the variable is missing. */
	readonly failing: readonly number[];
}

/** The stores that definitions of alarms are read from. */
export interface DefinitionDeps {
	readonly alarms: AlarmStore;
	readonly definitions: DefinitionCache;
}

/** Reads the alarms of a schema, their variables and their rows. An alarm that cannot be parsed does not hide the others. */
export async function loadAlarms({ alarms: store, definitions }: DefinitionDeps, schema: string): Promise<LoadedAlarms> {
	const { alarms, unreadable } = await store.alarms(schema);
	const { rows, unreadable: unreadableRows } = await store.rows(schema);
	const unreadableIds = unreadable.map(idOfKey);
	const saved = new Set([...alarms.map(({ board }) => board.content.id), ...unreadableIds]);
	const bound = alarms.flatMap((row) => boundAlarm(row) ?? []);
	const variables = await definitions.get(schema, [...new Set(bound.map(({ alarm }) => alarm.varId))]);
	const evaluated: EvaluatedAlarm[] = [];
	const failing = [...unreadableIds];
	for (const unresolved of bound) {
		const { id } = unresolved.alarm;
		const alarm = unreadableRows.has(id) ? null : withVariable(unresolved, variables);
		if (alarm === null) failing.push(id);
		else evaluated.push(alarm);
	}
	return { evaluated, saved, rows, failing };
}

/**
 * Returns a saved alarm with its variable, for an alarm that changed while it was evaluated. Null where it has no database or no variable.
 */
export function evaluatedAlarm(row: BoardRow, variables: ReadonlyMap<number, Definition>): EvaluatedAlarm | null {
	const bound = boundAlarm(row);
	return bound === null ? null : withVariable(bound, variables);
}

/** An alarm with the database that it is bound to, before its variable is read. An alarm without a database is not evaluated. */
type BoundAlarm = Omit<EvaluatedAlarm, 'variable' | 'variableVersion'>;

function boundAlarm({ board, version: alarmVersion, rowVersion, database }: BoardRow): BoundAlarm | null {
	return board.kind !== 'alarm' || database === undefined ? null : { alarm: board.content, alarmVersion, rowVersion, database };
}

function withVariable(bound: BoundAlarm, variables: ReadonlyMap<number, Definition>): EvaluatedAlarm | null {
	const found = variables.get(bound.alarm.varId);
	if (found === undefined || found.unread !== undefined) return null;
	return { ...bound, variable: found.variable, variableVersion: found.version };
}

/** `key`: the kind of a row and its id, such as `alarm#7`. */
const idOfKey = (key: string): number => Number(key.split('#')[1]);
