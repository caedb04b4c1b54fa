import type { ComparisonOperator, IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { alarmTexts } from './alarm-texts.ts';

/**
 * When a metric sets off an alarm: at `threshold` or above, in `datapointsToAlarm` of `evaluationPeriods` periods. `threshold` has the unit of
 * the metric: percent, milliseconds, seconds or a number of times.
 */
export interface AlarmCondition {
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

export type AlarmName = keyof typeof alarmTexts;

/** Alarms by name. */
export type NamedConditions = readonly (readonly [name: AlarmName, condition: AlarmCondition])[];
