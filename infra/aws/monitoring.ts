import { Duration, Stack } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import {
	Alarm,
	AlarmStatusWidget,
	ComparisonOperator,
	Dashboard,
	GraphWidget,
	type IMetric,
	Metric,
	Stats,
	TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { Environment } from './environment.ts';

/** The resources that alarms and the dashboard watch. */
export interface MonitoringProps {
	readonly environment: Environment;
	readonly serviceApi: HttpApi;
	readonly issuerApi: HttpApi;
	readonly functions: readonly IFunction[];
}

/** What each alarm means, by its name. */
const alarmDescriptions = {
	ServerErrors: 'Requests are answered 5xx. The logs of the functions have the reason, by request id.',
	IssuerErrors: 'The issuer’s documents are answered 5xx. Within two hours every token will be refused.',
	Latency: 'One request in a hundred takes over 5 s. Look at the latencies of InfluxDB and of the identity provider.',
	Throttles: 'Lambda refused to run functions of this account. Raise its concurrency, or what is reserved for a function.',
	TsdbFaults: 'InfluxDB fails or is too slow. Readings are answered 502 or 504.',
	TokenSigningFailed: 'Tokens cannot be signed, so nobody can sign in. npm run key -- list shows the keys.',
} as const;

const period = Duration.minutes(5);
const percentiles = [50, 99] as const;

/** The alarms, the topic that mails them, and a dashboard (DESIGN.md section 9.4). */
export class Monitoring extends Construct {
	private readonly environment: Environment;

	constructor(scope: Construct, id: string, { environment, serviceApi, issuerApi, functions }: MonitoringProps) {
		super(scope, id);
		this.environment = environment;
		const action = new SnsAction(this.createAlarmTopic());
		const alarm = (name: keyof typeof alarmDescriptions, metric: IMetric, threshold: number, evaluationPeriods = 1): Alarm => {
			const created = new Alarm(this, name, {
				alarmDescription: `${alarmDescriptions[name]} See infra/aws/RUNBOOK.md.`,
				comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
				treatMissingData: TreatMissingData.NOT_BREACHING,
				metric,
				threshold,
				evaluationPeriods,
			});
			created.addAlarmAction(action);
			created.addOkAction(action);
			return created;
		};
		const alarms = [
			alarm('ServerErrors', serviceApi.metricServerError({ period }), 5),
			alarm('IssuerErrors', issuerApi.metricServerError({ period }), 1),
			alarm('Latency', serviceApi.metricLatency({ period, statistic: Stats.percentile(99) }), 5000, 3),
			alarm('Throttles', LambdaFunction.metricAll('Throttles', { period, statistic: Stats.SUM }), 1),
			alarm('TsdbFaults', this.metric('TsdbFaults', Stats.SUM), 3),
			alarm('TokenSigningFailed', this.metric('SigningFailures', Stats.SUM), 1),
		];
		new Dashboard(this, 'Dashboard', {
			dashboardName: `caudal-${environment.name}`,
			widgets: [
				[new AlarmStatusWidget({ title: 'Alarms', alarms, width: 24, height: 3 })],
				...this.createGraphs(serviceApi, functions),
			],
		});
	}

	private createAlarmTopic(): Topic {
		const { name, alarmEmails } = this.environment;
		const topic = new Topic(this, 'Alarms', { displayName: `Caudal ${name}`, enforceSSL: true });
		// enforceSSL gives the topic a policy. It replaces the default policy, which would let alarms of the account publish.
		const conditions = { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } };
		topic.grantPublish(new ServicePrincipal('cloudwatch.amazonaws.com', { conditions }));
		for (const email of alarmEmails) topic.addSubscription(new EmailSubscription(email));
		return topic;
	}

	/** A metric that the functions write to their logs (shared/wiring/telemetry.ts). */
	private metric(metricName: string, statistic: string, props: { readonly label?: string } = {}): Metric {
		const dimensionsMap = { environment: this.environment.name };
		return new Metric({ namespace: 'Caudal', metricName, dimensionsMap, statistic, period, ...props });
	}

	/** The graphs of the dashboard, in rows. */
	private createGraphs(api: HttpApi, functions: readonly IFunction[]): GraphWidget[][] {
		const graph = (title: string, left: IMetric[], right: IMetric[] = []) => new GraphWidget({ title, left, right, width: 12 });
		const sums = (...names: string[]) => names.map((name) => this.metric(name, Stats.SUM));
		const latencies = (name: string, label: string) =>
			percentiles.map((each) => this.metric(name, Stats.percentile(each), { label: `${label} p${each}` }));
		const apiLatencies = percentiles.map((each) =>
			api.metricLatency({ period, statistic: Stats.percentile(each), label: `p${each}` }),
		);
		const durations = functions.map((each) => each.metricDuration({ period, statistic: Stats.percentile(99) }));
		return [
			[
				graph('Requests by outcome', sums('Requests', 'Refused', 'Faults'), sums('ColdStart')),
				graph(
					'Readings by quality',
					sums('ReadingsGood', 'ReadingsStale', 'ReadingsNoData', 'ReadingsMissingReference', 'ReadingsBad'),
				),
			],
			[
				graph('Latency, ms', [...apiLatencies, ...latencies('Latency', 'functions')]),
				graph('Dependencies, ms', [
					...latencies('TsdbLatency', 'InfluxDB'),
					...latencies('IdentityProviderLatency', 'identity provider'),
				]),
			],
			[
				graph(
					'Faults and conflicts',
					sums('TsdbFaults', 'IdentityProviderFaults', 'SigningFailures', 'StoreConflicts', 'TenantRefusals'),
				),
				graph(
					'Errors of the API',
					[api.metricServerError({ period, label: '5xx' })],
					[api.metricClientError({ period, label: '4xx' })],
				),
			],
			[
				graph('Functions: duration, ms (p99)', durations),
				graph(
					'Functions: throttles',
					functions.map((each) => each.metricThrottles({ period })),
				),
			],
		];
	}
}
