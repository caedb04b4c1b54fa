import { expect, inject, test } from 'vitest';
import { call, signIn } from '#test/e2e/target.ts';
import { describeDynamo, newDatabase } from '#test/support/servers/dynamo.ts';
import { openFaultyProxy } from '#test/support/servers/faulty-proxy.ts';
import { startLocal } from '#test/support/servers/local.ts';

describeDynamo('local mode on DynamoDB Local', () => {
	const environment = () => ({ DYNAMODB_ENDPOINT: inject('dynamoDbEndpoint') ?? '', AWS_ACCESS_KEY_ID: newDatabase() });

	test('stores the demo once, and finds it at the next start on the same tables', async () => {
		const settings = { ...environment(), DEMO_PLANT: 'on' };
		const listed: string[] = [];
		for (let start = 0; start < 2; start += 1) {
			const local = await startLocal(settings);
			try {
				const target = { baseUrl: local.baseUrl, feed: async () => undefined, close: local.close };
				const token = await signIn(target, 'a');
				const response = await call(target, 'GET', '/getVarsTsdb', { token });
				expect(response.status).toBe(200);
				expect(response.body.data.length).toBeGreaterThan(5);
				listed.push(response.text);
				expect(await local.service.store.revision('plant_a')).toMatchObject({ revision: 1 });
			} finally {
				await local.close();
			}
		}
		expect(listed[1]).toBe(listed[0]);
	});

	test('refuses to start when nothing listens at DYNAMODB_ENDPOINT', async () => {
		const { url, close } = await openFaultyProxy('', () => 'close');
		close();
		await expect(startLocal({ ...environment(), DYNAMODB_ENDPOINT: url })).rejects.toThrow(
			new RegExp(`^DYNAMODB_ENDPOINT ${url} cannot be used: store_failed.*ECONNREFUSED`),
		);
	});
});
