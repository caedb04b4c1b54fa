import { Duration } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { FunctionName } from '#shared/contract.ts';
import { resourceNames } from '#shared/resource-names.ts';
import type { TableName } from '#shared/tables.ts';
import { deployedEndpoints, type EndpointRow } from './deployed-endpoints.ts';
import type { Environment } from './environment.ts';
import { deployedTableName } from './permissions.ts';

/** The period of all metrics and graphs, unless an alarm takes another. */
export const period = Duration.minutes(5);

/** The largest number of metrics that CloudWatch lets one alarm calculate with. */
const maxMetricsPerAlarm = 10;

/** Returns a metric that functions write to their logs (shared/wiring/telemetry.ts), or that a filter reads from the access log. */
export function caudalMetric({ name }: Environment, metricName: string, statistic: string, label?: string): Metric {
	const dimensionsMap = { environment: name };
	return new Metric({
		namespace: 'Caudal',
		metricName,
		dimensionsMap,
		statistic,
		period,
		...(label !== undefined && { label }),
	});
}

/** Returns the sum of a metric in each period. */
export function sumOfMetric(environment: Environment, metricName: string): Metric {
	return caudalMetric(environment, metricName, Stats.SUM);
}

/** Returns how often a metric was recorded in each period. */
export function countOfMetric(environment: Environment, metricName: string): Metric {
	return caudalMetric(environment, metricName, Stats.SAMPLE_COUNT);
}

/** Returns 1 in the periods of the setting `trafficHours`, and 0 in others. CloudWatch knows the hours and days of UTC only. */
export function isTrafficExpected(
	environment: Environment,
	{ from, to, days }: NonNullable<Environment['trafficHours']>,
): MathExpression {
	const isOneOf = (ofWeek: readonly number[]) => `(${ofWeek.map((day) => `DAY(clock) == ${day}`).join(' OR ')})`;
	const nextDays = days.map((day) => (day % 7) + 1);
	const condition =
		from < to
			? `${isOneOf(days)} AND (HOUR(clock) >= ${from} AND HOUR(clock) < ${to})`
			: `(${isOneOf(days)} AND HOUR(clock) >= ${from}) OR (${isOneOf(nextDays)} AND HOUR(clock) < ${to})`;
	return new MathExpression({
		expression: `IF(${condition}, 1, 0)`,
		// Time comes from a metric that has a value in each period: it is recorded every minute.
		usingMetrics: { clock: countOfMetric(environment, 'SchemasEvaluated') },
		label: 'Requests are expected',
		period,
	});
}

/** Returns the sum of a metric that API Gateway records for an API. */
export function sumOf(api: HttpApi, metricName: '4xx' | '5xx' | 'Count'): Metric {
	return api.metric(metricName, { statistic: Stats.SUM, period });
}

/** How many events a rate needs at least. With fewer it is 0, so that neither one failure at night nor few requests set off an alarm. */
export interface LeastCount {
	readonly minCount: number;
}

/** Returns what percentage `part` is of `total` in each period, and 0 where `part` is less than `minCount`. */
export function percentage(part: Metric, total: Metric, { minCount }: LeastCount): MathExpression {
	return new MathExpression({
		expression: `IF(part >= ${minCount}, 100 * part / total, 0)`,
		usingMetrics: { part, total },
		label: `${part.metricName}, %`,
		period,
	});
}

/** Returns the 99th percentile of an API's latency in milliseconds, and 0 where it had fewer than `minCount` requests. */
export function slowest(api: HttpApi, { minCount }: LeastCount): MathExpression {
	return new MathExpression({
		expression: `IF(requests >= ${minCount}, slowest, 0)`,
		usingMetrics: { requests: sumOf(api, 'Count'), slowest: api.metricLatency({ statistic: Stats.percentile(99), period }) },
		label: 'Latency p99, ms',
		period,
	});
}

/**
 * Returns the share of readings that are stale or without data, in percent; 0 where there were fewer than `minCount`. Skipped readings were
 * not read and say nothing about the plant, so they are not counted.
 */
export function shareOfStaleReadings(environment: Environment, { minCount }: LeastCount): MathExpression {
	const readings = {
		stale: sumOfMetric(environment, 'ReadingsStale'),
		empty: sumOfMetric(environment, 'ReadingsNoData'),
		good: sumOfMetric(environment, 'ReadingsGood'),
		missing: sumOfMetric(environment, 'ReadingsMissingReference'),
		bad: sumOfMetric(environment, 'ReadingsBad'),
	};
	const total = `(${Object.keys(readings).join(' + ')})`;
	return new MathExpression({
		expression: `IF(${total} >= ${minCount}, 100 * (stale + empty) / ${total}, 0)`,
		usingMetrics: readings,
		label: 'Readings that are stale or without data, %',
		period,
	});
}

/** Returns a metric that Lambda records for a function. The name is enough: CloudFormation need not create the function first. */
export function lambdaMetric(
	{ name: environment }: Environment,
	name: FunctionName,
	metricName: string,
	statistic: string,
): Metric {
	const dimensionsMap = { FunctionName: resourceNames(environment).function(name) };
	return new Metric({ namespace: 'AWS/Lambda', metricName, dimensionsMap, statistic, period });
}

/** Returns how often AWS throttled the functions of some endpoints. Functions of other environments in the account are not counted. */
export function throttlesOf(environment: Environment, isWatched: (row: EndpointRow) => boolean): MathExpression {
	const metrics = deployedEndpoints(environment)
		.filter(isWatched)
		.map(({ name }) => [name, lambdaMetric(environment, name, 'Throttles', Stats.SUM)] as const);
	if (metrics.length > maxMetricsPerAlarm) throw new RangeError(`An alarm has at most ${maxMetricsPerAlarm} metrics.`);
	return new MathExpression({
		expression: `SUM([${metrics.map(([name]) => name).join(', ')}])`,
		usingMetrics: Object.fromEntries(metrics),
		label: 'Throttles',
		period,
	});
}

/**
 * Returns how often DynamoDB refused to read or write some tables, because a table or a part of it gets more than it may. At most five tables: an alarm
 * has ten metrics.
 */
export function storeThrottlesOf(environment: Environment, tables: readonly TableName[]): MathExpression {
	const metrics = tables.flatMap((table) =>
		(['Read', 'Write'] as const).map(
			(kind) => [`${table}${kind}`, tableMetric(environment, table, `${kind}ThrottleEvents`)] as const,
		),
	);
	if (metrics.length > maxMetricsPerAlarm) throw new RangeError(`An alarm has at most ${maxMetricsPerAlarm} metrics.`);
	return new MathExpression({
		expression: `SUM([${metrics.map(([id]) => id).join(', ')}])`,
		usingMetrics: Object.fromEntries(metrics),
		label: 'Throttles of tables',
		period,
	});
}

/**
 * Returns how much of what one table may read or write in a second the busiest of some tables uses, in percent. The bound is that of the
 * settings, or the account's quota for a table. At most nine tables: an alarm has ten metrics.
 */
export function busiestTable(environment: Environment, kind: 'Read' | 'Write', tables: readonly TableName[]): MathExpression {
	const bound = environment[`max${kind}RequestUnits`];
	const metricName = `AccountMaxTableLevel${kind}s`;
	const quota = new Metric({ namespace: 'AWS/DynamoDB', metricName, statistic: Stats.MAXIMUM, period });
	const consumed = tables.map((table) => [table, tableMetric(environment, table, `Consumed${kind}CapacityUnits`)] as const);
	return new MathExpression({
		expression: `100 * MAX([${tables.join(', ')}]) / (${period.toSeconds()} * ${bound ?? 'quota'})`,
		usingMetrics: { ...Object.fromEntries(consumed), ...(bound === undefined && { quota }) },
		label: `${kind}s of the busiest table, % of its bound`,
		period,
	});
}

/** Returns the sum of a metric that DynamoDB records for a table. */
function tableMetric(environment: Environment, table: TableName, metricName: string): Metric {
	const dimensionsMap = { TableName: deployedTableName(environment, table) };
	return new Metric({ namespace: 'AWS/DynamoDB', metricName, dimensionsMap, statistic: Stats.SUM, period });
}

/** Returns how much of the account's quota for operations with RSA keys all that call KMS use, in percent. */
export function rsaOperationsOfQuota(): MathExpression {
	const dimensionsMap = { Service: 'KMS', Type: 'API', Resource: 'CryptographicOperationsRsa', Class: 'None' };
	return new MathExpression({
		expression: '100 * calls / SERVICE_QUOTA(calls)',
		usingMetrics: { calls: new Metric({ namespace: 'AWS/Usage', metricName: 'CallCount', dimensionsMap, statistic: Stats.SUM }) },
		label: 'RSA operations of KMS, % of the quota',
		// Service Quotas compares the calls of a minute with the quota.
		period: Duration.minutes(1),
	});
}

/** Returns how many functions of the account ran at once, those of other environments too. */
export function concurrentExecutions(): Metric {
	return new Metric({ namespace: 'AWS/Lambda', metricName: 'ConcurrentExecutions', statistic: Stats.MAXIMUM, period });
}

/**
 * Returns how many messages to subscribers of the topic of the plants' alarms SNS gave up: it moved them to the queue of the redrive policy, or
 * could not. Without a redrive policy it counts neither.
 */
export function undeliveredMessages(environment: Environment): MathExpression {
	return new MathExpression({
		expression: 'SUM([kept, lost])',
		usingMetrics: {
			kept: topicMetric(environment, 'NumberOfNotificationsRedrivenToDlq'),
			lost: topicMetric(environment, 'NumberOfNotificationsFailedToRedriveToDlq'),
		},
		label: 'Messages given up',
		period,
	});
}

/**
 * Returns what percentage of the attempts to deliver messages of that topic failed in an hour, and 0 where fewer than `minCount` failed. SNS
 * counts each attempt over HTTP(S), and otherwise each message that it gave up, with or without a redrive policy.
 */
export function failedDeliveries(environment: Environment, { minCount }: LeastCount): MathExpression {
	return new MathExpression({
		// Where nothing is delivered there is no such number, so it is no divisor by itself.
		expression: `IF(failed >= ${minCount}, 100 * failed / SUM([failed, delivered]), 0)`,
		usingMetrics: {
			failed: topicMetric(environment, 'NumberOfNotificationsFailed'),
			delivered: topicMetric(environment, 'NumberOfNotificationsDelivered'),
		},
		label: 'Failed attempts to deliver, %',
		period: Duration.hours(1),
	});
}

/** Returns the sum of a metric that SNS records for the topic of the plants' alarms. */
function topicMetric({ name, alarmTopicArn }: Environment, metricName: string): Metric {
	const TopicName = alarmTopicArn === undefined ? resourceNames(name).plantAlarms : nameIn(alarmTopicArn);
	return new Metric({ namespace: 'AWS/SNS', metricName, dimensionsMap: { TopicName }, statistic: Stats.SUM, period });
}

/** Returns how many backups into the environment's vault, and how many copies into the vault `copyTo`, failed in each hour. */
export function failedBackups({ name }: Environment, copyTo: string): MathExpression {
	const own = (state: string) => backupJobs(`NumberOfBackupJobs${state}`, resourceNames(name).backupVault);
	return new MathExpression({
		expression: 'SUM([failed, expired, aborted, copies])',
		usingMetrics: {
			...{ failed: own('Failed'), expired: own('Expired'), aborted: own('Aborted') },
			copies: backupJobs('NumberOfCopyJobsFailed', nameIn(copyTo)),
		},
		label: 'Failed backups and copies',
		period: Duration.hours(1),
	});
}

/** Returns how many copies of backups into the vault `copyTo` were completed in each hour. */
export function completedCopies(copyTo: string): Metric {
	return backupJobs('NumberOfCopyJobsCompleted', nameIn(copyTo));
}

/** AWS emits it where there are such jobs, in the region that they start from. A copy counts for the vault that it goes to (AWS: "AWS Backup metrics with Amazon CloudWatch"). */
function backupJobs(metricName: string, BackupVaultName: string): Metric {
	const dimensionsMap = { BackupVaultName };
	return new Metric({ namespace: 'AWS/Backup', metricName, dimensionsMap, statistic: Stats.SUM, period: Duration.hours(1) });
}

/** The last part of the ARN of a topic or a vault is its name. */
const nameIn = (arn: string): string => arn.slice(arn.lastIndexOf(':') + 1);
