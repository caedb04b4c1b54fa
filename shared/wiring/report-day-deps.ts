import { createDynamoReportDays } from '#adapters/dynamo/dynamo-report-days.ts';
import { readConfig, reportDaysSchema } from '#shared/config.ts';
import { openTables } from './store-deps.ts';

/**
 * Opens the dependencies of `openTables`, and the stored days of reports. A file of its own, so that a function that only reads them does
 * not load InfluxDB's client.
 * @param otherMs the longest time that the other dependencies of a request take
 */
export function openReportTables(otherMs = 0) {
	const opened = openTables(otherMs);
	const { TABLE_REPORT_DAYS: table } = readConfig(reportDaysSchema);
	return { ...opened, deps: { ...opened.deps, days: createDynamoReportDays(opened.dynamo, table) } };
}
