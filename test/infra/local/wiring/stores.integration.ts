import { expect, inject, test } from 'vitest';
import { call, signIn } from '#test/e2e/target.ts';
import { describeDynamo, newDatabase } from '#test/support/servers/dynamo.ts';
import { openFaultyProxy } from '#test/support/servers/faulty-proxy.ts';
import { startLocal } from '#test/support/servers/local.ts';

describeDynamo('local mode over DynamoDB Local', () => {
	const environment = () => ({ DYNAMODB_ENDPOINT: inject('dynamoDbEndpoint') ?? '', AWS_ACCESS_KEY_ID: newDatabase() });

	test('seeds the demo once, and shows it again to the next start on the same tables', async () => {
		const given = { ...environment(), DEMO_PLANT: 'on' };
		const listed: string[] = [];
		for (let start = 0; start < 2; start += 1) {
			const local = await startLocal(given);
			try {
				const target = { baseUrl: local.baseUrl, feed: async () => undefined, close: local.close };
				const token = await signIn(target, 'a');
				const answer = await call(target, 'GET', '/getVarsTsdb', { token });
				expect(answer.status).toBe(200);
				expect(answer.body.data.length).toBeGreaterThan(5);
				listed.push(answer.text);
				expect(await local.service.store.revision('plant_a')).toBe(1);
			} finally {
				await local.close();
			}
		}
		expect(listed[1]).toBe(listed[0]);
	});

	test('does not start where DYNAMODB_ENDPOINT answers nothing, and says so', async () => {
		const { url, close } = await openFaultyProxy('', () => 'close');
		close();
		await expect(startLocal({ ...environment(), DYNAMODB_ENDPOINT: url })).rejects.toThrow(
			new RegExp(`^DYNAMODB_ENDPOINT ${url} cannot be used: store_failed.*ECONNREFUSED`),
		);
	});
});
