import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { canaryUserAgent } from '#shared/tasks.ts';
import type { EndpointHttpApi } from './http-api.ts';

/** Creates metrics that count lines of the access log. The gateway refuses tokens by itself, so no function sees those requests. */
export function filterAccessLog(scope: Construct, { accessLog: logGroup }: EndpointHttpApi): void {
	for (const [metricName, pattern] of [
		['Refusals', '{ ($.status = "401") || ($.status = "403") }'],
		// Only a 429 of the gateway itself counts. A 429 of a function has an integration latency.
		['TooManyRequests', '{ ($.status = "429") && ($.integrationLatencyMs = "-") }'],
		['ClientRequests', `{ $.userAgent != "${canaryUserAgent}" }`],
	] as const)
		new MetricFilter(scope, metricName, {
			logGroup,
			filterPattern: FilterPattern.literal(pattern),
			metricNamespace: 'Caudal',
			metricName,
			metricValue: '1',
			dimensions: { environment: '$.environment' },
		});
}
