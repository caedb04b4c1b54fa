import { createDynamoAlarmStore } from '#adapters/dynamo/dynamo-alarm-store.ts';
import type { InfluxConnection } from '#adapters/influx/influx-connection.ts';
import { createInfluxSampleReader } from '#adapters/influx/influx-sample-reader.ts';
import { createInfluxSpanReader } from '#adapters/influx/influx-span-reader.ts';
import { instrumentedAlarmStore, instrumentedSampleReader, instrumentedSpanReader } from '#adapters/instrumented.ts';
import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { alarmTablesSchema, readConfig } from '#shared/config.ts';
import { openAdmission } from './admission.ts';
import { openInflux, timeForInfluxMs } from './influx.ts';
import { openReportTables } from './report-day-deps.ts';

/** Opens the dependencies of a function that counts the days of reports. */
export function openReportDeps() {
	const influx = openInflux();
	const deps = openOn(influx);
	const { metrics } = deps;
	return {
		...deps,
		samples: instrumentedSampleReader(createInfluxSampleReader(influx), metrics),
		spans: instrumentedSpanReader(createInfluxSpanReader(influx), metrics),
	};
}

/** Opens the dependencies of a function that counts the days of reports and checks the caller's role. */
export function openReportWriteDeps() {
	const deps = openReportDeps();
	return { ...deps, admit: openAdmission(deps.dynamo).admit };
}

/**
 * Opens the dependencies of a function that counts the days of many tenants. There is no breaker, so a few slow databases do not stop the
 * reads of the others. Its reads are not measured: those of one bad tenant would hide how well the reads of clients work.
 * @param maxSchemas most schemas in the cache of definitions
 */
export function openUnguardedReportDeps(maxSchemas: number) {
	return openOn(openInflux({ hasBreaker: false }), maxSchemas);
}

/** Opens the dependencies on a connection. Its reads are not measured. `maxSchemas`: most schemas in the cache of definitions. */
function openOn(influx: InfluxConnection, maxSchemas?: number) {
	const { deps, dynamo, tables, days } = openReportTables(timeForInfluxMs());
	const { TABLE_EVALUATIONS: evaluations, TABLE_ALARM_STATES: alarmStates } = readConfig(alarmTablesSchema);
	const alarms = createDynamoAlarmStore(dynamo, { ...tables, evaluations, alarmStates }, days.events);
	return {
		...deps,
		now: Date.now,
		definitions: createDefinitionCache(deps.store, maxSchemas),
		samples: createInfluxSampleReader(influx),
		spans: createInfluxSpanReader(influx),
		alarms: instrumentedAlarmStore(alarms, deps.metrics),
		dynamo,
	};
}
