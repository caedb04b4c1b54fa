import { createDynamoAlarmStore } from '#adapters/dynamo/dynamo-alarm-store.ts';
import { instrumentedAlarmStore } from '#adapters/instrumented.ts';
import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { alarmTablesSchema, readConfig } from '#shared/config.ts';
import { openAdmission } from './admission.ts';
import { type Engines, samplesOn, spansOn } from './engine.ts';
import { openReportTables } from './report-day-deps.ts';
import { openSamples, openSeries, openSpans, timeForSeriesMs } from './series.ts';

/** Opens the dependencies of a function that counts the days of reports. */
export function openReportDeps() {
	const engines = openSeries();
	const deps = openOn(engines);
	return { ...deps, samples: openSamples(deps.metrics, engines), spans: openSpans(deps.metrics, engines) };
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
	return openOn(openSeries({ hasBreaker: false }), maxSchemas);
}

/** Opens the dependencies on engines. Their reads are not measured. `maxSchemas`: most schemas in the cache of definitions. */
function openOn(engines: Engines, maxSchemas?: number) {
	const { deps, dynamo, tables, days } = openReportTables(timeForSeriesMs());
	const { TABLE_EVALUATIONS: evaluations, TABLE_ALARM_STATES: alarmStates } = readConfig(alarmTablesSchema);
	const alarms = createDynamoAlarmStore(dynamo, { ...tables, evaluations, alarmStates }, days.events);
	return {
		...deps,
		now: Date.now,
		definitions: createDefinitionCache(deps.store, maxSchemas),
		samples: samplesOn(engines),
		spans: spansOn(engines),
		alarms: instrumentedAlarmStore(alarms, deps.metrics),
		dynamo,
	};
}
