import { Duration } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import {
	Alarm,
	AlarmRule,
	AlarmState,
	ComparisonOperator,
	CompositeAlarm,
	type IAlarm,
	type IMetric,
	Stats,
	TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { Endpoint } from '#shared/endpoint.ts';
import { canaryUserAgent } from '#shared/tasks.ts';
import {
	caudalMetric,
	countOfMetric,
	failedDeliveries,
	percentage,
	shareOfStaleReadings,
	slowest,
	sumOf,
	sumOfMetric,
	throttlesOf,
} from './alarm-metrics.ts';
import { alarmTexts } from './alarm-texts.ts';
import type { Environment } from './environment.ts';
import type { EndpointHttpApi } from './http-api.ts';
import { isForeignTopic } from './plant-alarms.ts';

/** The resources that alarms watch, and the topic that they notify. */
export interface AlarmsProps {
	readonly environment: Environment;
	readonly service: EndpointHttpApi;
	readonly issuerApi: HttpApi;
	readonly topic: ITopic;
}

/**
 * When a metric sets off an alarm: at `threshold` or above, in `datapointsToAlarm` of `evaluationPeriods` periods. `threshold` has the unit of
 * the metric: percent, milliseconds, seconds or a number of times.
 */
interface AlarmCondition {
	readonly metric: IMetric;
	readonly threshold: number;
	/** 1 by default. */
	readonly evaluationPeriods?: number;
	/** All of them by default. */
	readonly datapointsToAlarm?: number;
	/** At the threshold or above by default. */
	readonly comparisonOperator?: ComparisonOperator;
	/** By default, periods without data are good: without requests there are no failures. */
	readonly treatMissingData?: TreatMissingData;
}

type AlarmName = keyof typeof alarmTexts;

type NamedConditions = readonly (readonly [name: AlarmName, condition: AlarmCondition])[];

/** A service that gets no requests counts as one that has clients for this long after the last request. */
const recentTraffic = Duration.hours(6);

/** Silence of this length is an alarm. */
const maxSilence = Duration.minutes(15);

/**
 * The alarms of an environment (infra/aws/README.md#logs-metrics-and-alarms). Rates have a least count: one failure in a quiet night is no
 * alarm.
 */
export class Alarms extends Construct {
	/** The alarms that notify the topic. */
	readonly all: readonly IAlarm[];
	private readonly environment: Environment;
	private readonly action: SnsAction;

	constructor(scope: Construct, id: string, { environment, service, issuerApi, topic }: AlarmsProps) {
		super(scope, id);
		this.environment = environment;
		this.action = new SnsAction(topic);
		this.filterAccessLog(service);
		const { httpApi } = service;
		const conditions: NamedConditions = [
			['ServerErrors', { metric: percentage(sumOf(httpApi, '5xx'), sumOf(httpApi, 'Count'), { minCount: 5 }), threshold: 2 }],
			['Latency', { metric: slowest(httpApi, { minCount: 20 }), threshold: 5000, evaluationPeriods: 3 }],
			[
				'RefusalStorm',
				{ metric: percentage(sumOfMetric(environment, 'Refusals'), sumOf(httpApi, 'Count'), { minCount: 50 }), threshold: 20 },
			],
			[
				'GatewayThrottles',
				{
					metric: percentage(sumOfMetric(environment, 'TooManyRequests'), sumOf(httpApi, 'Count'), { minCount: 20 }),
					threshold: 1,
				},
			],
			[
				'TsdbFaults',
				{
					metric: percentage(sumOfMetric(environment, 'TsdbFaults'), countOfMetric(environment, 'TsdbLatency'), { minCount: 3 }),
					threshold: 5,
				},
			],
			...this.providerConditions(),
			// One failure is enough: it was tried three times, and in a quiet night only one user signs in. A success counts as 0, so the sum has
			// the failures and the count has all. 20 % is one of five.
			[
				'TokenSigningFailed',
				{
					metric: percentage(sumOfMetric(environment, 'SigningFailures'), countOfMetric(environment, 'SigningFailures'), {
						minCount: 1,
					}),
					threshold: 20,
				},
			],
			['StaleReadings', { metric: shareOfStaleReadings(environment, { minCount: 100 }), threshold: 50, evaluationPeriods: 3 }],
			[
				'IssuerErrors',
				{ metric: percentage(sumOf(issuerApi, '5xx'), sumOf(issuerApi, 'Count'), { minCount: 2 }), threshold: 10 },
			],
			[
				'IssuerRefusals',
				{ metric: percentage(sumOf(issuerApi, '4xx'), sumOf(issuerApi, 'Count'), { minCount: 10 }), threshold: 50 },
			],
			['IssuerLatency', { metric: slowest(issuerApi, { minCount: 1 }), threshold: 1200 }],
			['SignInThrottles', { metric: throttlesOf(environment, isForSignIn), threshold: 1 }],
			['ReadingThrottles', { metric: throttlesOf(environment, isReading), threshold: 5 }],
			['ReportThrottles', { metric: throttlesOf(environment, isOfReports), threshold: 5 }],
			['TableThrottles', { metric: throttlesOf(environment, isTable), threshold: 5 }],
			['PublicThrottles', { metric: throttlesOf(environment, isPublic), threshold: 5 }],
			['AccessThrottles', { metric: throttlesOf(environment, isOfAccess), threshold: 5 }],
			['ListThrottles', { metric: throttlesOf(environment, (row) => isOther(row) && isListing(row)), threshold: 5 }],
			['ChangeThrottles', { metric: throttlesOf(environment, (row) => isOther(row) && !isListing(row)), threshold: 5 }],
		];
		this.all = [
			...conditions.map(([name, condition]) => this.createAlarm(name, condition)),
			this.createTrafficAlarm(),
			...[...this.plantAlarmConditions(), ...this.reportConditions()].map(([name, condition]) =>
				this.createAlarm(name, condition),
			),
			...(environment.canary === undefined ? [] : [this.createAlarm('CanaryFailed', this.canaryCondition())]),
		];
	}

	/** Creates an alarm that notifies the topic when it begins and when it ends. */
	private createAlarm(name: AlarmName, condition: AlarmCondition): Alarm {
		const alarm = this.watch(name, { alarmDescription: descriptionOf(name), ...condition });
		alarm.addAlarmAction(this.action);
		alarm.addOkAction(this.action);
		return alarm;
	}

	/** Creates an alarm that notifies nobody. Fields that the condition lacks have the defaults of `AlarmCondition`. */
	private watch(
		id: string,
		{ evaluationPeriods = 1, ...condition }: AlarmCondition & { readonly alarmDescription: string },
	): Alarm {
		return new Alarm(this, id, {
			treatMissingData: TreatMissingData.NOT_BREACHING,
			comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
			evaluationPeriods,
			...condition,
		});
	}

	/**
	 * Creates an alarm that combines two: no requests for 15 minutes, but some in the last 6 hours. A service that has no clients at all does
	 * not set it off.
	 */
	private createTrafficAlarm(): CompositeAlarm {
		const silentFor = (id: string, silence: Duration): Alarm =>
			this.watch(id, {
				alarmDescription: `No client has sent a request for ${silence.toHumanString()}. Part of the alarm NoTraffic.`,
				metric: sumOfMetric(this.environment, 'ClientRequests').with({ period: silence }),
				threshold: 1,
				treatMissingData: TreatMissingData.BREACHING,
				comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
			});
		const silent = silentFor('Silent', maxSilence);
		const unused = silentFor('Unused', recentTraffic);
		const alarm = new CompositeAlarm(this, 'NoTraffic', {
			alarmDescription: descriptionOf('NoTraffic'),
			alarmRule: AlarmRule.allOf(
				AlarmRule.fromAlarm(silent, AlarmState.ALARM),
				AlarmRule.not(AlarmRule.fromAlarm(unused, AlarmState.ALARM)),
			),
		});
		alarm.addAlarmAction(this.action);
		alarm.addOkAction(this.action);
		return alarm;
	}

	/** Returns the conditions for the providers of people that the settings have. */
	private providerConditions(): NamedConditions {
		const { environment } = this;
		const { authUrl, openIdProviders } = environment;
		const failures = (faults: string, latency: string): AlarmCondition => ({
			metric: percentage(sumOfMetric(environment, faults), countOfMetric(environment, latency), { minCount: 3 }),
			threshold: 20,
		});
		return [
			...(authUrl === undefined
				? []
				: [['IdentityProviderFaults', failures('IdentityProviderFaults', 'IdentityProviderLatency')] as const]),
			...(openIdProviders.length === 0
				? []
				: [['OpenIdProviderFaults', failures('OpenIdProviderFaults', 'OpenIdProviderLatency')] as const]),
		];
	}

	/** Returns the condition of the canary's alarm. Missing data counts as a failure, because then the canary did not run. */
	private canaryCondition(): AlarmCondition {
		const treatMissingData = TreatMissingData.BREACHING;
		return {
			metric: sumOfMetric(this.environment, 'CanaryFailures'),
			threshold: 1,
			evaluationPeriods: 3,
			datapointsToAlarm: 2,
			treatMissingData,
		};
	}

	/**
	 * Returns the conditions for the evaluation of the plants' alarms, which records its metrics every minute. Missing metrics set off an
	 * alarm of their own. The number of bad schemas sets off another one, so that one bad schema does not hide further ones.
	 */
	private plantAlarmConditions(): NamedConditions {
		const { environment } = this;
		const minutely = (metricName: string, statistic: string) =>
			caudalMetric(environment, metricName, statistic).with({ period: Duration.minutes(1) });
		const largest = (metricName: string) => minutely(metricName, Stats.MAXIMUM);
		const threeMinutes = { evaluationPeriods: 3 };
		// The metric is recorded once a minute, so a sum of ten in five minutes means two schemas.
		const shareOfSchemas = (metricName: string) =>
			percentage(sumOfMetric(environment, metricName), sumOfMetric(environment, 'SchemasEvaluated'), { minCount: 10 });
		return [
			[
				'PlantAlarmsStopped',
				{
					...threeMinutes,
					metric: minutely('SchemasEvaluated', Stats.SAMPLE_COUNT),
					threshold: 1,
					comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
					treatMissingData: TreatMissingData.BREACHING,
				},
			],
			['PlantAlarmsLate', { metric: largest('SchemasLate'), threshold: 1, ...threeMinutes }],
			['PlantAlarmsLateWidely', { metric: shareOfSchemas('SchemasLate'), threshold: 10 }],
			['PlantAlarmsFailing', { metric: largest('SchemasFailing'), threshold: 1, ...threeMinutes }],
			['PlantAlarmsFailingWidely', { metric: shareOfSchemas('SchemasFailing'), threshold: 10 }],
			['PlantAlarmsNotSent', { metric: largest('AlarmOutboxSeconds'), threshold: 900, ...threeMinutes }],
			// AWS emits it only where something was not delivered, in the account of the topic.
			...(isForeignTopic(environment)
				? []
				: [['PlantAlarmsNotDelivered', { metric: failedDeliveries(environment), threshold: 1 }] as const]),
		];
	}

	/** Returns the conditions for the task that stores the days of reports, which records its metrics on each run, every 15 minutes. */
	private reportConditions(): NamedConditions {
		const hourly = (metricName: string, statistic: string) =>
			caudalMetric(this.environment, metricName, statistic).with({ period: Duration.hours(1) });
		return [
			[
				'ReportsStopped',
				{
					metric: hourly('ReportSchemas', Stats.SAMPLE_COUNT),
					threshold: 1,
					comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
					treatMissingData: TreatMissingData.BREACHING,
				},
			],
			// Every run of an hour must fail: a single failed run is made up for by the next.
			['ReportsFailing', { metric: hourly('ReportSchemasFailing', Stats.MINIMUM), threshold: 1 }],
		];
	}

	/** Creates metrics that count lines of the access log. The gateway refuses tokens by itself, so no function sees those requests. */
	private filterAccessLog({ accessLog: logGroup }: EndpointHttpApi): void {
		for (const [metricName, pattern] of [
			['Refusals', '{ ($.status = "401") || ($.status = "403") }'],
			// Only a 429 of the gateway itself counts. A 429 of a function has an integration latency.
			['TooManyRequests', '{ ($.status = "429") && ($.integrationLatencyMs = "-") }'],
			['ClientRequests', `{ $.userAgent != "${canaryUserAgent}" }`],
		] as const)
			new MetricFilter(this, metricName, {
				logGroup,
				filterPattern: FilterPattern.literal(pattern),
				metricNamespace: 'Caudal',
				metricName,
				metricValue: '1',
				dimensions: { environment: '$.environment' },
			});
	}
}

function descriptionOf(name: AlarmName): string {
	const { meaning, section } = alarmTexts[name];
	return `${meaning} What to do: infra/aws/RUNBOOK.md#${section}`;
}

// Each group of functions has an alarm of its own for throttles. Together the groups cover every endpoint.

const isForSignIn = ({ api, uses }: Endpoint): boolean =>
	api === 'issuer' || uses.signingKey !== undefined || uses.openIdProviders?.[0] === 'ask';

/** Whether programs read it by its address, with their credentials. */
const isTable = ({ auth }: Endpoint): boolean => auth === 'basic';

const isOfReports = (row: Endpoint): boolean => row.name.includes('Report') && !isTable(row);

const isOfTopics = ({ name }: Endpoint): boolean => name.endsWith('Topics');

const isReading = (row: Endpoint): boolean =>
	row.uses.timeSeries !== undefined && ![isOfReports, isOfTopics, isTable].some((isOfKind) => isOfKind(row));

const isListing = (row: Endpoint): boolean => row.method === 'GET' || isOfTopics(row);

const isPublic = (row: Endpoint): boolean => row.auth === 'none' && !isForSignIn(row);

const isOfAccess = ({ role }: Endpoint): boolean => role === 'administrator';

const isOther = (row: Endpoint): boolean =>
	![isForSignIn, isReading, isOfReports, isTable, isPublic, isOfAccess].some((isOfKind) => isOfKind(row));
