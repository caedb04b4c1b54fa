import { createDynamoAlarmStore } from '#adapters/dynamo/dynamo-alarm-store.ts';
import { instrumentedAlarmStore } from '#adapters/instrumented.ts';
import { alarmTablesSchema, readConfig } from '#shared/config.ts';
import { openTables } from './store-deps.ts';
import { writeDepsOf } from './write-deps.ts';

/**
 * Opens the dependencies of `openStoreDeps`, and the store of alarms. A file of its own, so that other functions do not load that store.
 * @param otherMs the longest time that the other dependencies of a request take
 */
export function openAlarmDeps(otherMs = 0) {
	return openAlarmTables(otherMs).deps;
}

/** Opens the dependencies of a handler that changes alarms or their states. `otherMs`: see `openAlarmDeps`. */
export function openAlarmWriteDeps(otherMs = 0) {
	const opened = openAlarmTables(otherMs);
	return { ...writeDepsOf(opened), alarms: opened.deps.alarms };
}

function openAlarmTables(otherMs: number) {
	const opened = openTables(otherMs);
	const { TABLE_EVALUATIONS: evaluations, TABLE_ALARM_STATES: alarmStates } = readConfig(alarmTablesSchema);
	const alarms = createDynamoAlarmStore(opened.dynamo, { ...opened.tables, evaluations, alarmStates }, opened.days.events);
	return { ...opened, deps: { ...opened.deps, alarms: instrumentedAlarmStore(alarms, opened.deps.metrics) } };
}
