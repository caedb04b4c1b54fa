import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { messageAbout } from '#domain/alarm/due-message.ts';
import { jsonOf, smsOf, subjectOf, textOf } from '#domain/alarm/notification-text.ts';
import { DomainError } from '#domain/errors.ts';
import type { Notification, Notifier, ReportNotification } from '#domain/ports/notifier.ts';
import { reportJson, reportSms, reportSubject, reportText } from '#domain/report/report-notification.ts';
import { isBrokenConnection } from '../broken-connection.ts';
import { redactError } from '../redact.ts';
import { type AwsSettings, type ClientLimits, clientSettings } from './aws-client.ts';
import { awsFault } from './aws-fault.ts';

const limits: ClientLimits = { connectTimeoutMs: 1000, requestTimeoutMs: 3000, maxAttempts: 3 };
/** Time limit for publishing a message, for all attempts. */
const publishMs = 8000;

/** Where messages are published. */
export interface SnsNotifierSettings extends AwsSettings {
	readonly topicArn: string;
}

/**
 * Creates a `Notifier` that publishes to a topic. Subscribers by e-mail get the text, those by SMS the short text, all others JSON.
 * The attributes schema, severity and kind are for the filter policies of subscriptions. The numbers of a day have the severity `info` and
 * the kind `report`. Acknowledgements are not published: each would be an e-mail and a paid SMS.
 */
export function createSnsNotifier({ topicArn, ...settings }: SnsNotifierSettings): Notifier {
	const sns = new SNSClient(clientSettings(settings, limits));
	const publish = async (message: Message): Promise<void> => {
		const { subject, json, email, sms, attributes } = message;
		const deadline = AbortSignal.timeout(publishMs);
		const command = new PublishCommand({
			TopicArn: topicArn,
			Subject: subject,
			MessageStructure: 'json',
			Message: JSON.stringify({ default: JSON.stringify(json), email, sms }),
			MessageAttributes: Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, attributeOf(value)])),
		});
		try {
			await sns.send(command, { abortSignal: deadline });
		} catch (error) {
			// SNS may have taken the message all the same.
			if (isBrokenConnection(error))
				throw new DomainError('outcome_unknown', { cause: `SNS Publish: ${redactError(error)}` }, { cause: error });
			throw awsFault('notifier', 'SNS Publish', error, deadline);
		}
	};
	return {
		notify: async (notification) => {
			const alarms = notification.alarms.filter(({ kind }) => kind !== 'acknowledged');
			const message = messageAbout({ ...notification, alarms });
			if (message !== null) await publish(messageOf(message));
		},
		notifyReport: (notification) => publish(reportMessageOf(notification)),
	};
}

/** A message to a topic, in the form for each kind of subscriber. */
interface Message {
	readonly subject: string;
	readonly json: object;
	readonly email: string;
	readonly sms: string;
	readonly attributes: Readonly<Record<string, string>>;
}

function messageOf(notification: Notification): Message {
	const { schema, severity, kind } = notification;
	return {
		subject: subjectOf(notification),
		json: jsonOf(notification),
		email: textOf(notification),
		sms: smsOf(notification),
		attributes: { schema, severity, kind },
	};
}

function reportMessageOf(notification: ReportNotification): Message {
	return {
		subject: reportSubject(notification),
		json: reportJson(notification),
		email: reportText(notification),
		sms: reportSms(notification),
		attributes: { schema: notification.schema, severity: 'info', kind: 'report' },
	};
}

/** Returns an attribute of a message in the form of SNS. */
const attributeOf = (value: string) => ({ DataType: 'String', StringValue: value });
