import { CfnOutput, Duration, type Stack, Validations } from 'aws-cdk-lib';
import { Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { resourceNames } from '#shared/resource-names.ts';
import { type Environment, isForeignTopic } from './environment.ts';
import { removalPolicyFor } from './removal-policy.ts';

/** Returns the ARN of the topic of messages about the plants' alarms: that of the settings, or of the topic that `createPlantAlarmTopic` creates. */
export function plantAlarmTopicArn(stack: Stack, { name, alarmTopicArn }: Environment): string {
	return alarmTopicArn ?? stack.formatArn({ service: 'sns', resource: resourceNames(name).plantAlarms });
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
	// A subscription and its queue have to be of one account.
	if (!isForeignTopic(environment)) createUndeliveredQueue(stack, environment, value);
}

/** Creates the queue of messages that SNS gave up to deliver: those to subscriptions whose redrive policy names it. */
function createUndeliveredQueue(stack: Stack, environment: Environment, topicArn: string): void {
	const queue = new Queue(stack, 'UndeliveredPlantAlarms', {
		queueName: resourceNames(environment.name).undeliveredPlantAlarms,
		// With a key of KMS, SNS would need rights for that key.
		encryption: QueueEncryption.SQS_MANAGED,
		enforceSSL: true,
		// The longest that there is.
		retentionPeriod: Duration.days(14),
		removalPolicy: removalPolicyFor(environment),
	});
	Validations.of(queue).acknowledge({
		id: 'AwsSolutions-SQS3',
		reason: 'It is a dead-letter queue: operators make its subscriptions.',
	});
	queue.addToResourcePolicy(
		new PolicyStatement({
			effect: Effect.ALLOW,
			principals: [new ServicePrincipal('sns.amazonaws.com')],
			actions: ['sqs:SendMessage'],
			resources: [queue.queueArn],
			conditions: { ArnEquals: { 'aws:SourceArn': topicArn } },
		}),
	);
	const description = 'The queue of such messages that were not delivered, for the redrive policy of each subscription';
	new CfnOutput(stack, 'UndeliveredPlantAlarmQueue', { value: queue.queueArn, description });
}
