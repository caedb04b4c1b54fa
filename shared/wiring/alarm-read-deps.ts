import { createSavedAlarms } from '#domain/alarm/saved-alarms.ts';
import type { AlarmOperationHandlerDeps } from '#http/handler-deps.ts';
import { alarmSettleSchema, influxFunctionSchema, readConfig } from '#shared/config.ts';
import { openAlarmDeps, openAlarmWriteDeps } from './alarm-deps.ts';
import { readDepsOf } from './read-deps.ts';

/** Opens the dependencies of a handler that lists alarms with their values and states. */
export function openAlarmReadDeps() {
	const config = readConfig(influxFunctionSchema);
	const { alarms, ...deps } = openAlarmDeps(config.INFLUX_TIMEOUT_MS);
	const settleMs = readConfig(alarmSettleSchema).ALARM_SETTLE_SECONDS * 1000;
	return { ...readDepsOf(deps, config.READINGS_SHARED_MS), alarms, savedAlarms: createSavedAlarms(deps.store), settleMs };
}

/** Opens the dependencies of a handler that operates alarms, and answers with their values. */
export function openAlarmOperationDeps(): AlarmOperationHandlerDeps {
	const config = readConfig(influxFunctionSchema);
	const deps = openAlarmWriteDeps(config.INFLUX_TIMEOUT_MS);
	return { ...readDepsOf(deps, config.READINGS_SHARED_MS), ...deps };
}
