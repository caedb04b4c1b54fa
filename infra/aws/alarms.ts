import { Duration } from 'aws-cdk-lib';
import {
	Alarm,
	AlarmRule,
	AlarmState,
	ComparisonOperator,
	CompositeAlarm,
	type IAlarm,
	TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { AlarmCondition, AlarmName, NamedConditions } from './alarm-condition.ts';
import { isTrafficExpected, period, sumOfMetric } from './alarm-metrics.ts';
import { alarmTexts } from './alarm-texts.ts';
import type { Environment } from './environment.ts';
import { type ServiceParts, serviceConditions } from './service-alarms.ts';
import { taskConditions } from './task-alarms.ts';

/** The resources that alarms watch, and the topic that they notify. */
export interface AlarmsProps extends ServiceParts {
	readonly topic: ITopic;
}

/** The alarms that end a rollout. Others ring for dependencies, which an earlier release does not mend. */
const releaseAlarms: readonly string[] = ['ServerErrors', 'Latency', 'TokenSigningFailed'] satisfies AlarmName[];

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
	/** Those that tell of a bad release, also while few requests reach it. */
	readonly ofReleases: readonly IAlarm[];
	private readonly environment: Environment;
	private readonly action: SnsAction;

	constructor(scope: Construct, id: string, { topic, ...parts }: AlarmsProps) {
		super(scope, id);
		this.environment = parts.environment;
		this.action = new SnsAction(topic);
		const create = ([name, condition]: NamedConditions[number]): Alarm => this.createAlarm(name, condition);
		this.all = [
			...serviceConditions(parts).map(create),
			this.createTrafficAlarm(),
			...taskConditions(parts.environment).map(create),
		];
		this.ofReleases = this.all.filter(({ node }) => releaseAlarms.includes(node.id));
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
	 * Creates an alarm that combines two: no requests for 15 minutes, although some are expected. They are where the setting says so, or
	 * without it where some came in the last 6 hours. A service that has no clients at all then does not set it off.
	 */
	private createTrafficAlarm(): CompositeAlarm {
		const { trafficHours } = this.environment;
		const silentFor = (id: string, silence: Duration): Alarm =>
			this.watch(id, {
				alarmDescription: `No client has sent a request for ${silence.toHumanString()}. Part of the alarm NoTraffic.`,
				metric: sumOfMetric(this.environment, 'ClientRequests').with({ period: silence }),
				threshold: 1,
				treatMissingData: TreatMissingData.BREACHING,
				comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
			});
		const silent = silentFor('Silent', maxSilence);
		const isExpected =
			trafficHours === undefined
				? AlarmRule.not(AlarmRule.fromAlarm(silentFor('Unused', recentTraffic), AlarmState.ALARM))
				: AlarmRule.fromAlarm(
						this.watch('TrafficExpected', {
							alarmDescription: 'For 15 minutes, it has been an hour of trafficHours. Part of the alarm NoTraffic.',
							metric: isTrafficExpected(this.environment, trafficHours),
							threshold: 1,
							// As long as `maxSilence`, so that clients have that time after the first hour has begun.
							evaluationPeriods: maxSilence.toMinutes() / period.toMinutes(),
							treatMissingData: TreatMissingData.BREACHING,
						}),
						AlarmState.ALARM,
					);
		const alarm = new CompositeAlarm(this, 'NoTraffic', {
			alarmDescription: descriptionOf('NoTraffic'),
			alarmRule: AlarmRule.allOf(AlarmRule.fromAlarm(silent, AlarmState.ALARM), isExpected),
		});
		alarm.addAlarmAction(this.action);
		alarm.addOkAction(this.action);
		return alarm;
	}
}

function descriptionOf(name: AlarmName): string {
	const { meaning, section } = alarmTexts[name];
	return `${meaning} What to do: infra/aws/RUNBOOK.md#${section}`;
}
