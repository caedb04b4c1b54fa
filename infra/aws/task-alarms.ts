import { Duration } from 'aws-cdk-lib';
import { ComparisonOperator, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { AlarmCondition, NamedConditions } from './alarm-condition.ts';
import {
	caudalMetric,
	completedCopies,
	countOfMetric,
	failedBackups,
	failedDeliveries,
	percentage,
	sumOfMetric,
	undeliveredMessages,
} from './alarm-metrics.ts';
import { type Environment, isForeignTopic } from './environment.ts';

/** Returns the conditions for what runs by the clock: plants' alarms, reports, backups and the canary. */
export function taskConditions(environment: Environment): NamedConditions {
	return [
		...plantAlarmConditions(environment),
		...reportConditions(environment),
		...backupConditions(environment),
		...(environment.canary === undefined ? [] : [['CanaryFailed', canaryCondition(environment)] as const]),
	];
}

/**
 * Returns the conditions for the evaluation of the plants' alarms, which records its metrics every minute. Missing metrics set off an
 * alarm of their own. The number of bad schemas sets off another one, so that one bad schema does not hide further ones.
 */
function plantAlarmConditions(environment: Environment): NamedConditions {
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
			: ([
					['PlantAlarmsNotDelivered', { metric: undeliveredMessages(environment), threshold: 1 }],
					// SNS tries a message four times over HTTPS by default.
					['PlantAlarmAttemptsFail', { metric: failedDeliveries(environment, { minCount: 4 }), threshold: 1 }],
				] as const)),
	];
}

/**
 * Returns the conditions for the task that stores the days of reports, which records its metrics every 5 minutes. A schema counts as failing
 * after an hour, and as newly failing for a day, so that one that stays bad does not ring for ever, and does not hide others.
 */
function reportConditions(environment: Environment): NamedConditions {
	/** All runs of a period must see it: the first run after an outage sees schemas that only have waited. */
	const least = (metricName: string) =>
		caudalMetric(environment, metricName, Stats.MINIMUM).with({ period: Duration.minutes(15) });
	return [
		[
			'ReportsStopped',
			{
				metric: countOfMetric(environment, 'ReportSchemas').with({ period: Duration.hours(1) }),
				threshold: 1,
				comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
				treatMissingData: TreatMissingData.BREACHING,
			},
		],
		['ReportsFailing', { metric: least('ReportSchemasNewlyFailing'), threshold: 1 }],
		[
			'ReportsFailingWidely',
			{
				metric: percentage(least('ReportSchemasFailing'), least('ReportSchemas'), { minCount: 2 }).with({
					period: Duration.minutes(15),
				}),
				threshold: 10,
			},
		],
	];
}

/**
 * Returns the conditions for the daily backup, where there is one. A failure rings for a day, until the next backup. A copy may begin up to 8 h
 * late, and last for hours.
 */
function backupConditions(environment: Environment): NamedConditions {
	const { backup } = environment;
	if (backup === undefined) return [];
	const { copyTo } = backup;
	return [
		['BackupsFailed', { metric: failedBackups(environment, copyTo), threshold: 1, evaluationPeriods: 24, datapointsToAlarm: 1 }],
		[
			'BackupsStopped',
			{
				metric: completedCopies(copyTo),
				threshold: 1,
				evaluationPeriods: 36,
				comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
				treatMissingData: TreatMissingData.BREACHING,
			},
		],
	];
}

/** Returns the condition of the canary's alarm. Missing data counts as a failure, because then the canary did not run. */
function canaryCondition(environment: Environment): AlarmCondition {
	const treatMissingData = TreatMissingData.BREACHING;
	return {
		metric: sumOfMetric(environment, 'CanaryFailures'),
		threshold: 1,
		evaluationPeriods: 3,
		datapointsToAlarm: 2,
		treatMissingData,
	};
}
