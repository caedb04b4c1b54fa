import { Duration, Stack } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import {
	Alarm,
	type AlarmProps,
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

/** What is watched. */
export interface MonitoringProps {
	readonly environment: Environment;
	readonly api: HttpApi;
	/** The issuer's. */
	readonly issuerApi: HttpApi;
	readonly functions: readonly IFunction[];
}

const period = Duration.minutes(5);

/** A metric that functions write into their logs (shared/wiring/telemetry.ts). */
const own = (environment: Environment, metricName: string, statistic: string, label?: string): Metric =>
	new Metric({
		namespace: 'Caudal',
		metricName,
		dimensionsMap: { environment: environment.name },
		statistic,
		period,
		...(label === undefined ? {} : { label }),
	});

/** Alarms that somebody hears of, and a dashboard to look at when one goes off. */
export class Monitoring extends Construct {
	constructor(scope: Construct, id: string, { environment, api, issuerApi, functions }: MonitoringProps) {
		super(scope, id);
		const topic = new Topic(this, 'Alarms', { displayName: `Caudal ${environment.name}`, enforceSSL: true });
		// A topic with a policy of its own has lost the default one, by which alarms of the account may publish.
		const { account } = Stack.of(this);
		const cloudWatch = new ServicePrincipal('cloudwatch.amazonaws.com', {
			conditions: { StringEquals: { 'aws:SourceAccount': account } },
		});
		topic.grantPublish(cloudWatch);
		for (const email of environment.alarmEmails) topic.addSubscription(new EmailSubscription(email));
		const alarm = (
			name: string,
			description: string,
			props: Pick<AlarmProps, 'metric' | 'threshold' | 'evaluationPeriods'>,
		): Alarm => {
			const made = new Alarm(this, name, {
				alarmDescription: description,
				comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
				treatMissingData: TreatMissingData.NOT_BREACHING,
				...props,
			});
			made.addAlarmAction(new SnsAction(topic));
			made.addOkAction(new SnsAction(topic));
			return made;
		};
		const alarms = [
			alarm(
				'ServerErrors',
				'Requests are answered 5xx. The functions’ logs say why, by request id (README, When something is wrong).',
				{
					metric: api.metricServerError({ period }),
					threshold: 5,
					evaluationPeriods: 1,
				},
			),
			alarm(
				'IssuerErrors',
				'The issuer’s documents are answered 5xx: within two hours every token will be refused. Its functions’ logs say why.',
				{
					metric: issuerApi.metricServerError({ period }),
					threshold: 1,
					evaluationPeriods: 1,
				},
			),
			alarm(
				'Latency',
				'One request in a hundred takes over 5 s: look at the latencies of InfluxDB and of the identity provider.',
				{
					metric: api.metricLatency({ period, statistic: Stats.percentile(99) }),
					threshold: 5000,
					evaluationPeriods: 3,
				},
			),
			alarm(
				'Throttles',
				'Functions of this account were refused a run: raise its concurrency, or what is reserved for a function.',
				{
					metric: LambdaFunction.metricAll('Throttles', { period, statistic: Stats.SUM }),
					threshold: 1,
					evaluationPeriods: 1,
				},
			),
			alarm('TsdbFaults', 'InfluxDB fails or is too slow: readings answer 502 or 504 (README, When something is wrong).', {
				metric: own(environment, 'TsdbFaults', Stats.SUM),
				threshold: 3,
				evaluationPeriods: 1,
			}),
			alarm('DeadKey', 'Tokens cannot be signed, so that nobody can sign in: npm run key -- list shows the state of the keys.', {
				metric: own(environment, 'SigningFailures', Stats.SUM),
				threshold: 1,
				evaluationPeriods: 1,
			}),
		];
		this.dashboard(environment, api, functions, alarms);
	}

	private dashboard(environment: Environment, api: HttpApi, functions: readonly IFunction[], alarms: readonly Alarm[]): void {
		const graph = (title: string, left: IMetric[], right: IMetric[] = []) => new GraphWidget({ title, left, right, width: 12 });
		const percentiles = (name: string, label: string) => [
			own(environment, name, Stats.percentile(50), `${label} p50`),
			own(environment, name, Stats.percentile(99), `${label} p99`),
		];
		const sums = (...names: string[]) => names.map((name) => own(environment, name, Stats.SUM));
		const busiest = (title: string, metricOf: (each: IFunction) => Metric) =>
			new GraphWidget({ title, left: functions.map(metricOf), width: 12 });
		new Dashboard(this, 'Dashboard', {
			dashboardName: `caudal-${environment.name}`,
			widgets: [
				[new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24, height: 3 })],
				[
					graph('Requests by outcome', sums('Requests', 'Refused', 'Faults'), sums('ColdStart')),
					graph(
						'Readings by quality',
						sums('ReadingsGood', 'ReadingsStale', 'ReadingsNoData', 'ReadingsMissingReference', 'ReadingsBad'),
					),
				],
				[
					graph('Latency, ms', [
						api.metricLatency({ period, statistic: Stats.percentile(50), label: 'p50' }),
						api.metricLatency({ period, statistic: Stats.percentile(99), label: 'p99' }),
						...percentiles('Latency', 'functions'),
					]),
					graph('Dependencies, ms', [
						...percentiles('TsdbLatency', 'InfluxDB'),
						...percentiles('IdentityProviderLatency', 'identity provider'),
					]),
				],
				[
					graph('Faults and conflicts', sums('TsdbFaults', 'IdentityProviderFaults', 'SigningFailures', 'StoreConflicts')),
					graph(
						'Errors of the API',
						[api.metricServerError({ period, label: '5xx' })],
						[api.metricClientError({ period, label: '4xx' })],
					),
				],
				[
					busiest('Functions: duration, ms (p99)', (each) => each.metricDuration({ period, statistic: Stats.percentile(99) })),
					busiest('Functions: throttles', (each) => each.metricThrottles({ period })),
				],
			],
		});
	}
}
