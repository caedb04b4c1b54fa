import { afterAll, beforeAll, inject } from 'vitest';
import { describeDynamo, newDatabase } from '#test/support/servers/dynamo.ts';
import { openLocalTarget } from '#test/support/servers/local.ts';
import { oauthClientsSuite } from './oauth-clients.ts';
import { sharedSchemaSuite } from './shared-schema.ts';
import { suites } from './suites.ts';
import type { AlarmTarget } from './target.ts';

describeDynamo('end to end with DynamoDB Local', () => {
	let target: AlarmTarget;
	beforeAll(async () => {
		target = await openLocalTarget({
			DYNAMODB_ENDPOINT: inject('dynamoDbEndpoint') ?? '',
			AWS_ACCESS_KEY_ID: newDatabase(),
		});
	});
	afterAll(() => target.close());

	for (const suite of [...suites, oauthClientsSuite]) suite(() => target);

	const database = newDatabase();
	sharedSchemaSuite('DynamoDB', () => ({ DYNAMODB_ENDPOINT: inject('dynamoDbEndpoint') ?? '', AWS_ACCESS_KEY_ID: database }));
});
