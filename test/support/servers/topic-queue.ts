import * as v from 'valibot';
import { callAws } from './aws-query.ts';

const envelopeSchema = v.pipe(
	v.string(),
	v.parseJson(),
	v.object({
		Message: v.string(),
		Subject: v.optional(v.string()),
		MessageAttributes: v.record(v.string(), v.object({ Type: v.string(), Value: v.string() })),
	}),
);

/** A message as a queue gets it from a topic. */
export type QueuedMessage = v.InferOutput<typeof envelopeSchema>;

/** Calls an operation of SNS on the emulator. Resolves to the XML of its answer. */
export const callSns = (parameters: Readonly<Record<string, string>>): Promise<string> => ask('sns', '2010-03-31', parameters);

/** Subscribes a new queue to a topic of the emulator. Returns a function that takes the messages that arrived, at least one within 5 s. */
export async function subscribeQueue(topicArn: string, name: string): Promise<() => Promise<readonly QueuedMessage[]>> {
	const queueArn = topicArn.replace(':sns:', ':sqs:').replace(/[^:]+$/, name);
	const statement = {
		Effect: 'Allow',
		Principal: { Service: 'sns.amazonaws.com' },
		Action: 'sqs:SendMessage',
		Resource: queueArn,
	};
	const policy = JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
	const created = await callSqs({
		Action: 'CreateQueue',
		QueueName: name,
		'Attribute.1.Name': 'Policy',
		'Attribute.1.Value': policy,
	});
	const [, QueueUrl = ''] = /<QueueUrl>(.*?)</.exec(created) ?? [];
	await callSns({ Action: 'Subscribe', TopicArn: topicArn, Protocol: 'sqs', Endpoint: queueArn });
	return async () => {
		const answer = await callSqs({ Action: 'ReceiveMessage', QueueUrl, MaxNumberOfMessages: '10', WaitTimeSeconds: '5' });
		return [...answer.matchAll(/<Body>(.*?)<\/Body>/gs)].map(([, body = '']) => v.parse(envelopeSchema, unescapeXml(body)));
	};
}

const callSqs = (parameters: Readonly<Record<string, string>>): Promise<string> => ask('sqs', '2012-11-05', parameters);

const ask = (service: string, Version: string, parameters: Readonly<Record<string, string>>): Promise<string> =>
	callAws(service, 'POST', '/', new URLSearchParams({ Version, ...parameters }));

const unescapeXml = (text: string): string =>
	text
		.replaceAll('&quot;', '"')
		.replaceAll('&#34;', '"')
		.replaceAll('&apos;', "'")
		.replaceAll('&lt;', '<')
		.replaceAll('&gt;', '>')
		.replaceAll('&amp;', '&');
