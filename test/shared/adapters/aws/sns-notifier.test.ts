import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { createSnsNotifier } from '#adapters/aws/sns-notifier.ts';
import { testNotification } from '#domain/alarm/test-notification.ts';
import { listen } from '#infra/local/gateway/http.ts';

test('an acknowledgement is not published', async () => {
	const { alarms, ...rest } = testNotification('plant_a', 'warning', Date.UTC(2026, 0, 5));
	const acknowledged = alarms.map((alarm) => ({ ...alarm, kind: 'acknowledged' as const }));
	const notifier = createSnsNotifier({
		endpoint: 'http://127.0.0.1:9',
		region: 'eu-west-1',
		topicArn: 'arn:aws:sns:eu-west-1:0:plants',
	});
	await expect(notifier.notify({ ...rest, kind: 'acknowledged', alarms: acknowledged })).resolves.toBeUndefined();
});

test('a connection that breaks after the message went out leaves it unknown whether it was accepted', async () => {
	const server = createServer((request) => {
		request.resume().on('end', () => request.socket.destroy());
	});
	const notifier = createSnsNotifier({
		endpoint: await listen(server, 0),
		region: 'eu-west-1',
		credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
		topicArn: 'arn:aws:sns:eu-west-1:000000000000:plants',
	});
	await expect(notifier.notify(testNotification('plant_a', 'warning', Date.UTC(2026, 0, 5)))).rejects.toMatchObject({
		code: 'outcome_unknown',
		payload: { cause: expect.stringContaining('SNS Publish') },
	});
	server.close();
});
