import { Aws, CfnOutput, NestedStack, Stack } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { AlarmStatusWidget, Dashboard, GraphWidget, type IAlarm, type IMetric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { filterAccessLog } from './access-log-metrics.ts';
import { caudalMetric, lambdaMetric, period } from './alarm-metrics.ts';
import { Alarms } from './alarms.ts';
import { deployedEndpoints } from './deployed-endpoints.ts';
import type { Environment } from './environment.ts';
import type { EndpointHttpApi } from './http-api.ts';

/** The resources that alarms and the dashboard watch. */
export interface MonitoringProps {
	readonly environment: Environment;
	readonly service: EndpointHttpApi;
	readonly issuerApi: HttpApi;
}

/** The percentiles of latencies on the dashboard: the median, and the slowest request of a hundred. */
const percentiles = [50, 99] as const;

/** The alarms, the topic that they notify, and a dashboard (infra/aws/README.md#logs-metrics-and-alarms). */
export class Monitoring extends Construct {
	/** The alarms that tell of a bad release. */
	readonly ofReleases: readonly IAlarm[];
	private readonly environment: Environment;

	constructor(scope: Construct, id: string, { environment, service, issuerApi }: MonitoringProps) {
		super(scope, id);
		this.environment = environment;
		const { operatorTopicArn } = environment;
		const topic = operatorTopicArn === undefined ? this.createAlarmTopic() : Topic.fromTopicArn(this, 'Alarms', operatorTopicArn);
		new CfnOutput(Stack.of(this), 'OperatorTopic', {
			value: topic.topicArn,
			description: 'The topic of the service’s own alarms',
		});
		// Not in the nested stack: a filter that moved would count twice for as long as both exist.
		filterAccessLog(new Construct(this, 'Alarm'), service);
		const stack = new NestedStack(this, 'Watch', { description: `Caudal ${environment.name}: alarms and dashboard` });
		const { all: alarms, ofReleases } = new Alarms(stack, 'Alarm', { environment, httpApi: service.httpApi, issuerApi, topic });
		this.ofReleases = ofReleases;
		new Dashboard(stack, 'Dashboard', {
			// An account has one namespace of dashboards for all regions, and a lost region leaves its dashboard behind.
			dashboardName: `caudal-${environment.name}-${Aws.REGION}`,
			widgets: [
				[new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24, height: 4 })],
				...this.createGraphs(service.httpApi),
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
	private createGraphs(api: HttpApi): GraphWidget[][] {
		// Two graphs fill a row of 24 columns. `left` and `right` are the metrics of each axis.
		const graph = (title: string, left: IMetric[], right: IMetric[] = []) => new GraphWidget({ title, left, right, width: 12 });
		const sums = (...names: string[]) => names.map((name) => caudalMetric(this.environment, name, Stats.SUM));
		const latencies = (name: string, label: string) =>
			percentiles.map((percent) => caudalMetric(this.environment, name, Stats.percentile(percent), `${label} p${percent}`));
		const hasOpenId = this.environment.openIdProviders.length > 0;
		const apiLatencies = percentiles.map((percent) =>
			api.metricLatency({ period, statistic: Stats.percentile(percent), label: `p${percent}` }),
		);
		const watched = deployedEndpoints(this.environment).filter((endpoint) => endpoint.api === 'service');
		const ofEach = (metricName: string, statistic: string) =>
			watched.map(({ name }) => lambdaMetric(this.environment, name, metricName, statistic));
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
						'SchemaFailsWholly',
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
				graph('Functions: duration, ms (p99)', ofEach('Duration', Stats.percentile(99))),
				graph('Functions: throttles', ofEach('Throttles', Stats.SUM)),
			],
		];
	}
}
