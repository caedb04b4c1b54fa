import { CfnOutput, type Stack } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { resourceNames } from '#shared/resource-names.ts';
import type { Environment } from './environment.ts';
import { removalPolicyFor } from './removal-policy.ts';

/** Returns the ARN of the topic of messages about the plants' alarms: that of the settings, or of the topic that `createPlantAlarmTopic` creates. */
export function plantAlarmTopicArn(stack: Stack, { name, alarmTopicArn }: Environment): string {
	return alarmTopicArn ?? stack.formatArn({ service: 'sns', resource: resourceNames(name).plantAlarms });
}

/** Whether the topic is of another account. That account then has its metrics, and its policy says who may publish. */
export function isForeignTopic({ account, alarmTopicArn }: Environment): boolean {
	// arn:aws:sns:REGION:ACCOUNT:NAME
	return alarmTopicArn !== undefined && alarmTopicArn.split(':')[4] !== account;
}

/**
 * Creates the topic of messages about the plants' alarms, unless the settings name one. Whoever looks after a plant subscribes to it, with
 * a filter policy on schema, severity or kind. It has no subscriber of its own.
 */
export function createPlantAlarmTopic(stack: Stack, environment: Environment): void {
	if (environment.alarmTopicArn === undefined) {
		const displayName = `Caudal ${environment.name} plants`;
		const { plantAlarms: topicName } = resourceNames(environment.name);
		const topic = new Topic(stack, 'PlantAlarms', { topicName, displayName, enforceSSL: true });
		// Deleting it would delete every subscription, and each subscriber would have to confirm again.
		topic.applyRemovalPolicy(removalPolicyFor(environment));
	}
	const value = plantAlarmTopicArn(stack, environment);
	new CfnOutput(stack, 'PlantAlarmTopic', { value, description: 'The topic of messages about the alarms of plants' });
}
