import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { jsonOf, smsOf, subjectOf, textOf } from '#domain/alarm/notification-text.ts';
import type { Notification, Notifier } from '#domain/ports/notifier.ts';
import { type AwsSettings, type ClientLimits, clientSettings } from './aws-client.ts';
import { awsFault } from './aws-fault.ts';

const limits: ClientLimits = { connectTimeoutMs: 1000, requestTimeoutMs: 3000, maxAttempts: 3 };
/** For all attempts. */
const publishMs = 8000;

/** Where messages are published. */
export interface SnsNotifierSettings extends AwsSettings {
	readonly topicArn: string;
}

/**
 * Creates a `Notifier` that publishes to a topic. Subscribers by e-mail get the text, those by SMS the short text, all others JSON.
 * The attributes schema, severity and kind are for the filter policies of subscriptions.
 */
export function createSnsNotifier({ topicArn, ...settings }: SnsNotifierSettings): Notifier {
	const sns = new SNSClient(clientSettings(settings, limits));
	return {
		notify: async (notification) => {
			const deadline = AbortSignal.timeout(publishMs);
			try {
				await sns.send(new PublishCommand({ TopicArn: topicArn, ...messageOf(notification) }), { abortSignal: deadline });
			} catch (error) {
				throw awsFault('notifier', 'SNS Publish', error, deadline);
			}
		},
	};
}

function messageOf(notification: Notification) {
	const { schema, severity, kind } = notification;
	const json = JSON.stringify(jsonOf(notification));
	return {
		Subject: subjectOf(notification),
		MessageStructure: 'json',
		Message: JSON.stringify({ default: json, email: textOf(notification), sms: smsOf(notification) }),
		MessageAttributes: { schema: text(schema), severity: text(severity), kind: text(kind) },
	};
}

const text = (value: string) => ({ DataType: 'String', StringValue: value });
