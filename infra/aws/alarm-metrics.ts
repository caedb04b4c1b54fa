import { Duration } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { resourceNames } from '#shared/resource-names.ts';
import { deployedEndpoints, type EndpointRow } from './deployed-endpoints.ts';
import type { Environment } from './environment.ts';

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

/** Returns how often AWS throttled the functions of some endpoints. Functions of other environments in the account are not counted. */
export function throttlesOf(environment: Environment, isWatched: (row: EndpointRow) => boolean): MathExpression {
	const names = resourceNames(environment.name);
	const metrics = deployedEndpoints(environment)
		.filter(isWatched)
		.map(({ name }) => {
			const dimensionsMap = { FunctionName: names.function(name) };
			const metric = new Metric({
				namespace: 'AWS/Lambda',
				metricName: 'Throttles',
				dimensionsMap,
				statistic: Stats.SUM,
				period,
			});
			return [name, metric] as const;
		});
	if (metrics.length > maxMetricsPerAlarm) throw new RangeError(`An alarm has at most ${maxMetricsPerAlarm} metrics.`);
	return new MathExpression({
		expression: `SUM([${metrics.map(([name]) => name).join(', ')}])`,
		usingMetrics: Object.fromEntries(metrics),
		label: 'Throttles',
		period,
	});
}

/** Returns how many messages to the topic of the plants' alarms AWS gave up to deliver to a subscriber. */
export function failedDeliveries({ name, alarmTopicArn }: Environment): Metric {
	// The last part of a topic's ARN is its name.
	const TopicName = alarmTopicArn?.split(':').at(-1) ?? resourceNames(name).plantAlarms;
	const dimensionsMap = { TopicName };
	return new Metric({
		namespace: 'AWS/SNS',
		metricName: 'NumberOfNotificationsFailed',
		dimensionsMap,
		statistic: Stats.SUM,
		period,
	});
}
