import { costOfRequests, polls, prices } from './prices.ts';
import { bold, dollars, table } from './table.ts';
import { alarmUnits, units } from './units.ts';

/** The columns of the table. */
export const dashboardCounts = [1, 50, 1000, 10_000] as const;

/** What an environment has once, by its price. A test counts the metrics and alarms (monitoring.integration.ts). */
const once = { metricsInAlarms: 153, compositeAlarms: 1, customMetrics: 29, secrets: 2, keys: 1, dashboards: 1 } as const;
const costOnce =
	once.keys * prices.key +
	once.secrets * prices.secret +
	once.metricsInAlarms * prices.metricInAlarm +
	once.compositeAlarms * prices.compositeAlarm +
	once.customMetrics * prices.customMetric +
	once.dashboards * prices.dashboard;

/** Of a schema with a report: runs of its task in a month, and what each reads and writes. */
const reportRuns = 2918;
const costOfReports = reportRuns * (13 * prices.read + 2 * prices.write);

/** `/getAlarms` and `/bombs` read more than a poll whose definitions are in memory. */
const moreUnits = alarmUnits(1) + units.panel;

const cells = (cost: (dashboards: number) => number) => dashboardCounts.map((dashboards) => dollars(cost(dashboards)));

/** The rows of one poll every 30 s for each dashboard: what is paid for, its unit price, and the US$ of a month for so many requests. */
const requestRows: readonly (readonly [name: string, price: string, cost: (requests: number) => number])[] = [
	['HTTP API', '1.00 a million, 0.90 beyond 300 million', costOfRequests['HTTP API']],
	[
		'Lambda, arm64: 512 MB for 100 ms, mostly waiting for InfluxDB',
		'0.20 a million and 0.0000133334 a GB s',
		costOfRequests.Lambda,
	],
	['DynamoDB: 1 read unit per warm poll', '0.125 a million', (requests) => requests * units.revision * prices.read],
	['CloudWatch Logs: 2.2 KB per request (access log, request, Lambda’s own)', '0.50 a GB', costOfRequests['CloudWatch Logs']],
	['data out: 4 KB per answer', '0.09 a GB', costOfRequests['data out']],
];

/** Returns the table of the cost by dashboards, as Markdown. */
export function costByDashboards(): string {
	const ofRequests = (requests: number): number => requestRows.reduce((sum, [, , cost]) => sum + cost(requests), 0);
	const ofMoreUnits = (dashboards: number): number => dashboards * polls * moreUnits * prices.read;
	const fixed = costOnce + costOfReports;
	return table(
		['input', 'unit price', '1 dashboard', ...dashboardCounts.slice(1).map((each) => each.toLocaleString('en'))],
		['requests, million', '', ...dashboardCounts.map((each) => ((each * polls) / 1e6).toFixed(each === 1 ? 4 : 2))],
		...requestRows.map(([name, price, cost]) => [name, price, ...cells((dashboards) => cost(dashboards * polls))]),
		[
			`${once.keys} signing key, ${once.secrets} secrets, ${once.metricsInAlarms} metrics in alarms, ${once.compositeAlarms} composite alarm, ${once.customMetrics} custom metrics, ${once.dashboards} dashboard`,
			'1.00, 0.40, 0.10, 0.50, 0.30, 3.00 each',
			...cells(() => costOnce),
		],
		[
			'reports, for each schema with one of 40 lines: 2,918 runs of 13 reads and 2 writes, and a day of 3 KB',
			'0.125 and 0.625 a million',
			...cells(() => costOfReports),
		],
		[...bold(['together']), '', ...bold(cells((dashboards) => ofRequests(dashboards * polls) + fixed))],
		[`\`/getAlarms\` of 100 alarms and \`/bombs\`: ${moreUnits} more read units`, '0.125 a million', ...cells(ofMoreUnits)],
		[
			...bold(['together, when each also polls `/bombs` and `/getAlarms`']),
			'two more requests of the same cost, and the row above',
			...bold(cells((dashboards) => ofRequests(3 * dashboards * polls) + ofMoreUnits(dashboards) + fixed)),
		],
		[
			'InfluxDB Cloud, where you use it: 1 query per poll',
			'0.01 for 100 queries',
			...cells((dashboards) => dashboards * polls * prices.influxQuery),
		],
	);
}
