import { createDynamoAlarmStore } from '#adapters/dynamo/dynamo-alarm-store.ts';
import { createDynamoReportDays } from '#adapters/dynamo/dynamo-report-days.ts';
import { createInfluxSampleReader } from '#adapters/influx/influx-sample-reader.ts';
import { createInfluxSpanReader } from '#adapters/influx/influx-span-reader.ts';
import { instrumentedAlarmStore, instrumentedSampleReader, instrumentedSpanReader } from '#adapters/instrumented.ts';
import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { alarmTablesSchema, influxFunctionSchema, readConfig, reportDaysSchema } from '#shared/config.ts';
import { openAdmission } from './admission.ts';
import { openInflux } from './influx.ts';
import { openTables } from './store-deps.ts';

/** Opens the dependencies of a function that reads the stored days of reports. */
export function openReportDayDeps() {
	return openReportTables(0).deps;
}

/**
 * Opens the dependencies of a function that counts the days of reports.
 * @param options `hasBreaker`: see `InfluxConnectionOptions`; `maxSchemas`: how many schemas' definitions it keeps
 */
export function openReportDeps({ hasBreaker = true, maxSchemas }: { hasBreaker?: boolean; maxSchemas?: number } = {}) {
	const { deps, dynamo, tables, days } = openReportTables(readConfig(influxFunctionSchema).INFLUX_TIMEOUT_MS);
	const { TABLE_EVALUATIONS: evaluations, TABLE_ALARM_STATES: alarmStates } = readConfig(alarmTablesSchema);
	const influx = openInflux(hasBreaker);
	return {
		...deps,
		now: Date.now,
		definitions: createDefinitionCache(deps.store, maxSchemas),
		samples: instrumentedSampleReader(createInfluxSampleReader(influx), deps.metrics),
		spans: instrumentedSpanReader(createInfluxSpanReader(influx), deps.metrics),
		alarms: instrumentedAlarmStore(
			createDynamoAlarmStore(dynamo, { ...tables, evaluations, alarmStates }, days.events),
			deps.metrics,
		),
		dynamo,
	};
}

/** Opens the same for a function that checks the caller's role. */
export function openReportWriteDeps() {
	const deps = openReportDeps();
	return { ...deps, admit: openAdmission(deps.dynamo).admit };
}

function openReportTables(otherMs: number) {
	const opened = openTables(otherMs);
	const { TABLE_REPORT_DAYS: table } = readConfig(reportDaysSchema);
	return { ...opened, deps: { ...opened.deps, days: createDynamoReportDays(opened.dynamo, table) } };
}
