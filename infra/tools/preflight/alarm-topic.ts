import {
	AuthorizationErrorException,
	GetTopicAttributesCommand,
	NotFoundException,
	paginateListTopics,
	SNSClient,
} from '@aws-sdk/client-sns';
import { type ClientLimits, clientSettings } from '#adapters/aws/aws-client.ts';
import type { Environment } from '#infra/aws/environment.ts';
import { resourceNames } from '#shared/resource-names.ts';
import type { PreflightResult } from './checks.ts';

const limits: ClientLimits = { connectTimeoutMs: 3000, requestTimeoutMs: 10_000, maxAttempts: 3 };

/** Checks that somebody gets the messages about the plants' alarms: nothing else reports a topic without subscribers. */
export async function checkAlarmTopic({ name, alarmTopicArn }: Environment): Promise<PreflightResult> {
	const client = new SNSClient(clientSettings({}, limits));
	let subject = 'topic of plants’ alarms';
	try {
		const arn = alarmTopicArn ?? (await findTopic(client, resourceNames(name).plantAlarms));
		if (arn === null) return { subject: `${subject}: the deployment creates it`, missing: [] };
		subject = `${subject} ${arn}`;
		const { Attributes = {} } = await client.send(new GetTopicAttributesCommand({ TopicArn: arn }));
		const { SubscriptionsConfirmed: confirmed = '0', SubscriptionsPending: pending = '0' } = Attributes;
		return {
			subject: `${subject}: ${confirmed} confirmed, ${pending} unconfirmed subscriptions`,
			missing: [],
			notes:
				confirmed === '0' ? [`Nobody is told of the plants’ alarms: aws sns subscribe --topic-arn ${arn} …, then confirm.`] : [],
		};
	} catch (error) {
		if (error instanceof NotFoundException)
			return { subject, missing: ['It does not exist: correct alarmTopicArn, or create the topic.'] };
		if (error instanceof AuthorizationErrorException)
			return { subject, missing: [], notes: ['These credentials may not read its subscriptions.'] };
		throw error;
	} finally {
		client.destroy();
	}
}

async function findTopic(client: SNSClient, topicName: string): Promise<string | null> {
	for await (const { Topics = [] } of paginateListTopics({ client }, {})) {
		const found = Topics.find(({ TopicArn = '' }) => TopicArn.endsWith(`:${topicName}`));
		if (found?.TopicArn !== undefined) return found.TopicArn;
	}
	return null;
}
