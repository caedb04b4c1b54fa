import { afterAll, beforeAll, inject } from 'vitest';
import { describeDynamo, newDatabase } from '#test/support/servers/dynamo.ts';
import { openLocalTarget } from '#test/support/servers/local.ts';
import { oauthClientsSuite } from './oauth-clients.ts';
import { sharedSchemaSuite } from './shared-schema.ts';
import type { AlarmTarget } from './target.ts';

/** What the test of permissions does not send to DynamoDB Local: it runs the other suites (test/infra/aws/grants.integration.ts). */
describeDynamo('end to end with DynamoDB Local', () => {
	let target: AlarmTarget;
	beforeAll(async () => {
		target = await openLocalTarget({
			DYNAMODB_ENDPOINT: inject('dynamoDbEndpoint') ?? '',
			AWS_ACCESS_KEY_ID: newDatabase(),
		});
	});
	afterAll(() => target.close());

	oauthClientsSuite(() => target);

	const database = newDatabase();
	sharedSchemaSuite('DynamoDB', () => ({ DYNAMODB_ENDPOINT: inject('dynamoDbEndpoint') ?? '', AWS_ACCESS_KEY_ID: database }));
});
