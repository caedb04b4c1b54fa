import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { AlarmStatusWidget, Dashboard, GraphWidget, type IMetric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { caudalMetric, period } from './alarm-metrics.ts';
import { Alarms } from './alarms.ts';
import type { Environment } from './environment.ts';
import type { EndpointHttpApi } from './http-api.ts';

/** The resources that alarms and the dashboard watch. */
export interface MonitoringProps {
	readonly environment: Environment;
	readonly service: EndpointHttpApi;
	readonly issuerApi: HttpApi;
	readonly functions: readonly IFunction[];
}

/** The percentiles of latencies on the dashboard: the median, and the slowest request of a hundred. */
const percentiles = [50, 99] as const;

/** The alarms, the topic that they notify, and a dashboard (infra/aws/README.md#logs-metrics-and-alarms). */
export class Monitoring extends Construct {
	private readonly environment: Environment;

	constructor(scope: Construct, id: string, { environment, service, issuerApi, functions }: MonitoringProps) {
		super(scope, id);
		this.environment = environment;
		const { operatorTopicArn } = environment;
		const topic = operatorTopicArn === undefined ? this.createAlarmTopic() : Topic.fromTopicArn(this, 'Alarms', operatorTopicArn);
		new CfnOutput(Stack.of(this), 'OperatorTopic', {
			value: topic.topicArn,
			description: 'The topic of the service’s own alarms',
		});
		const { all: alarms } = new Alarms(this, 'Alarm', { environment, service, issuerApi, topic });
		new Dashboard(this, 'Dashboard', {
			dashboardName: `caudal-${environment.name}`,
			widgets: [
				[new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24, height: 4 })],
				...this.createGraphs(service.httpApi, functions),
			],
		});
	}

	/** Creates the topic, which mails to the addresses of the settings. */
	private createAlarmTopic(): Topic {
		const { name, alarmEmails } = this.environment;
		const topic = new Topic(this, 'Alarms', { displayName: `Caudal ${name}`, enforceSSL: true });
		// enforceSSL gives the topic a policy. It replaces the default policy, which would let alarms of the account publish.
		const conditions = { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } };
		topic.grantPublish(new ServicePrincipal('cloudwatch.amazonaws.com', { conditions }));
		for (const email of alarmEmails) topic.addSubscription(new EmailSubscription(email));
		return topic;
	}

	/** The graphs of the dashboard, in rows. */
	private createGraphs(api: HttpApi, functions: readonly IFunction[]): GraphWidget[][] {
		// Two graphs fill a row of 24 columns. `left` and `right` are the metrics of each axis.
		const graph = (title: string, left: IMetric[], right: IMetric[] = []) => new GraphWidget({ title, left, right, width: 12 });
		const sums = (...names: string[]) => names.map((name) => caudalMetric(this.environment, name, Stats.SUM));
		const latencies = (name: string, label: string) =>
			percentiles.map((percent) => caudalMetric(this.environment, name, Stats.percentile(percent), `${label} p${percent}`));
		const hasOpenId = this.environment.openIdProviders.length > 0;
		const apiLatencies = percentiles.map((percent) =>
			api.metricLatency({ period, statistic: Stats.percentile(percent), label: `p${percent}` }),
		);
		const durations = functions.map((watched) => watched.metricDuration({ period, statistic: Stats.percentile(99) }));
		return [
			[
				graph(
					'Requests by outcome',
					sums('ClientRequests', 'Requests', 'Refused', 'Refusals', 'TooManyRequests', 'Faults'),
					sums('ColdStart'),
				),
				graph(
					'Readings by quality',
					sums('ReadingsGood', 'ReadingsStale', 'ReadingsNoData', 'ReadingsSkipped', 'ReadingsMissingReference', 'ReadingsBad'),
				),
			],
			[
				graph('Latency, ms', [...apiLatencies, ...latencies('Latency', 'functions')]),
				graph('Dependencies, ms', [
					...latencies('TsdbLatency', 'InfluxDB'),
					...latencies('IdentityProviderLatency', 'identity provider'),
					...(hasOpenId ? latencies('OpenIdProviderLatency', 'OpenID providers') : []),
				]),
			],
			[
				graph(
					'Faults and conflicts',
					sums(
						'TsdbFaults',
						'IdentityProviderFaults',
						...(hasOpenId ? ['OpenIdProviderFaults', 'OpenIdRefusals'] : []),
						'SigningFailures',
						'StoreConflicts',
						'TenantRefusals',
					),
				),
				graph(
					'Errors of the API',
					[api.metricServerError({ period, label: '5xx' })],
					[api.metricClientError({ period, label: '4xx' })],
				),
			],
			[
				graph('Plants’ alarms: lag and oldest message, s', [
					caudalMetric(this.environment, 'AlarmLagSeconds', Stats.MAXIMUM),
					caudalMetric(this.environment, 'AlarmOutboxSeconds', Stats.MAXIMUM),
				]),
				graph(
					'Plants’ alarms: schemas',
					['SchemasEvaluated', 'SchemasLate', 'SchemasFailing'].map((name) =>
						caudalMetric(this.environment, name, Stats.MAXIMUM),
					),
				),
			],
			[
				graph('Functions: duration, ms (p99)', durations),
				graph(
					'Functions: throttles',
					functions.map((watched) => watched.metricThrottles({ period })),
				),
			],
		];
	}
}
