import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSnsNotifier } from '#adapters/aws/sns-notifier.ts';
import { testNotification } from '#domain/alarm/test-notification.ts';
import { awsSettings, describeAws } from '#test/support/servers/aws.ts';
import { freePort } from '#test/support/servers/managed-server.ts';
import { callSns, subscribeQueue } from '#test/support/servers/topic-queue.ts';

describeAws('the notifier on SNS', () => {
	const name = `notifier-${Date.now()}`;
	const notification = testNotification('plant_a', 'warning', Date.UTC(2026, 0, 5));
	let topicArn = '';
	let receive: Awaited<ReturnType<typeof subscribeQueue>>;
	beforeAll(async () => {
		topicArn = /<TopicArn>(.*?)</.exec(await callSns({ Action: 'CreateTopic', Name: name }))?.[1] ?? '';
		receive = await subscribeQueue(topicArn, name);
	});
	afterAll(() => callSns({ Action: 'DeleteTopic', TopicArn: topicArn }));

	test('publishes JSON for programs, with attributes for filter policies', async () => {
		await createSnsNotifier({ ...awsSettings(), topicArn }).notify(notification);
		const [message] = await receive();
		expect(JSON.parse(message?.Message ?? '')).toMatchObject({
			...{ schema: 'plant_a', kind: 'raised', severity: 'warning', more: 0 },
			alarms: [{ name: 'Test message', since: '2026-01-05T00:00:00.000Z' }],
		});
		expect(message?.Subject).toBe('WARNING alarm in plant_a: Test message');
		expect(message?.MessageAttributes).toEqual({
			schema: { Type: 'String', Value: 'plant_a' },
			severity: { Type: 'String', Value: 'warning' },
			kind: { Type: 'String', Value: 'raised' },
		});
	});

	test('fails where there is no such topic, and where nothing answers', async () => {
		const missing = createSnsNotifier({ ...awsSettings(), topicArn: `${topicArn}-2` });
		await expect(missing.notify(notification)).rejects.toMatchObject({
			code: 'dependency_failed',
			payload: { dependency: 'notifier', cause: expect.stringContaining('SNS Publish') },
		});
		const unreachable = createSnsNotifier({ ...awsSettings(`http://127.0.0.1:${await freePort()}`), topicArn });
		await expect(unreachable.notify(notification)).rejects.toMatchObject({ payload: { dependency: 'notifier' } });
	});
});
